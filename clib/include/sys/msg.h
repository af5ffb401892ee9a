/* sys/msg.h - System V message queues; a call of the functions ends the run */
#ifndef _SYS_MSG_H
#define _SYS_MSG_H

#include <sys/ipc.h>

struct msqid_ds {
    struct ipc_perm msg_perm;
    unsigned long msg_qnum, msg_qbytes;
};
struct msgbuf {
    long mtype;
    char mtext[1];
};
int msgget(key_t key, int flags);
int msgsnd(int queue, const void *message, size_t size, int flags);
ssize_t msgrcv(int queue, void *message, size_t size, long type, int flags);
int msgctl(int queue, int command, struct msqid_ds *state);

#endif
