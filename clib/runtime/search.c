/* search.c - <search.h> (POSIX): hash table, balanced binary trees, linear search, queues.
 *
 * The trees are AVL trees, so that entering sorted keys does not take quadratic time. Their shape shows only in twalk's
 * levels.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* -- hash table: open addressing, as large as asked for at the least --------------------------- */

struct orrery_hash {
    size_t capacity, limit, used;
    ENTRY entries[];
};

int hcreate_r(size_t count, struct hsearch_data *table)
{
    if (table->orrery_table)
        return 0;
    size_t capacity = 8;
    while (capacity < count + count / 2)
        capacity *= 2;
    struct orrery_hash *hash = calloc(1, sizeof *hash + capacity * sizeof(ENTRY));
    if (!hash)
        return 0;
    hash->capacity = capacity;
    hash->limit = count ? count : 1;
    table->orrery_table = hash;
    return 1;
}

void hdestroy_r(struct hsearch_data *table)
{
    free(table->orrery_table);
    table->orrery_table = 0;
}

static size_t hash_of(const char *key)
{
    size_t value = 5381;
    for (; *key; key++)
        value = value * 33 + (unsigned char)*key;
    return value ^ value >> 17;
}

int hsearch_r(ENTRY item, ACTION action, ENTRY **result, struct hsearch_data *table)
{
    struct orrery_hash *hash = table->orrery_table;
    *result = 0;
    if (!hash) {
        errno = EINVAL;
        return 0;
    }
    size_t i = hash_of(item.key) & (hash->capacity - 1);
    while (hash->entries[i].key && strcmp(hash->entries[i].key, item.key) != 0)
        i = (i + 1) & (hash->capacity - 1);
    if (!hash->entries[i].key) {
        int full = hash->used + 1 >= hash->capacity;
        if (action == FIND || full) {
            errno = action == FIND ? ESRCH : ENOMEM;
            return 0;
        }
        hash->entries[i] = item;
        hash->used++;
    }
    *result = &hash->entries[i];
    return 1;
}

static struct hsearch_data the_table;

int hcreate(size_t count)
{
    return hcreate_r(count, &the_table);
}

void hdestroy(void)
{
    hdestroy_r(&the_table);
}

ENTRY *hsearch(ENTRY item, ACTION action)
{
    ENTRY *result;
    hsearch_r(item, action, &result, &the_table);
    return result;
}

/* -- trees: AVL -------------------------------------------------------------------------------- */

struct node {
    const void *key; /* must be first, because the program may read *(void **)node */
    struct node *child[2];
    int height;
};

typedef int comparison(const void *, const void *);

static int height(const struct node *n)
{
    return n ? n->height : 0;
}

static void measure(struct node *n)
{
    int left = height(n->child[0]), right = height(n->child[1]);
    n->height = 1 + (left > right ? left : right);
}

static struct node *rotate(struct node *n, int side)
{
    struct node *top = n->child[!side];
    n->child[!side] = top->child[side];
    top->child[side] = n;
    measure(n);
    measure(top);
    return top;
}

static struct node *balance(struct node *n)
{
    measure(n);
    for (int side = 0; side < 2; side++) {
        struct node *deep = n->child[side];
        if (height(deep) <= height(n->child[!side]) + 1)
            continue;
        if (height(deep->child[!side]) > height(deep->child[side]))
            n->child[side] = rotate(deep, side);
        return rotate(n, !side);
    }
    return n;
}

static struct node *insert(struct node *n, const void *key, comparison *compare, struct node **found)
{
    if (!n) {
        *found = calloc(1, sizeof **found);
        if (*found) {
            (*found)->key = key;
            (*found)->height = 1;
        }
        return *found;
    }
    int order = compare(key, n->key);
    if (order == 0) {
        *found = n;
        return n;
    }
    n->child[order > 0] = insert(n->child[order > 0], key, compare, found);
    return balance(n);
}

void *tsearch(const void *key, void **root, comparison *compare)
{
    struct node *found = 0;
    if (!root)
        return 0;
    *root = insert(*root, key, compare, &found);
    return found;
}

void *tfind(const void *key, void *const *root, comparison *compare)
{
    struct node *n = root ? *root : 0;
    for (int order; n && (order = compare(key, n->key)) != 0;)
        n = n->child[order > 0];
    return n;
}

static struct node *take_least(struct node *n, struct node **least)
{
    if (!n->child[0]) {
        *least = n;
        return n->child[1];
    }
    n->child[0] = take_least(n->child[0], least);
    return balance(n);
}

static struct node *delete (struct node *n, const void *key, comparison *compare, struct node *parent,
                            struct node **above)
{
    if (!n)
        return 0;
    int order = compare(key, n->key);
    if (order != 0) {
        n->child[order > 0] = delete (n->child[order > 0], key, compare, n, above);
        return *above ? balance(n) : n;
    }
    *above = parent ? parent : n;
    struct node *heir = n->child[0];
    if (n->child[1]) {
        struct node *rest = take_least(n->child[1], &heir);
        heir->child[0] = n->child[0];
        heir->child[1] = rest;
        heir = balance(heir);
    }
    free(n);
    return heir;
}

void *tdelete(const void *key, void **root, comparison *compare)
{
    struct node *above = 0;
    if (root)
        *root = delete (*root, key, compare, 0, &above);
    return above;
}

static void walk(const struct node *n, void (*action)(const void *, VISIT, int), int level)
{
    if (!n->child[0] && !n->child[1]) {
        action(n, leaf, level);
        return;
    }
    action(n, preorder, level);
    if (n->child[0])
        walk(n->child[0], action, level + 1);
    action(n, postorder, level);
    if (n->child[1])
        walk(n->child[1], action, level + 1);
    action(n, endorder, level);
}

void twalk(const void *root, void (*action)(const void *node, VISIT order, int level))
{
    if (root && action)
        walk(root, action, 0);
}

static void walk_r(const struct node *n, void (*action)(const void *, VISIT, void *), void *user)
{
    if (!n->child[0] && !n->child[1]) {
        action(n, leaf, user);
        return;
    }
    action(n, preorder, user);
    if (n->child[0])
        walk_r(n->child[0], action, user);
    action(n, postorder, user);
    if (n->child[1])
        walk_r(n->child[1], action, user);
    action(n, endorder, user);
}

void twalk_r(const void *root, void (*action)(const void *node, VISIT order, void *user), void *user)
{
    if (root && action)
        walk_r(root, action, user);
}

void tdestroy(void *root, void (*release)(void *node))
{
    struct node *n = root;
    if (!n)
        return;
    tdestroy(n->child[0], release);
    tdestroy(n->child[1], release);
    release((void *)n->key);
    free(n);
}

/* -- arrays and queues ------------------------------------------------------------------------- */

void *lfind(const void *key, const void *base, size_t *count, size_t size, comparison *compare)
{
    const char *element = base;
    for (size_t i = 0; i < *count; i++, element += size)
        if (compare(key, element) == 0)
            return (void *)element;
    return 0;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, comparison *compare)
{
    void *found = lfind(key, base, count, size, compare);
    return found ? found : memcpy((char *)base + (*count)++ * size, key, size);
}

struct link {
    struct link *next, *previous;
};

void insque(void *element, void *previous)
{
    struct link *fresh = element, *before = previous;
    fresh->previous = before;
    fresh->next = before ? before->next : 0;
    if (before)
        before->next = fresh;
    if (fresh->next)
        fresh->next->previous = fresh;
}

void remque(void *element)
{
    struct link *gone = element;
    if (gone->next)
        gone->next->previous = gone->previous;
    if (gone->previous)
        gone->previous->next = gone->next;
}
