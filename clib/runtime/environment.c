/* environment.c - getenv and the like, the host's name, the working directory (POSIX). */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Returns the entry "name=" of the environment, or its end. */
static char **find(const char *name, size_t length)
{
    char **at = environ;
    while (*at && (strncmp(*at, name, length) != 0 || (*at)[length] != '='))
        at++;
    return at;
}

char *getenv(const char *name)
{
    size_t length = strlen(name);
    char *setting = environ && length ? *find(name, length) : 0;
    return setting ? setting + length + 1 : 0;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

/* Copies the environment to memory of our own, with room for one more variable. */
static char **own_environment(size_t *count)
{
    static char **own;
    *count = 0;
    while (environ && environ[*count])
        ++*count;
    char **larger = malloc((*count + 2) * sizeof *larger);
    if (!larger)
        return 0;
    if (*count)
        memcpy(larger, environ, *count * sizeof *larger);
    larger[*count] = larger[*count + 1] = 0;
    if (own && own == environ)
        free(own);
    return environ = own = larger;
}

int putenv(char *setting)
{
    char *equals = strchr(setting, '=');
    if (!equals)
        return unsetenv(setting);
    char **place = environ ? find(setting, (size_t)(equals - setting)) : 0;
    if (!place || !*place) {
        size_t count;
        if (!own_environment(&count))
            return -1;
        place = environ + count;
    }
    *place = setting;
    return 0;
}

static int bad_name(const char *name)
{
    if (name && *name && !strchr(name, '='))
        return 0;
    errno = EINVAL;
    return 1;
}

int setenv(const char *name, const char *value, int overwrite)
{
    if (bad_name(name))
        return -1;
    if (!overwrite && getenv(name))
        return 0;
    size_t length = strlen(name), value_length = strlen(value);
    char *setting = malloc(length + value_length + 2);
    if (!setting)
        return -1;
    memcpy(setting, name, length);
    setting[length] = '=';
    memcpy(setting + length + 1, value, value_length + 1);
    return putenv(setting);
}

int unsetenv(const char *name)
{
    if (bad_name(name))
        return -1;
    if (!environ)
        return 0;
    for (char **at = find(name, strlen(name)); *at; at = find(name, strlen(name)))
        for (char **next = at; *next; next++)
            next[0] = next[1];
    return 0;
}

int clearenv(void)
{
    static char *none[1];
    environ = none;
    return 0;
}

int uname(struct utsname *names)
{
    memset(names, 0, sizeof *names);
    strcpy(names->sysname, "Orrery");
    gethostname(names->nodename, sizeof names->nodename - 1);
    strcpy(names->release, "1.0");
    strcpy(names->version, "#1");
    strcpy(names->machine, "vcode");
    strcpy(names->domainname, "(none)");
    return 0;
}

int __orrery_getcwd(char *path, size_t size);

char *getcwd(char *path, size_t size)
{
    if (path)
        return __orrery_getcwd(path, size) == 0 ? path : 0;
    if (size == 0)
        size = 4096;
    path = malloc(size);
    if (path && __orrery_getcwd(path, size) != 0) {
        free(path);
        path = 0;
    }
    return path;
}

char *getwd(char *path)
{
    return getcwd(path, 4096);
}

char *get_current_dir_name(void)
{
    return getcwd(0, 0);
}

int getdomainname(char *name, size_t size)
{
    if (size < sizeof "(none)") {
        errno = EINVAL;
        return -1;
    }
    strcpy(name, "(none)");
    return 0;
}

size_t confstr(int name, char *text, size_t size)
{
    static const char path[] = "/bin:/usr/bin";
    if (name != 0) {
        errno = EINVAL;
        return 0;
    }
    if (size > 0) {
        strncpy(text, path, size - 1);
        text[size - 1] = '\0';
    }
    return sizeof path;
}

void swab(const void *from, void *to, ssize_t size)
{
    const char *source = from;
    char *target = to;
    for (; size > 1; size -= 2, source += 2, target += 2) {
        char first = source[0];
        target[0] = source[1];
        target[1] = first;
    }
}
