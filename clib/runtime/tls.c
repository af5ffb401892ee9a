/* tls.c - objects of which each thread has a copy (_Thread_local, threadprivate): finds the copy of the thread that
 * asks.
 *
 * The thread that runs main() has the object itself. Another thread has a table with the addresses of its copies, by
 * the numbers of the objects; it makes a copy when it first asks for it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "threads_abi.h"

struct __orrery_tls_object { /* as compiler/sema/thread_storage.c makes it */
    unsigned long size, align;
    const void *image; /* 0: zeros */
    void *first;       /* the copy of the thread that runs main() */
    unsigned long number;
};

struct table {
    unsigned long count;
    void *copies[];
};

void *__orrery_tls(void); /* a word that belongs to the thread */
void __orrery_set_tls(void *table);

static unsigned long n_objects;
static pthread_key_t key; /* its destructor frees the copies of a thread that ends */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_table(void *ended)
{
    struct table *table = ended;
    for (unsigned long i = 0; i < table->count; i++)
        free(table->copies[i]);
    free(table);
    __orrery_set_tls(0);
}

static void make_key(void)
{
    if (pthread_key_create(&key, free_table))
        abort();
}

static struct table *grow(struct table *table, unsigned long number)
{
    unsigned long old = table ? table->count : 0, count = number + number / 2 + 8;
    struct table *more = realloc(table, sizeof *more + count * sizeof *more->copies);
    if (!more)
        abort();
    memset(more->copies + old, 0, (count - old) * sizeof *more->copies);
    more->count = count;
    __orrery_set_tls(more);
    if (pthread_setspecific(key, more))
        abort();
    return more;
}

static void *make_copy(struct __orrery_tls_object *object)
{
    struct table *table = __orrery_tls();
    pthread_once(&once, make_key);
    if (object->number == 0)
        object->number = ++n_objects;
    if (!table || object->number >= table->count)
        table = grow(table, object->number);
    void **copy = &table->copies[object->number];
    if (*copy)
        return *copy;
    *copy = aligned_alloc(object->align < 16 ? 16 : object->align, (object->size + 63) / 64 * 64);
    if (!*copy)
        abort();
    if (object->image)
        memcpy(*copy, object->image, object->size);
    else
        memset(*copy, 0, object->size);
    return *copy;
}

/* Compiled code calls it at each use of such an object. */
void *__orrery_tls_address(struct __orrery_tls_object *object)
{
    struct table *table = __orrery_tls();
    if (table && object->number && object->number < table->count &&
        __ORRERY_NOTE(table->copies[object->number], __ORRERY_OWNS))
        return __ORRERY_NOTE(table->copies[object->number], __ORRERY_OWNS);
    return __orrery_thread_self() == 1 ? __ORRERY_NOTE(object->first, __ORRERY_OWNS) : make_copy(object);
}
