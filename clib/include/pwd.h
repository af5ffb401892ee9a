/* pwd.h - POSIX; the only users are root and orrery, who runs everything */
#ifndef _PWD_H
#define _PWD_H

#include <sys/types.h>

struct passwd {
    char *pw_name, *pw_passwd;
    uid_t pw_uid;
    gid_t pw_gid;
    char *pw_gecos, *pw_dir, *pw_shell;
};
struct passwd *getpwnam(const char *name);
struct passwd *getpwuid(uid_t user);
int getpwnam_r(const char *name, struct passwd *entry, char *text, size_t size, struct passwd **result);
int getpwuid_r(uid_t user, struct passwd *entry, char *text, size_t size, struct passwd **result);
struct passwd *getpwent(void);
void setpwent(void);
void endpwent(void);

#endif
