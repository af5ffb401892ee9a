/* match_forced.c - matching when receives from any source may be forced to take the message of one source.
 *
 * A forced receive waits for its message. For the program, the other messages that it could take have not arrived yet.
 * So they must stay invisible until that receive has its message:
 *
 *   - a message that an older posted receive accepts, but is not forced to, is *held*: no younger receive gets it, and
 *     no probe sees it;
 *   - a message does not overtake an older one of the same source at a receive that accepts both, held or not.
 *
 * A receive may also be forced to take no source for a while (--seed): it holds all that it accepts, then takes one.
 *
 * Every matching under these rules is possible: some network delivers in that order (MPI-3.1 section 3.5). When a
 * receive leaves the queue, messages that it had held may become free. Searches are linear: programs that are explored
 * are small.
 */
#include "mpi/core/matcher.h"
#include "mpi/p2p/p2p.h"
#include "mpi/watch/choices.h"

static int64_t forced_source(const MpiMatcher *matcher, const MpiItem *receive)
{
    const MpiTrail *trail = g_hash_table_lookup(mpi_chooser_of_matcher(matcher)->choices->trails, receive);
    return trail ? trail->forced : MPI_CHOICE_FREE;
}

static bool takes(int64_t forced, const MpiItem *message)
{
    return forced == MPI_CHOICE_FREE || forced == message->key.source;
}

/* Returns the oldest posted receive that accepts the message by its key; NULL: none. */
static MpiItem *first_accepting(const MpiMatcher *matcher, const MpiItem *message)
{
    MpiItem *receive = mpi_chooser_of_matcher(matcher)->oldest;
    while (receive && !mpi_match_accepts(receive->key, message->key))
        receive = receive->next;
    return receive;
}

/* Whether the queue has an older message of the same source that a receive with this key accepts. If the message
 * itself is not in the queue, all messages there are older. */
static bool would_overtake(const MpiMatcher *matcher, const MpiItem *message, MpiKey key)
{
    for (const MpiItem *older = matcher->oldest; older && older != message; older = older->next)
        if (older->key.source == message->key.source && mpi_match_accepts(key, older->key))
            return true;
    return false;
}

static MpiItem *forced_posted(const MpiMatcher *matcher, const MpiItem *message)
{
    MpiItem *receive = first_accepting(matcher, message);
    if (!receive || !takes(forced_source(matcher, receive), message) || would_overtake(matcher, message, receive->key))
        return NULL;
    return receive;
}

static void forced_post(MpiMatcher *matcher, MpiItem *receive)
{
    MpiChooser *chooser = mpi_chooser_of_matcher(matcher);
    receive->order = matcher->order++;
    receive->previous = chooser->newest;
    receive->next = NULL;
    if (chooser->newest)
        chooser->newest->next = receive;
    else
        chooser->oldest = receive;
    chooser->newest = receive;
}

static void forced_withdraw(MpiMatcher *matcher, MpiItem *receive)
{
    MpiChooser *chooser = mpi_chooser_of_matcher(matcher);
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

static MpiItem *forced_find(const MpiMatcher *matcher, MpiKey key, const MpiItem *receive)
{
    int64_t forced = receive ? forced_source(matcher, receive) : mpi_choices_seeded(matcher, key);
    for (MpiItem *message = matcher->oldest; message; message = message->next)
        if (mpi_match_accepts(key, message->key) && takes(forced, message) && !first_accepting(matcher, message) &&
            !would_overtake(matcher, message, key))
            return message;
    return NULL;
}

static MpiItem *forced_released(MpiMatcher *matcher, MpiItem **receive)
{
    for (MpiItem *message = matcher->oldest; message; message = message->next) {
        *receive = forced_posted(matcher, message);
        if (*receive)
            return message;
    }
    return NULL;
}

/* Whether the key accepts the message, and no older message of the same source in the queue. */
static bool is_first(const MpiMatcher *matcher, const MpiItem *message, MpiKey key)
{
    return mpi_match_accepts(key, message->key) && !would_overtake(matcher, message, key);
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

const MpiMatchRule mpi_forced_rule = {.posted = forced_posted,
                                      .post = forced_post,
                                      .withdraw = forced_withdraw,
                                      .find = forced_find,
                                      .released = forced_released};
