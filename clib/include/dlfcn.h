/* dlfcn.h - POSIX; a simulated program is linked as a whole, so a call of the functions ends the run */
#ifndef _DLFCN_H
#define _DLFCN_H

#define RTLD_LAZY    1
#define RTLD_NOW     2
#define RTLD_GLOBAL  0x100
#define RTLD_LOCAL   0
#define RTLD_DEFAULT ((void *)0)
#define RTLD_NEXT    ((void *)-1)

typedef struct {
    const char *dli_fname;
    void *dli_fbase;
    const char *dli_sname;
    void *dli_saddr;
} Dl_info;

void *dlopen(const char *path, int mode);
int dlclose(void *library);
void *dlsym(void *library, const char *name);
char *dlerror(void);
int dladdr(const void *address, Dl_info *information);

#endif
