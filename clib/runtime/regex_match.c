/* regex_match.c - runs a compiled regular expression over a text.
 *
 * All alternatives are followed at once, one character at a time, so the time is at most program times text. Each
 * thread carries the beginnings and ends of its groups. If two threads meet at the same step, the one that came by the
 * earlier alternatives goes on. So the whole match is the longest (POSIX XBD 9.1), and its groups are those that the
 * first alternatives give it, as in glibc. Back references do not fit this machine; programs that have one are run by
 * backtracking.
 */
#include "regex_program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { THERE = 1, OPEN }; /* OPEN: a split whose first path is being followed */

struct matcher {
    const struct orrery_regex *program;
    const unsigned char *text, *end;
    int flags; /* flags of regexec */
    int slots; /* number of slots of each thread */
    int *best; /* slots of the best match; best[1] < 0: no match yet */
    int *now_slots, *next_slots, *spare;
    int *now_order, *next_order, now_count, next_count; /* steps in the order of their arrival */
    unsigned char *now_there, *next_there;
};

static int is_word(const struct matcher *m, const unsigned char *at)
{
    return at >= m->text && at < m->end && (isalnum(*at) || *at == '_');
}

/* Whether a step that takes no character holds at `at`. */
static int holds(const struct matcher *m, const struct step *step, const unsigned char *at)
{
    int lines = m->program->flags & REG_NEWLINE, before = is_word(m, at - 1), here = is_word(m, at);
    switch (step->operation) {
    case OP_BEGIN: return (at == m->text && !(m->flags & REG_NOTBOL)) || (lines && at > m->text && at[-1] == '\n');
    case OP_END: return (at == m->end && !(m->flags & REG_NOTEOL)) || (lines && at < m->end && *at == '\n');
    case OP_BUFFER_BEGIN: return at == m->text;
    case OP_BUFFER_END: return at == m->end;
    default:
        switch (step->a) {
        case 0: return before != here;
        case 1: return before == here;
        case 2: return !before && here;
        default: return before && !here;
        }
    }
}

/* Whether a step takes the character at `at`. */
static int takes(const struct matcher *m, const struct step *step, const unsigned char *at)
{
    if (at >= m->end)
        return 0;
    switch (step->operation) {
    case OP_CHARACTER: return ((m->program->flags & REG_ICASE) ? tolower(*at) : *at) == step->a;
    case OP_ANY: return !(m->program->flags & REG_NEWLINE) || *at != '\n';
    case OP_SET: return m->program->sets[step->a][*at >> 3] >> (*at & 7) & 1;
    default: return 0;
    }
}

/* Enters a step at `at` with the slots in m->spare, and all steps that follow from it without a character. */
static void enter(struct matcher *m, int index, const unsigned char *at)
{
    for (;;) {
        const struct step *step = &m->program->steps[index];
        int *slots = m->next_slots + (size_t)index * (size_t)m->slots;
        if (m->next_there[index] == OPEN) { /* the body of a loop took nothing, so the loop ends */
            index += step->b;
            continue;
        }
        if (m->next_there[index])
            return;
        m->next_order[m->next_count++] = index;
        m->next_there[index] = step->operation == OP_SPLIT ? OPEN : THERE;
        memcpy(slots, m->spare, (size_t)m->slots * sizeof *slots);
        switch (step->operation) {
        case OP_JUMP: index += step->a; break;
        case OP_SPLIT:
            enter(m, index + step->a, at);
            m->next_there[index] = THERE;
            memcpy(m->spare, slots, (size_t)m->slots * sizeof *slots);
            index += step->b;
            break;
        case OP_SAVE:
            if (step->a < m->slots) {
                m->spare[step->a] = (int)(at - m->text);
                if (!(step->a & 1))
                    m->spare[step->a + 1] = -1;
            }
            index++;
            break;
        case OP_BEGIN:
        case OP_END:
        case OP_BUFFER_BEGIN:
        case OP_BUFFER_END:
        case OP_WORD_EDGE:
            if (!holds(m, step, at))
                return;
            index++;
            break;
        default: return;
        }
    }
}

static void swap_lists(struct matcher *m)
{
    int *slots = m->now_slots, *order = m->now_order;
    unsigned char *there = m->now_there;
    m->now_slots = m->next_slots;
    m->now_order = m->next_order;
    m->now_there = m->next_there;
    m->now_count = m->next_count;
    m->next_slots = slots;
    m->next_order = order;
    m->next_there = there;
    for (int i = 0; i < m->program->step_count; i++)
        there[i] = 0;
    m->next_count = 0;
}

/* Records the matches of threads that have arrived, and moves the other threads over one character. */
static void advance(struct matcher *m, const unsigned char *at)
{
    for (int i = 0; i < m->now_count; i++) {
        int index = m->now_order[i];
        const struct step *step = &m->program->steps[index];
        int *slots = m->now_slots + (size_t)index * (size_t)m->slots;
        if (step->operation == OP_MATCH) {
            slots[1] = (int)(at - m->text);
            if (m->best[1] < 0 || slots[0] < m->best[0] || (slots[0] == m->best[0] && slots[1] > m->best[1]))
                memcpy(m->best, slots, (size_t)m->slots * sizeof *slots);
        } else if ((m->best[1] < 0 || slots[0] <= m->best[0]) && takes(m, step, at)) {
            memcpy(m->spare, slots, (size_t)m->slots * sizeof *slots);
            enter(m, index + 1, at + 1);
        }
    }
}

static void run(struct matcher *m)
{
    for (const unsigned char *at = m->text;; at++) {
        if (m->best[1] < 0) { /* a new attempt starts here, besides the threads that came over the last character */
            for (int i = 0; i < m->slots; i++)
                m->spare[i] = -1;
            m->spare[0] = (int)(at - m->text);
            enter(m, 0, at);
        }
        swap_lists(m);
        if (m->now_count > 0)
            advance(m, at);
        if (at >= m->end || (m->best[1] >= 0 && m->next_count == 0))
            break;
    }
}

/* -- back references --------------------------------------------------------------------------- */

static void attempt(struct matcher *m, int index, const unsigned char *at, int *slots);

/* Tries the rest with a group's slot set, and restores the slot afterwards. */
static void attempt_save(struct matcher *m, int index, const unsigned char *at, int *slots)
{
    int slot = m->program->steps[index].a, old = slots[slot];
    slots[slot] = (int)(at - m->text);
    attempt(m, index + 1, at, slots);
    slots[slot] = old;
}

static const unsigned char *same_again(const struct matcher *m, const int *slots, int group, const unsigned char *at)
{
    if (slots[2 * group] < 0 || slots[2 * group + 1] < 0)
        return 0;
    size_t size = (size_t)(slots[2 * group + 1] - slots[2 * group]);
    if ((size_t)(m->end - at) < size)
        return 0;
    for (size_t i = 0; i < size; i++) {
        int a = m->text[(size_t)slots[2 * group] + i], b = at[i];
        if (a != b && !((m->program->flags & REG_ICASE) && tolower(a) == tolower(b)))
            return 0;
    }
    return at + size;
}

/* Follows all paths from a step on. The longest match is kept in m->best. `spare` has, for each split, the position
 * where it was last taken, so that a loop over nothing ends. */
static void attempt(struct matcher *m, int index, const unsigned char *at, int *slots)
{
    for (;;) {
        const struct step *step = &m->program->steps[index];
        switch (step->operation) {
        case OP_MATCH:
            slots[1] = (int)(at - m->text);
            if (m->best[1] < slots[1])
                memcpy(m->best, slots, (size_t)m->slots * sizeof *slots);
            return;
        case OP_JUMP: index += step->a; break;
        case OP_SPLIT: {
            int last = m->spare[index];
            if (last == (int)(at - m->text)) {
                index += step->b;
                break;
            }
            m->spare[index] = (int)(at - m->text);
            attempt(m, index + step->a, at, slots);
            m->spare[index] = last;
            index += step->b;
            break;
        }
        case OP_SAVE: attempt_save(m, index, at, slots); return;
        case OP_BACK_REFERENCE:
            at = same_again(m, slots, step->a, at);
            if (!at)
                return;
            index++;
            break;
        case OP_CHARACTER:
        case OP_ANY:
        case OP_SET:
            if (!takes(m, step, at))
                return;
            at++;
            index++;
            break;
        default:
            if (!holds(m, step, at))
                return;
            index++;
        }
    }
}

static void run_backtracking(struct matcher *m)
{
    int *slots = m->now_slots;
    for (const unsigned char *at = m->text; at <= m->end && m->best[1] < 0; at++) {
        for (int i = 0; i < m->slots; i++)
            slots[i] = -1;
        for (int i = 0; i < m->program->step_count; i++)
            m->spare[i] = -1;
        slots[0] = (int)(at - m->text);
        attempt(m, 0, at, slots);
    }
}

/* -- regexec ----------------------------------------------------------------------------------- */

static int allocate(struct matcher *m)
{
    size_t steps = (size_t)m->program->step_count, slots = (size_t)m->slots;
    size_t spare = slots > steps ? slots : steps;
    int *memory = malloc((2 * steps * slots + slots + spare + 2 * steps) * sizeof *memory + 2 * steps);
    if (!memory)
        return 0;
    m->best = memory;
    m->spare = m->best + slots;
    m->now_slots = m->spare + spare;
    m->next_slots = m->now_slots + steps * slots;
    m->now_order = m->next_slots + steps * slots;
    m->next_order = m->now_order + steps;
    m->now_there = (unsigned char *)(m->next_order + steps);
    m->next_there = m->now_there + steps;
    memset(m->now_there, 0, 2 * steps);
    for (size_t i = 0; i < slots; i++)
        m->best[i] = -1;
    return 1;
}

int regexec(const regex_t *expression, const char *text, size_t count, regmatch_t matches[], int flags)
{
    const struct orrery_regex *program = expression->orrery_program;
    struct matcher m = {.program = program, .text = (const unsigned char *)text, .flags = flags};
    size_t size = strlen(text), offset = 0;
    if (flags & REG_STARTEND) {
        offset = (size_t)matches[0].rm_so;
        size = (size_t)matches[0].rm_eo - offset;
    }
    m.text += offset;
    m.end = m.text + size;
    int wanted = !(program->flags & REG_NOSUB) && count > 1;
    m.slots = wanted || program->has_back_reference ? 2 * ((int)expression->re_nsub + 1) : 2;
    if (!allocate(&m))
        return REG_ESPACE;
    if (program->has_back_reference)
        run_backtracking(&m);
    else
        run(&m);
    int found = m.best[1] >= 0;
    for (size_t i = 0; found && !(program->flags & REG_NOSUB) && i < count; i++) {
        int known = i <= expression->re_nsub && 2 * (int)i < m.slots && m.best[2 * i + 1] >= 0;
        matches[i].rm_so = known ? m.best[2 * i] + (int)offset : -1;
        matches[i].rm_eo = known ? m.best[2 * i + 1] + (int)offset : -1;
    }
    free(m.best);
    return found ? 0 : REG_NOMATCH;
}
