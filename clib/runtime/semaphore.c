/* semaphore.c - POSIX semaphores: errno, and the names of named ones, which only this process knows. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int __orrery_sem_wait(sem_t *semaphore);
int __orrery_sem_clockwait(sem_t *semaphore, int clock, const struct timespec *until);
int __orrery_sem_trywait(sem_t *semaphore);
int __orrery_sem_post(sem_t *semaphore);
int __orrery_sem_destroy(sem_t *semaphore);

static int outcome(int error)
{
    if (error)
        errno = error;
    return error ? -1 : 0;
}

int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    if (value > SEM_VALUE_MAX)
        return outcome(EINVAL);
    memset(semaphore, 0, sizeof *semaphore);
    semaphore->orrery_state.orrery_value = value;
    semaphore->orrery_state.orrery_shared = shared != 0;
    return 0;
}

int sem_destroy(sem_t *semaphore)
{
    return outcome(__orrery_sem_destroy(semaphore));
}

int sem_wait(sem_t *semaphore)
{
    return outcome(__orrery_sem_wait(semaphore));
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
    return outcome(__orrery_sem_clockwait(semaphore, 0, until));
}

int sem_clockwait(sem_t *semaphore, int clock, const struct timespec *until)
{
    return outcome(__orrery_sem_clockwait(semaphore, clock, until));
}

int sem_trywait(sem_t *semaphore)
{
    return outcome(__orrery_sem_trywait(semaphore));
}

int sem_post(sem_t *semaphore)
{
    return outcome(__orrery_sem_post(semaphore));
}

int sem_getvalue(sem_t *semaphore, int *value)
{
    *value = (int)semaphore->orrery_state.orrery_value;
    return 0;
}

/* -- named semaphores -------------------------------------------------------------------------- */

struct named {
    struct named *next;
    sem_t semaphore;
    int opened;   /* how often, without closing */
    int unlinked; /* the name is gone */
    char name[];
};

static struct named *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct named *find(const char *name)
{
    struct named *named = all;
    while (named && (named->unlinked || strcmp(named->name, name) != 0))
        named = named->next;
    return named;
}

static struct named *make(const char *name, unsigned value)
{
    struct named *named = value <= SEM_VALUE_MAX ? calloc(1, sizeof *named + strlen(name) + 1) : 0;
    if (!named) {
        errno = value > SEM_VALUE_MAX ? EINVAL : ENOMEM;
        return 0;
    }
    strcpy(named->name, name);
    sem_init(&named->semaphore, 1, value);
    named->next = all;
    all = named;
    return named;
}

sem_t *sem_open(const char *name, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    unsigned value = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    (void)mode;
    while (*name == '/')
        name++;
    if (!*name || strchr(name, '/') || strlen(name) > 251) {
        errno = strlen(name) > 251 ? ENAMETOOLONG : EINVAL;
        return SEM_FAILED;
    }
    pthread_mutex_lock(&lock);
    struct named *named = find(name);
    if (named && flags & O_CREAT && flags & O_EXCL) {
        errno = EEXIST;
        named = 0;
    } else if (!named && !(flags & O_CREAT)) {
        errno = ENOENT;
    } else if (!named) {
        named = make(name, value);
    }
    if (named)
        named->opened++;
    pthread_mutex_unlock(&lock);
    return named ? &named->semaphore : SEM_FAILED;
}

/* A semaphore without name goes with its last user. */
static void drop(struct named *named)
{
    struct named **link = &all;
    if (named->opened || !named->unlinked)
        return;
    while (*link != named)
        link = &(*link)->next;
    *link = named->next;
    free(named);
}

int sem_close(sem_t *semaphore)
{
    pthread_mutex_lock(&lock);
    struct named *named = all;
    while (named && &named->semaphore != semaphore)
        named = named->next;
    int error = named && named->opened ? 0 : EINVAL;
    if (!error) {
        named->opened--;
        drop(named);
    }
    pthread_mutex_unlock(&lock);
    return outcome(error);
}

int sem_unlink(const char *name)
{
    while (*name == '/')
        name++;
    pthread_mutex_lock(&lock);
    struct named *named = find(name);
    if (named) {
        named->unlinked = 1;
        drop(named);
    }
    pthread_mutex_unlock(&lock);
    return outcome(named ? 0 : strlen(name) > 251 ? ENAMETOOLONG : ENOENT);
}
