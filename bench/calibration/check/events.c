/* Simulates customers at a counter: events in a heap by time, random times. */
enum { MOST = 64, CUSTOMERS = 1200 };
typedef struct Event {
    long time;
    int kind;
} Event;
static Event heap[MOST];
static int n;

static void put(long time, int kind)
{
    int i = n++;
    for (; i > 0 && heap[(i - 1) / 2].time > time; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = (Event){time, kind};
}

static Event take(void)
{
    Event top = heap[0], last = heap[--n];
    int i = 0;
    for (int child = 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && heap[child + 1].time < heap[child].time)
            child++;
        if (heap[child].time >= last.time)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return top;
}

double kernel(void)
{
    unsigned state = 6;
    int waiting = 0, free = 3, served = 0, longest = 0;
    n = 0;
    put(0, 0);
    while (served < CUSTOMERS) {
        Event e = take();
        state = state * 1664525u + 1013904223u;
        switch (e.kind) {
        case 0:
            waiting++;
            put(e.time + 1 + (state >> 26), 0);
            break;
        case 1:
            free++;
            served++;
            break;
        }
        if (waiting > longest)
            longest = waiting;
        while (waiting > 0 && free > 0) {
            state = state * 1664525u + 1013904223u;
            waiting--;
            free--;
            put(e.time + 20 + (state >> 25), 1);
        }
    }
    return longest;
}
