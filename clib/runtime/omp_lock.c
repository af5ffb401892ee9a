/* omp_lock.c - OpenMP's locks: mutexes of the simulator, so that its costs, reports and checks hold for them. */
#include "omp_team.h"

#include <pthread.h>
#include <string.h>

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(omp_lock_t), "a mutex fits");

struct nest { /* omp_nest_lock_t from inside */
    pthread_mutex_t mutex;
    struct omp_task *owner; /* a task owns it, not a thread */
    int depth;
};
_Static_assert(sizeof(struct nest) <= sizeof(omp_nest_lock_t), "a lock that nests fits");

static pthread_mutex_t *mutex_of(omp_lock_t *lock)
{
    return (pthread_mutex_t *)lock->orrery_words;
}

static struct nest *nest_of(omp_nest_lock_t *lock)
{
    return (struct nest *)lock->orrery_words;
}

void omp_init_lock(omp_lock_t *lock)
{
    memset(lock, 0, sizeof *lock);
    pthread_mutex_init(mutex_of(lock), NULL);
}

void omp_init_lock_with_hint(omp_lock_t *lock, omp_lock_hint_t hint)
{
    (void)hint;
    omp_init_lock(lock);
}

void omp_destroy_lock(omp_lock_t *lock)
{
    pthread_mutex_destroy(mutex_of(lock));
}

void omp_set_lock(omp_lock_t *lock)
{
    pthread_mutex_lock(mutex_of(lock));
}

void omp_unset_lock(omp_lock_t *lock)
{
    pthread_mutex_unlock(mutex_of(lock));
}

int omp_test_lock(omp_lock_t *lock)
{
    return pthread_mutex_trylock(mutex_of(lock)) == 0;
}

void omp_init_nest_lock(omp_nest_lock_t *lock)
{
    memset(lock, 0, sizeof *lock);
    pthread_mutex_init(&nest_of(lock)->mutex, NULL);
}

void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_lock_hint_t hint)
{
    (void)hint;
    omp_init_nest_lock(lock);
}

void omp_destroy_nest_lock(omp_nest_lock_t *lock)
{
    pthread_mutex_destroy(&nest_of(lock)->mutex);
}

void omp_set_nest_lock(omp_nest_lock_t *lock)
{
    struct nest *nest = nest_of(lock);
    struct omp_task *me = __omp_self()->at.task;
    if (nest->owner != me) { /* only the owner itself can find itself there */
        pthread_mutex_lock(&nest->mutex);
        nest->owner = me;
    }
    nest->depth++;
}

void omp_unset_nest_lock(omp_nest_lock_t *lock)
{
    struct nest *nest = nest_of(lock);
    if (nest->depth == 0 || --nest->depth)
        return;
    nest->owner = NULL;
    pthread_mutex_unlock(&nest->mutex);
}

int omp_test_nest_lock(omp_nest_lock_t *lock)
{
    struct nest *nest = nest_of(lock);
    struct omp_task *me = __omp_self()->at.task;
    if (nest->owner != me) {
        if (pthread_mutex_trylock(&nest->mutex) != 0)
            return 0;
        nest->owner = me;
    }
    return ++nest->depth;
}
