/* malloc.h - malloc and its family */
#ifndef _MALLOC_H
#define _MALLOC_H

#include <stdio.h>
#include <stdlib.h>

struct mallinfo {
    int arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};
struct mallinfo2 {
    size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};
#define M_MXFAST         1
#define M_TRIM_THRESHOLD (-1)
#define M_TOP_PAD        (-2)
#define M_MMAP_THRESHOLD (-3)
#define M_MMAP_MAX       (-4)

void *memalign(size_t alignment, size_t size);
void *pvalloc(size_t size);
void *valloc(size_t size);
size_t malloc_usable_size(void *block);
struct mallinfo mallinfo(void);
struct mallinfo2 mallinfo2(void);
int mallopt(int parameter, int value);
int malloc_trim(size_t pad);
void malloc_stats(void);

#endif
