/* sys/vfs.h - Linux; a call of the functions ends the run */
#ifndef _SYS_VFS_H
#define _SYS_VFS_H

struct statfs {
    long f_type, f_bsize;
    unsigned long f_blocks, f_bfree, f_bavail, f_files, f_ffree;
    long f_namelen, f_frsize, f_flags;
};
int statfs(const char *path, struct statfs *state);
int fstatfs(int descriptor, struct statfs *state);

#endif
