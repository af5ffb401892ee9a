/* cpu_sets.c - the functions behind the CPU_ macros of <sched.h>: sets of processors, of any size in bytes. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <string.h>

void __orrery_cpu_zero(size_t size, cpu_set_t *set)
{
    memset(set, 0, size);
}

void __orrery_cpu_change(size_t cpu, size_t size, cpu_set_t *set, int member)
{
    __cpu_mask bit = 1UL << cpu % __NCPUBITS;
    if (cpu / 8 >= size)
        return;
    if (member)
        set->__bits[cpu / __NCPUBITS] |= bit;
    else
        set->__bits[cpu / __NCPUBITS] &= ~bit;
}

int __orrery_cpu_isset(size_t cpu, size_t size, const cpu_set_t *set)
{
    return cpu / 8 < size && (set->__bits[cpu / __NCPUBITS] >> cpu % __NCPUBITS & 1);
}

int __orrery_cpu_count(size_t size, const cpu_set_t *set)
{
    int count = 0;
    for (size_t i = 0; i < size / sizeof(__cpu_mask); i++)
        count += __builtin_popcountl(set->__bits[i]);
    return count;
}

void __orrery_cpu_combine(size_t size, cpu_set_t *result, const cpu_set_t *a, const cpu_set_t *b, int operation)
{
    for (size_t i = 0; i < size / sizeof(__cpu_mask); i++) {
        __cpu_mask x = a->__bits[i], y = b->__bits[i];
        result->__bits[i] = operation == '&' ? x & y : operation == '|' ? x | y : x ^ y;
    }
}

cpu_set_t *__orrery_cpu_alloc(size_t size)
{
    return malloc(size);
}

void __orrery_cpu_free(cpu_set_t *set)
{
    free(set);
}
