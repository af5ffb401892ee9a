/* sched.h - POSIX; a simulated process has one thread on one processor */
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
typedef struct {
    unsigned long orrery_bits[CPU_SETSIZE / 64];
} cpu_set_t;
#define CPU_ZERO(set)       ((void)(*(set) = (cpu_set_t){{0}}))
#define CPU_SET(cpu, set)   ((void)((set)->orrery_bits[(cpu) / 64 % 16] |= 1UL << (cpu) % 64))
#define CPU_CLR(cpu, set)   ((void)((set)->orrery_bits[(cpu) / 64 % 16] &= ~(1UL << (cpu) % 64)))
#define CPU_ISSET(cpu, set) (((set)->orrery_bits[(cpu) / 64 % 16] >> (cpu) % 64 & 1) != 0)
#define CPU_COUNT(set)      __orrery_cpu_count(set)
int __orrery_cpu_count(const cpu_set_t *set);
#define CPU_EQUAL(a, b)     (__builtin_memcmp(a, b, sizeof(cpu_set_t)) == 0)
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set);
int sched_getcpu(void);
int getcpu(unsigned *cpu, unsigned *node);
int unshare(int flags);
int clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
#endif

#endif
