/* users.c - <pwd.h>, <grp.h> (POSIX): the two users and groups of the simulated machine. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

enum { USER = 1000 };

static struct passwd users[] = {{"root", "x", 0, 0, "root", "/root", "/bin/sh"},
                                {"orrery", "x", USER, USER, "Orrery", "/home/orrery", "/bin/sh"}};
static char *no_members[] = {0};
static struct group groups[] = {{"root", "x", 0, no_members}, {"orrery", "x", USER, no_members}};
static int next_user, next_group;

struct passwd *getpwnam(const char *name)
{
    return strcmp(name, "root") == 0 ? &users[0] : strcmp(name, "orrery") == 0 ? &users[1] : 0;
}

struct passwd *getpwuid(uid_t user)
{
    return user == 0 ? &users[0] : user == USER ? &users[1] : 0;
}

static int give_user(const struct passwd *found, struct passwd *entry, struct passwd **result)
{
    *result = 0;
    if (found) {
        *entry = *found;
        *result = entry;
    }
    return 0;
}

int getpwnam_r(const char *name, struct passwd *entry, char *text, size_t size, struct passwd **result)
{
    (void)text, (void)size;
    return give_user(getpwnam(name), entry, result);
}

int getpwuid_r(uid_t user, struct passwd *entry, char *text, size_t size, struct passwd **result)
{
    (void)text, (void)size;
    return give_user(getpwuid(user), entry, result);
}

struct passwd *getpwent(void)
{
    return next_user < 2 ? &users[next_user++] : 0;
}

void setpwent(void)
{
    next_user = 0;
}

void endpwent(void)
{
    next_user = 0;
}

struct group *getgrnam(const char *name)
{
    return strcmp(name, "root") == 0 ? &groups[0] : strcmp(name, "orrery") == 0 ? &groups[1] : 0;
}

struct group *getgrgid(gid_t group)
{
    return group == 0 ? &groups[0] : group == USER ? &groups[1] : 0;
}

static int give_group(const struct group *found, struct group *entry, struct group **result)
{
    *result = 0;
    if (found) {
        *entry = *found;
        *result = entry;
    }
    return 0;
}

int getgrnam_r(const char *name, struct group *entry, char *text, size_t size, struct group **result)
{
    (void)text, (void)size;
    return give_group(getgrnam(name), entry, result);
}

int getgrgid_r(gid_t group, struct group *entry, char *text, size_t size, struct group **result)
{
    (void)text, (void)size;
    return give_group(getgrgid(group), entry, result);
}

struct group *getgrent(void)
{
    return next_group < 2 ? &groups[next_group++] : 0;
}

void setgrent(void)
{
    next_group = 0;
}

void endgrent(void)
{
    next_group = 0;
}

char *getlogin(void)
{
    return users[1].pw_name;
}

int getlogin_r(char *name, size_t size)
{
    if (size < sizeof "orrery")
        return ERANGE;
    strcpy(name, "orrery");
    return 0;
}

int getgroups(int size, gid_t list[])
{
    if (size > 0)
        list[0] = USER;
    return 1;
}

/* Changing the identity succeeds only for the present one. */
static int become(unsigned who)
{
    if (who == USER)
        return 0;
    errno = EPERM;
    return -1;
}

int setuid(uid_t user)
{
    return become(user);
}

int seteuid(uid_t user)
{
    return become(user);
}

int setgid(gid_t group)
{
    return become(group);
}

int setegid(gid_t group)
{
    return become(group);
}

int setreuid(uid_t real, uid_t effective)
{
    return real != (uid_t)-1 && become(real) != 0 ? -1 : effective != (uid_t)-1 ? become(effective) : 0;
}

int setregid(gid_t real, gid_t effective)
{
    return real != (gid_t)-1 && become(real) != 0 ? -1 : effective != (gid_t)-1 ? become(effective) : 0;
}

int getresuid(uid_t *real, uid_t *effective, uid_t *saved)
{
    *real = *effective = *saved = USER;
    return 0;
}

int getresgid(gid_t *real, gid_t *effective, gid_t *saved)
{
    *real = *effective = *saved = USER;
    return 0;
}
