/* grp.h - POSIX; the only groups are root and orrery */
#ifndef _GRP_H
#define _GRP_H

#include <sys/types.h>

struct group {
    char *gr_name, *gr_passwd;
    gid_t gr_gid;
    char **gr_mem;
};
struct group *getgrnam(const char *name);
struct group *getgrgid(gid_t group);
int getgrnam_r(const char *name, struct group *entry, char *text, size_t size, struct group **result);
int getgrgid_r(gid_t group, struct group *entry, char *text, size_t size, struct group **result);
struct group *getgrent(void);
void setgrent(void);
void endgrent(void);

#endif
