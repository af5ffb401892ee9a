/* sort.c - qsort and bsearch (C11 7.22.5).
 *
 * qsort is a top-down merge sort, as in glibc. Equal elements keep their order, and the comparison function is called
 * for the same pairs, so a program that counts or prints its comparisons sees the same. Elements of up to 32 bytes are
 * merged themselves, larger ones through pointers. If the heap has no room for the merge buffer, a heap sort in place
 * is used.
 */
#include <stdlib.h>
#include <string.h>

typedef int plain_comparison(const void *, const void *);
typedef int user_comparison(const void *, const void *, void *);

struct sorter {
    size_t size;
    plain_comparison *plain;  /* comparison function of qsort, or 0 */
    user_comparison *compare; /* comparison function of qsort_r */
    void *user;
    char *buffer;
};

#define ORDER(sorter, a, b) ((sorter)->plain ? (sorter)->plain(a, b) : (sorter)->compare(a, b, (sorter)->user))

static void merge_sort(const struct sorter *sorter, char *base, size_t count)
{
    if (count <= 1)
        return;
    size_t size = sorter->size;
    size_t left_count = count / 2, right_count = count - left_count;
    char *left = base, *right = base + left_count * size, *to = sorter->buffer;
    merge_sort(sorter, left, left_count);
    merge_sort(sorter, right, right_count);
    while (left_count > 0 && right_count > 0) {
        if (ORDER(sorter, left, right) <= 0) {
            memcpy(to, left, size);
            left += size;
            left_count--;
        } else {
            memcpy(to, right, size);
            right += size;
            right_count--;
        }
        to += size;
    }
    if (left_count > 0)
        memcpy(to, left, left_count * size);
    memcpy(base, sorter->buffer, (count - right_count) * size);
}

/* The merge sort on pointers to elements, which can be moved without a call. */
static void merge_sort_pointers(const struct sorter *sorter, char **base, size_t count)
{
    if (count <= 1)
        return;
    size_t left_count = count / 2, right_count = count - left_count;
    char **left = base, **right = base + left_count, **to = (char **)sorter->buffer;
    merge_sort_pointers(sorter, left, left_count);
    merge_sort_pointers(sorter, right, right_count);
    while (left_count > 0 && right_count > 0) {
        if (ORDER(sorter, *left, *right) <= 0) {
            *to++ = *left++;
            left_count--;
        } else {
            *to++ = *right++;
            right_count--;
        }
    }
    while (left_count-- > 0)
        *to++ = *left++;
    memcpy(base, sorter->buffer, (count - right_count) * sizeof *base);
}

/* Puts the elements in the order of the sorted pointers, cycle by cycle. */
static void permute(char *base, char **sorted, size_t count, size_t size, char *spare)
{
    for (size_t i = 0; i < count; i++) {
        if (sorted[i] == base + i * size)
            continue;
        size_t hole = i;
        memcpy(spare, base + i * size, size);
        for (;;) {
            size_t from = (size_t)(sorted[hole] - base) / size;
            sorted[hole] = base + hole * size;
            if (from == i)
                break;
            memcpy(base + hole * size, base + from * size, size);
            hole = from;
        }
        memcpy(base + hole * size, spare, size);
    }
}

static int sort_large(struct sorter *sorter, char *base, size_t count)
{
    char *memory = malloc(count * 2 * sizeof(char *) + sorter->size);
    if (!memory)
        return 0;
    char **sorted = (char **)memory;
    for (size_t i = 0; i < count; i++)
        sorted[i] = base + i * sorter->size;
    sorter->buffer = memory + count * sizeof(char *);
    merge_sort_pointers(sorter, sorted, count);
    permute(base, sorted, count, sorter->size, memory + count * 2 * sizeof(char *));
    free(memory);
    return 1;
}

static int sort_small(struct sorter *sorter, char *base, size_t count)
{
    char local[1024];
    char *memory = count * sorter->size <= sizeof local ? local : malloc(count * sorter->size);
    if (!memory)
        return 0;
    sorter->buffer = memory;
    merge_sort(sorter, base, count);
    if (memory != local)
        free(memory);
    return 1;
}

static void swap(char *a, char *b, size_t size)
{
    while (size-- > 0) {
        char byte = *a;
        *a++ = *b;
        *b++ = byte;
    }
}

static void sift(const struct sorter *sorter, char *base, size_t root, size_t count)
{
    size_t size = sorter->size;
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && ORDER(sorter, base + child * size, base + (child + 1) * size) < 0)
            child++;
        if (ORDER(sorter, base + root * size, base + child * size) >= 0)
            return;
        swap(base + root * size, base + child * size, size);
    }
}

static void heap_sort(const struct sorter *sorter, char *base, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift(sorter, base, i, count);
    while (count-- > 1) {
        swap(base, base + count * sorter->size, sorter->size);
        sift(sorter, base, 0, count);
    }
}

static void sort(struct sorter *sorter, char *base, size_t count)
{
    if (count < 2 || sorter->size == 0)
        return;
    if (!(sorter->size > 32 ? sort_large(sorter, base, count) : sort_small(sorter, base, count)))
        heap_sort(sorter, base, count);
}

void qsort(void *base, size_t count, size_t size, plain_comparison *compare)
{
    struct sorter sorter = {size, compare, 0, 0, 0};
    sort(&sorter, base, count);
}

void qsort_r(void *base, size_t count, size_t size, user_comparison *compare, void *user)
{
    struct sorter sorter = {size, 0, compare, user, 0};
    sort(&sorter, base, count);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else
            return (void *)element;
    }
    return 0;
}
