/* contention.c - cores that contend for their node's memory and network interfaces.
 *
 * Each of these can serve one core at a time. Its calendar says when it is taken: intervals in order, which do not
 * touch. Who comes takes what is free from then on. A copy takes pieces wherever they are free; its core copies at its
 * own rate meanwhile, and is done when both are:
 *
 *      taken     |##########|      |####|
 *      a copy from here  ^  |=====>|    |==>|       the memory's time of the copy is over here
 *
 * So copies get the memory in the order in which the calls take effect that make them. (They cannot share it evenly: a
 * call's time is settled before it is known what comes meanwhile.) All that begin together are done, together, as early
 * as the bandwidth allows. An interface is taken in one piece, as a lock is. */
#include "machine/contention/contention.h"

#include <string.h>

typedef struct Taken {
    uint64_t from_ps, to_ps;
} Taken;

struct MachContention {
    GPtrArray *calendars[MACH_SHARED_KINDS]; /* by number: GArray of Taken; NULL: never taken */
};

static void calendar_free(void *calendar)
{
    if (calendar)
        g_array_unref(calendar);
}

MachContention *mach_contention_new(void)
{
    MachContention *contention = g_new0(MachContention, 1);
    for (int kind = 0; kind < MACH_SHARED_KINDS; kind++)
        contention->calendars[kind] = g_ptr_array_new_with_free_func(calendar_free);
    return contention;
}

void mach_contention_free(MachContention *contention)
{
    if (!contention)
        return;
    for (int kind = 0; kind < MACH_SHARED_KINDS; kind++)
        g_ptr_array_unref(contention->calendars[kind]);
    g_free(contention);
}

static GArray *calendar_of(MachContention *contention, MachShared kind, uint32_t number)
{
    GPtrArray *calendars = contention->calendars[kind];
    if (number >= calendars->len)
        g_ptr_array_set_size(calendars, (gint)number + 1);
    if (!calendars->pdata[number])
        calendars->pdata[number] = g_array_new(FALSE, FALSE, sizeof(Taken));
    return calendars->pdata[number];
}

/* Forgets what is over. */
static void forget(GArray *calendar, uint64_t now_ps)
{
    guint n = 0;
    while (n < calendar->len && g_array_index(calendar, Taken, n).to_ps <= now_ps)
        n++;
    if (n)
        g_array_remove_range(calendar, 0, n);
}

/* Enters an interval that is free, before number i, and joins it with what it touches. Returns the number of the first
 * one that is taken behind it, or that it has become a part of. */
static guint enter(GArray *calendar, guint i, Taken taken)
{
    Taken *before = i ? &g_array_index(calendar, Taken, i - 1) : NULL;
    Taken *behind = i < calendar->len ? &g_array_index(calendar, Taken, i) : NULL;
    if (before && before->to_ps == taken.from_ps) {
        before->to_ps = taken.to_ps;
        if (!behind || behind->from_ps != taken.to_ps)
            return i;
        before->to_ps = behind->to_ps;
        g_array_remove_index(calendar, i);
        return i - 1;
    }
    if (behind && behind->from_ps == taken.to_ps) {
        behind->from_ps = taken.from_ps;
        return i;
    }
    g_array_insert_val(calendar, i, taken);
    return i + 1;
}

uint64_t mach_contention_take(MachContention *contention, MachShared kind, uint32_t number, uint64_t now_ps,
                              uint64_t from_ps, uint64_t length_ps, bool whole)
{
    GArray *calendar = calendar_of(contention, kind, number);
    guint i = 0;
    forget(calendar, now_ps);
    while (length_ps) {
        const Taken *next = i < calendar->len ? &g_array_index(calendar, Taken, i) : NULL;
        if (next && next->from_ps <= from_ps) {
            from_ps = MAX(from_ps, next->to_ps);
            i++;
            continue;
        }
        uint64_t free_ps = next ? next->from_ps - from_ps : UINT64_MAX, piece_ps = MIN(free_ps, length_ps);
        if (whole && piece_ps < length_ps) {
            from_ps = next->to_ps;
            i++;
            continue;
        }
        i = enter(calendar, i, (Taken){from_ps, from_ps + piece_ps});
        from_ps += piece_ps;
        length_ps -= piece_ps;
    }
    return from_ps;
}
