/* threads.c - C11 threads (7.26) on top of POSIX threads. */
#include <errno.h>
#include <threads.h>

static int outcome(int error)
{
    switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    default: return thrd_error;
    }
}

int thrd_equal(thrd_t a, thrd_t b)
{
    return a == b;
}

thrd_t thrd_current(void)
{
    return pthread_self();
}

/* -1: a signal has ended the sleep; another negative number: a failure. */
int thrd_sleep(const struct timespec *duration, struct timespec *remaining)
{
    int before = errno, failed = nanosleep(duration, remaining) != 0;
    int result = !failed ? 0 : errno == EINTR ? -1 : -2;
    errno = before;
    return result;
}

void thrd_yield(void)
{
    sched_yield();
}

void thrd_exit(int result)
{
    pthread_exit((void *)(long)result);
}

int thrd_detach(thrd_t thread)
{
    return outcome(pthread_detach(thread));
}

int thrd_join(thrd_t thread, int *result)
{
    void *value = 0;
    int error = pthread_join(thread, &value);
    if (!error && result)
        *result = (int)(long)value;
    return outcome(error);
}

int mtx_init(mtx_t *mutex, int type)
{
    pthread_mutexattr_t attributes;
    if (type & ~(mtx_recursive | mtx_timed))
        return thrd_error;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    return outcome(pthread_mutex_init(mutex, &attributes));
}

int mtx_lock(mtx_t *mutex)
{
    return outcome(pthread_mutex_lock(mutex));
}

int mtx_timedlock(mtx_t *mutex, const struct timespec *until)
{
    return outcome(pthread_mutex_timedlock(mutex, until));
}

int mtx_trylock(mtx_t *mutex)
{
    return outcome(pthread_mutex_trylock(mutex));
}

int mtx_unlock(mtx_t *mutex)
{
    return outcome(pthread_mutex_unlock(mutex));
}

void mtx_destroy(mtx_t *mutex)
{
    pthread_mutex_destroy(mutex);
}

void call_once(once_flag *flag, void (*function)(void))
{
    pthread_once(flag, function);
}

int cnd_init(cnd_t *condition)
{
    return outcome(pthread_cond_init(condition, 0));
}

int cnd_signal(cnd_t *condition)
{
    return outcome(pthread_cond_signal(condition));
}

int cnd_broadcast(cnd_t *condition)
{
    return outcome(pthread_cond_broadcast(condition));
}

int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    return outcome(pthread_cond_wait(condition, mutex));
}

int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until)
{
    return outcome(pthread_cond_timedwait(condition, mutex, until));
}

void cnd_destroy(cnd_t *condition)
{
    pthread_cond_destroy(condition);
}

int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return outcome(pthread_key_create(key, destructor));
}

void *tss_get(tss_t key)
{
    return pthread_getspecific(key);
}

int tss_set(tss_t key, void *value)
{
    return outcome(pthread_setspecific(key, value));
}

void tss_delete(tss_t key)
{
    pthread_key_delete(key);
}
