/* spawn.h - POSIX; a simulated rank cannot start processes, so a call of the functions ends the run */
#ifndef _SPAWN_H
#define _SPAWN_H

#include <sys/types.h>

typedef struct {
    int orrery_unused;
} posix_spawnattr_t;
typedef struct {
    int orrery_unused;
} posix_spawn_file_actions_t;

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]);
int posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int descriptor, int copy);
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int descriptor);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *actions, int descriptor, const char *path, int flags,
                                     mode_t mode);
int posix_spawnattr_init(posix_spawnattr_t *attributes);
int posix_spawnattr_destroy(posix_spawnattr_t *attributes);

#endif
