/* Joins two tables of a data base by a hash index on the smaller one. */
#include <string.h>
enum { CUSTOMERS = 500, ORDERS = 4000, BUCKETS = 1024 };
typedef struct Customer {
    int id, country, next;
} Customer;
typedef struct Order {
    int customer, amount;
} Order;
static Customer customers[CUSTOMERS];
static Order orders[ORDERS];
static int buckets[BUCKETS];

static unsigned hash(int id)
{
    unsigned x = (unsigned)id * 2654435761u;
    return x >> 22;
}

double kernel(void)
{
    long turnover[16] = {0};
    unsigned state = 99;
    memset(buckets, -1, sizeof buckets);
    for (int i = 0; i < CUSTOMERS; i++) {
        customers[i].id = i * 37 % 3000;
        customers[i].country = i % 16;
        customers[i].next = buckets[hash(customers[i].id)];
        buckets[hash(customers[i].id)] = i;
    }
    for (int i = 0; i < ORDERS; i++) {
        state = state * 1103515245u + 12345u;
        orders[i].customer = (int)(state >> 16) % 3000;
        orders[i].amount = (int)(state >> 8) & 127;
    }
    for (int i = 0; i < ORDERS; i++)
        for (int c = buckets[hash(orders[i].customer)]; c >= 0; c = customers[c].next)
            if (customers[c].id == orders[i].customer)
                turnover[customers[c].country] += orders[i].amount;
    return (double)(turnover[1] + turnover[9]);
}
