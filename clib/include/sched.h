/* sched.h - POSIX: scheduling of the threads of a rank, and the processors that they may use */
#ifndef _SCHED_H
#define _SCHED_H

#include <orrery_features.h>
#include <orrery_timespec.h>

typedef int pid_t;
typedef unsigned long size_t;
struct sched_param {
    int sched_priority;
};
#define SCHED_OTHER 0
#define SCHED_FIFO  1
#define SCHED_RR    2
#define SCHED_BATCH 3
#define SCHED_IDLE  5

int sched_yield(void);
int sched_get_priority_max(int policy);
int sched_get_priority_min(int policy);
int sched_getparam(pid_t process, struct sched_param *parameters);
int sched_setparam(pid_t process, const struct sched_param *parameters);
int sched_getscheduler(pid_t process);
int sched_setscheduler(pid_t process, int policy, const struct sched_param *parameters);
int sched_rr_get_interval(pid_t process, struct timespec *interval);

#ifdef __ORRERY_GNU
#define CPU_SETSIZE 1024
#define __NCPUBITS  64
typedef unsigned long __cpu_mask;
typedef struct {
    __cpu_mask __bits[CPU_SETSIZE / __NCPUBITS];
} cpu_set_t;
/* The macros evaluate their arguments once; a processor beyond the set is in none. */
#define CPU_ZERO_S(size, set)           __orrery_cpu_zero(size, set)
#define CPU_SET_S(cpu, size, set)       __orrery_cpu_change(cpu, size, set, 1)
#define CPU_CLR_S(cpu, size, set)       __orrery_cpu_change(cpu, size, set, 0)
#define CPU_ISSET_S(cpu, size, set)     __orrery_cpu_isset(cpu, size, set)
#define CPU_COUNT_S(size, set)          __orrery_cpu_count(size, set)
#define CPU_EQUAL_S(size, a, b)         (__builtin_memcmp(a, b, size) == 0)
#define CPU_AND_S(size, result, a, b)   __orrery_cpu_combine(size, result, a, b, '&')
#define CPU_OR_S(size, result, a, b)    __orrery_cpu_combine(size, result, a, b, '|')
#define CPU_XOR_S(size, result, a, b)   __orrery_cpu_combine(size, result, a, b, '^')
#define CPU_ZERO(set)                   CPU_ZERO_S(sizeof(cpu_set_t), set)
#define CPU_SET(cpu, set)               CPU_SET_S(cpu, sizeof(cpu_set_t), set)
#define CPU_CLR(cpu, set)               CPU_CLR_S(cpu, sizeof(cpu_set_t), set)
#define CPU_ISSET(cpu, set)             CPU_ISSET_S(cpu, sizeof(cpu_set_t), set)
#define CPU_COUNT(set)                  CPU_COUNT_S(sizeof(cpu_set_t), set)
#define CPU_EQUAL(a, b)                 CPU_EQUAL_S(sizeof(cpu_set_t), a, b)
#define CPU_AND(result, a, b)           CPU_AND_S(sizeof(cpu_set_t), result, a, b)
#define CPU_OR(result, a, b)            CPU_OR_S(sizeof(cpu_set_t), result, a, b)
#define CPU_XOR(result, a, b)           CPU_XOR_S(sizeof(cpu_set_t), result, a, b)
#define CPU_ALLOC_SIZE(count)           (((count) + __NCPUBITS - 1) / __NCPUBITS * sizeof(__cpu_mask))
#define CPU_ALLOC(count)                __orrery_cpu_alloc(CPU_ALLOC_SIZE(count))
#define CPU_FREE(set)                   __orrery_cpu_free(set)
void __orrery_cpu_zero(size_t size, cpu_set_t *set);
void __orrery_cpu_change(size_t cpu, size_t size, cpu_set_t *set, int member);
int __orrery_cpu_isset(size_t cpu, size_t size, const cpu_set_t *set);
int __orrery_cpu_count(size_t size, const cpu_set_t *set);
void __orrery_cpu_combine(size_t size, cpu_set_t *result, const cpu_set_t *a, const cpu_set_t *b, int operation);
cpu_set_t *__orrery_cpu_alloc(size_t size);
void __orrery_cpu_free(cpu_set_t *set);
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set);
int sched_getcpu(void);
int getcpu(unsigned *cpu, unsigned *node);
int unshare(int flags);
int clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
#endif

#endif
