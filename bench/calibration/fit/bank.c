/* Transfers between accounts in structures: most are possible, some are refused. */
enum { ACCOUNTS = 200, BOOKINGS = 6000 };
typedef struct Account {
    long balance, limit;
    int refused, booked;
} Account;
static Account accounts[ACCOUNTS];

static int transfer(Account *from, Account *to, long amount)
{
    if (from == to || from->balance + from->limit < amount) {
        from->refused++;
        return 0;
    }
    from->balance -= amount;
    to->balance += amount;
    from->booked++;
    to->booked++;
    return 1;
}

double kernel(void)
{
    unsigned state = 5;
    int done = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        accounts[i] = (Account){.balance = 500 + i % 7 * 100, .limit = i % 3 * 200};
    for (int i = 0; i < BOOKINGS; i++) {
        state = state * 1664525u + 1013904223u;
        done += transfer(&accounts[(state >> 8) % ACCOUNTS], &accounts[(state >> 17) % ACCOUNTS], state >> 24);
    }
    return done;
}
