/* sys/shm.h - System V shared memory; ranks share none, so a call of the functions ends the run */
#ifndef _SYS_SHM_H
#define _SYS_SHM_H

#include <sys/ipc.h>

#define SHM_RDONLY 010000
#define SHM_RND    020000
struct shmid_ds {
    struct ipc_perm shm_perm;
    size_t shm_segsz;
    time_t shm_atime, shm_dtime, shm_ctime;
    pid_t shm_cpid, shm_lpid;
    unsigned long shm_nattch;
};
int shmget(key_t key, size_t size, int flags);
void *shmat(int segment, const void *address, int flags);
int shmdt(const void *address);
int shmctl(int segment, int command, struct shmid_ds *state);

#endif
