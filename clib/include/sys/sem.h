/* sys/sem.h - System V semaphores; a call of the functions ends the run */
#ifndef _SYS_SEM_H
#define _SYS_SEM_H

#include <sys/ipc.h>

#define SEM_UNDO 0x1000
#define GETVAL   12
#define GETALL   13
#define SETVAL   16
#define SETALL   17
struct sembuf {
    unsigned short sem_num;
    short sem_op, sem_flg;
};
int semget(key_t key, int count, int flags);
int semop(int set, struct sembuf *operations, size_t count);
int semctl(int set, int number, int command, ...);

#endif
