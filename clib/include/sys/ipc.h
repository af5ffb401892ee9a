/* sys/ipc.h - System V */
#ifndef _SYS_IPC_H
#define _SYS_IPC_H

#include <sys/types.h>

#define IPC_CREAT   01000
#define IPC_EXCL    02000
#define IPC_NOWAIT  04000
#define IPC_RMID    0
#define IPC_SET     1
#define IPC_STAT    2
#define IPC_PRIVATE ((key_t)0)

struct ipc_perm {
    key_t key;
    uid_t uid, cuid;
    gid_t gid, cgid;
    mode_t mode;
};
key_t ftok(const char *path, int project);

#endif
