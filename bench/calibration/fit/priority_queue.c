/* A priority queue as a sorted list of events: insertions and removals. */
enum { EVENTS = 1200, KEPT = 40 };
typedef struct Event {
    struct Event *next;
    unsigned time;
} Event;
static Event events[KEPT + 1];

double kernel(void)
{
    unsigned state = 6, now = 0;
    Event *first = 0, *unused = events;
    for (int i = 0; i < KEPT; i++)
        events[i] = (Event){&events[i + 1], 0};
    events[KEPT] = (Event){0, 0};
    for (int i = 0; i < EVENTS; i++) {
        state = state * 1664525u + 1013904223u;
        Event *event = unused, **link = &first;
        unused = unused->next;
        event->time = now + (state >> 22);
        while (*link && (*link)->time <= event->time)
            link = &(*link)->next;
        event->next = *link;
        *link = event;
        if (i >= KEPT / 2) {
            event = first;
            first = event->next;
            now = event->time;
            event->next = unused;
            unused = event;
        }
    }
    return now;
}
