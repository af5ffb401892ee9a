/* search.h - POSIX: hash table, binary trees, linear search, queues */
#ifndef _SEARCH_H
#define _SEARCH_H

#include <orrery_features.h>

typedef unsigned long size_t;
typedef struct entry {
    char *key;
    void *data;
} ENTRY;
typedef enum { FIND, ENTER } ACTION;
typedef enum { preorder, postorder, endorder, leaf } VISIT;

int hcreate(size_t count);
void hdestroy(void);
ENTRY *hsearch(ENTRY item, ACTION action);
void insque(void *element, void *previous);
void remque(void *element);
void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *));
void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *));
void *tdelete(const void *key, void **root, int (*compare)(const void *, const void *));
void *tfind(const void *key, void *const *root, int (*compare)(const void *, const void *));
void *tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
void twalk(const void *root, void (*action)(const void *node, VISIT order, int level));
#ifdef __ORRERY_GNU
typedef int (*__compar_fn_t)(const void *, const void *);
struct hsearch_data {
    struct orrery_hash *orrery_table;
};
int hcreate_r(size_t count, struct hsearch_data *table);
void hdestroy_r(struct hsearch_data *table);
int hsearch_r(ENTRY item, ACTION action, ENTRY **result, struct hsearch_data *table);
void tdestroy(void *root, void (*release)(void *node));
void twalk_r(const void *root, void (*action)(const void *node, VISIT order, void *user), void *user);
struct qelem {
    struct qelem *q_forw, *q_back;
    char q_data[1];
};
#endif

#endif
