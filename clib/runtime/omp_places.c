/* omp_places.c - OpenMP's places: OMP_PLACES, which thread gets which place, questions about them.
 *
 * A place is a set of processors. Each implicit task has a partition, a run of places in the list; proc_bind says how
 * the threads of a team are spread over that of the thread that forks it (OpenMP 4.5, 2.5.2).
 */
#include "omp_places.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "omp_team.h"

enum { WORDS = OMP_PLACE_WORDS, MOST = WORDS * 64, MOST_PLACES = 4096 };
typedef unsigned long Set[WORDS];

/* -- OMP_PLACES -------------------------------------------------------------------------------- */

static const char *blank(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static bool number(const char **text, bool negative, long *value)
{
    char *end;
    const char *at = blank(*text);
    if (!isdigit((unsigned char)*at) && !(negative && *at == '-'))
        return false;
    *value = strtol(at, &end, 10);
    *text = blank(end);
    return end != at && *value <= MOST && *value >= -MOST;
}

/* Reads ":number:stride" behind a resource or a place. Both are 1 if they are not there. */
static bool interval(const char **text, long *count, long *stride)
{
    *count = *stride = 1;
    if (**text != ':')
        return true;
    ++*text;
    if (!number(text, false, count) || *count < 1)
        return false;
    if (**text != ':')
        return true;
    ++*text;
    return number(text, true, stride);
}

static bool resources(const char **text, Set set)
{
    do {
        long first, count, stride;
        ++*text; /* '{' or ',' */
        *text = blank(*text);
        bool out = **text == '!';
        *text += out;
        if (!number(text, false, &first) || !interval(text, &count, &stride))
            return false;
        for (; count--; first += stride) {
            if (first < 0 || first >= MOST)
                return false;
            unsigned long bit = 1UL << first % 64;
            set[first / 64] = out ? set[first / 64] & ~bit : set[first / 64] | bit;
        }
    } while (**text == ',');
    if (**text != '}')
        return false;
    *text = blank(*text + 1);
    return true;
}

/* Moves a set by so many processors. Returns false if one leaves the range. */
static bool move(Set set, long by)
{
    Set moved = {0};
    for (long i = 0; i < MOST; i++)
        if (set[i / 64] >> i % 64 & 1) {
            if (i + by < 0 || i + by >= MOST)
                return false;
            moved[(i + by) / 64] |= 1UL << (i + by) % 64;
        }
    memcpy(set, moved, sizeof moved);
    return true;
}

/* Keeps the processors that are there. Returns whether there are any. */
static bool cut(Set set, const Set there)
{
    unsigned long any = 0;
    for (int i = 0; i < WORDS; i++)
        any |= set[i] &= there[i];
    return any != 0;
}

static void add(struct omp_globals *globals, const Set set)
{
    globals->places = realloc(globals->places, (unsigned long)(globals->n_places + 1) * sizeof *globals->places);
    if (!globals->places)
        abort();
    memcpy(globals->places[globals->n_places++], set, sizeof(Set));
}

static bool explicit_places(struct omp_globals *globals, const char *text, const Set there)
{
    for (;; text++) {
        Set set = {0};
        text = blank(text);
        bool out = *text == '!';
        text = blank(text + out);
        long count, stride;
        if (*text != '{' || !resources(&text, set) || !interval(&text, &count, &stride))
            return false;
        for (; count--;) {
            Set usable;
            memcpy(usable, set, sizeof usable);
            if (out) {
                for (int i = 0; i < globals->n_places; i++)
                    if (memcmp(globals->places[i], set, sizeof set) == 0) {
                        memmove(globals->places[i], globals->places[i + 1],
                                (unsigned long)(--globals->n_places - i) * sizeof(Set));
                        break;
                    }
            } else if (cut(usable, there) && globals->n_places < MOST_PLACES) {
                add(globals, usable);
            }
            if (count && !move(set, stride))
                return false;
        }
        if (*text != ',')
            return *text == '\0' && globals->n_places > 0;
    }
}

bool __omp_read_places(struct omp_globals *globals, const char *text)
{
    Set there;
    __orrery_thread_bound(0, there, WORDS);
    static const char *const names[] = {"threads", "cores", "sockets"};
    text = blank(text);
    for (int kind = 0; kind < 3; kind++) {
        unsigned long length = strlen(names[kind]);
        if (strncasecmp(text, names[kind], length) != 0)
            continue;
        long most = globals->processors;
        const char *at = blank(text + length);
        if (*at == '(') {
            at++;
            if (!number(&at, false, &most) || most < 1 || *at++ != ')')
                return false;
            at = blank(at);
        }
        if (*at)
            return false;
        if (kind == 2) /* a node is one socket */
            add(globals, there);
        for (int i = 0; kind < 2 && i < MOST && globals->n_places < most; i++)
            if (there[i / 64] >> i % 64 & 1) {
                Set set = {0};
                set[i / 64] = 1UL << i % 64;
                add(globals, set);
            }
        return true;
    }
    if (explicit_places(globals, text, there))
        return true;
    globals->n_places = 0;
    return false;
}

/* -- which thread gets which ------------------------------------------------------------------- */

/* Thread `number` of `n` in shares of `places`: the shares differ by at most one thread, the first are the larger ones.
 */
static unsigned share_of(unsigned number, unsigned n, unsigned places)
{
    unsigned each = n / places, more = n % places;
    return number < more * (each + 1) ? number / (each + 1) : more + (number - more * (each + 1)) / each;
}

void __omp_place(const struct omp_thread *me, unsigned number, unsigned n, unsigned bind, struct omp_at *at)
{
    int first = me->at.first_place, place = me->at.place;
    at->first_place = first;
    at->places = me->at.places;
    at->place = place;
    if (place < 0 || bind == omp_proc_bind_false)
        return;
    unsigned p = (unsigned)at->places, mine = (unsigned)(place - first);
    if (bind == omp_proc_bind_master)
        return;
    if (bind != omp_proc_bind_spread) { /* close, and true */
        unsigned step = n <= p ? number : share_of(number, n, p);
        at->place = first + (int)((mine + step) % p);
        return;
    }
    if (n > p) { /* a place is a part */
        at->place = at->first_place = first + (int)((mine + share_of(number, n, p)) % p);
        at->places = 1;
        return;
    }
    unsigned each = p / n, more = p % n; /* the partition in n parts; the first ones are the larger */
    unsigned part = mine < more * (each + 1) ? mine / (each + 1) : more + (mine - more * (each + 1)) / each;
    part = (part + number) % n;
    unsigned start = part * each + (part < more ? part : more);
    at->first_place = first + (int)start;
    at->places = (int)(each + (part < more));
    if (number > 0)
        at->place = at->first_place;
}

void __omp_bind(const struct omp_at *at)
{
    if (at->place >= 0)
        __orrery_thread_place(__omp_globals.places[at->place], WORDS);
}

/* -- questions --------------------------------------------------------------------------------- */

int omp_get_num_places(void)
{
    __omp_read_environment();
    return __omp_globals.n_places;
}

int omp_get_place_num_procs(int place)
{
    int count = 0;
    if (place < 0 || place >= omp_get_num_places())
        return 0;
    for (int i = 0; i < WORDS; i++)
        count += __builtin_popcountl(__omp_globals.places[place][i]);
    return count;
}

void omp_get_place_proc_ids(int place, int *ids)
{
    if (place < 0 || place >= omp_get_num_places())
        return;
    for (int i = 0; i < MOST; i++)
        if (__omp_globals.places[place][i / 64] >> i % 64 & 1)
            *ids++ = i;
}

int omp_get_place_num(void)
{
    return __omp_self()->at.place;
}

int omp_get_partition_num_places(void)
{
    return __omp_self()->at.places;
}

void omp_get_partition_place_nums(int *numbers)
{
    const struct omp_at *at = &__omp_self()->at;
    for (int i = 0; i < at->places; i++)
        numbers[i] = at->first_place + i;
}
