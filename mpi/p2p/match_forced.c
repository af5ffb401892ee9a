/* match_forced.c - matching where receives from any source may be forced to take the message of one.
 *
 * A forced receive waits for its message; others that it could have taken have then, for all that the program can
 * tell, not arrived yet. So they must not be seen by anybody else before that receive has its message:
 *
 *   - a message that an older posted receive accepts, but is not forced to, is *held*: no younger receive gets it, and
 *     no probe sees it;
 *   - a message does not overtake an older one of the same source at a receive that accepts both, held or not.
 *
 * A receive may also be forced to none for a while (--seed): it holds all that it accepts, then takes one of them.
 *
 * What is matched under these rules, some network delivers in that order (MPI-3.1 section 3.5). When a receive leaves
 * the queue, messages may become free that it had held. Plain lists: programs that are explored are small. */
#include "mpi/watch/choices.h"

int64_t mpi_forced_source(const MpiMatcher *matcher, const MpiItem *receive)
{
    const MpiTrail *trail = g_hash_table_lookup(matcher->chooser->choices->trails, receive);
    return trail ? trail->forced : MPI_CHOICE_FREE;
}

static bool takes(int64_t forced, const MpiItem *message)
{
    return forced == MPI_CHOICE_FREE || forced == message->key.source;
}

/* The oldest posted receive that accepts the message by its key. */
static MpiItem *first_accepting(const MpiMatcher *matcher, const MpiItem *message)
{
    MpiItem *receive = matcher->chooser->oldest;
    while (receive && !mpi_key_accepts(receive->key, message->key))
        receive = receive->next;
    return receive;
}

/* Whether there is an older message of the same source that a receive of this key accepts; of all in the queue, if the
 * message itself is not in it. */
static bool would_overtake(const MpiMatcher *matcher, const MpiItem *message, MpiKey key)
{
    for (const MpiItem *older = matcher->oldest; older && older != message; older = older->next)
        if (older->key.source == message->key.source && mpi_key_accepts(key, older->key))
            return true;
    return false;
}

MpiItem *mpi_forced_posted(const MpiMatcher *matcher, const MpiItem *message)
{
    MpiItem *receive = first_accepting(matcher, message);
    if (!receive || !takes(mpi_forced_source(matcher, receive), message) ||
        would_overtake(matcher, message, receive->key))
        return NULL;
    return receive;
}

void mpi_forced_post(MpiMatcher *matcher, MpiItem *receive)
{
    MpiChooser *chooser = matcher->chooser;
    receive->order = matcher->order++;
    receive->previous = chooser->newest;
    receive->next = NULL;
    if (chooser->newest)
        chooser->newest->next = receive;
    else
        chooser->oldest = receive;
    chooser->newest = receive;
}

void mpi_forced_withdraw(MpiMatcher *matcher, MpiItem *receive)
{
    MpiChooser *chooser = matcher->chooser;
    if (receive->previous)
        receive->previous->next = receive->next;
    else
        chooser->oldest = receive->next;
    if (receive->next)
        receive->next->previous = receive->previous;
    else
        chooser->newest = receive->previous;
    receive->previous = receive->next = NULL;
}

MpiItem *mpi_forced_find(const MpiMatcher *matcher, MpiKey key, int64_t forced)
{
    for (MpiItem *message = matcher->oldest; message; message = message->next)
        if (mpi_key_accepts(key, message->key) && takes(forced, message) && !first_accepting(matcher, message) &&
            !would_overtake(matcher, message, key))
            return message;
    return NULL;
}

MpiItem *mpi_forced_released(MpiMatcher *matcher, MpiItem **receive)
{
    for (MpiItem *message = matcher->oldest; message; message = message->next) {
        *receive = mpi_forced_posted(matcher, message);
        if (*receive)
            return message;
    }
    return NULL;
}

/* Whether an older message of its source stands before it in the queue that the key accepts too. */
static bool is_first(const MpiMatcher *matcher, const MpiItem *message, MpiKey key)
{
    return mpi_key_accepts(key, message->key) && !would_overtake(matcher, message, key);
}

unsigned mpi_forced_sources(const MpiMatcher *matcher, MpiKey key, unsigned which, int64_t *source)
{
    unsigned n = 0;
    for (const MpiItem *message = matcher->oldest; message; message = message->next)
        if (is_first(matcher, message, key) && !first_accepting(matcher, message) && n++ == which)
            *source = message->key.source;
    return n;
}

unsigned mpi_forced_held(const MpiMatcher *matcher, const MpiItem *receive, unsigned which, int64_t *source)
{
    unsigned n = 0;
    for (const MpiItem *message = matcher->oldest; message; message = message->next)
        if (is_first(matcher, message, receive->key) && first_accepting(matcher, message) == receive && n++ == which)
            *source = message->key.source;
    return n;
}

MpiItem *mpi_forced_holder(const MpiMatcher *matcher, const MpiItem *message)
{
    return first_accepting(matcher, message);
}
