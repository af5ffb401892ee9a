/* host.h - what the VM uses of its host besides memory: a C compiler, which turns text into code that runs in this
 * process, and a directory that keeps what the compiler made.
 *
 *     VmCompiler *compiler = vm_compiler_open(NULL, NULL, &error);
 *     VmCompiled *code = vm_compiler_compile(compiler, VM_COMPILER_EXPORT "long twice(long x) { return x + x; }", ...);
 *     long (*twice)(long) = (long (*)(long))vm_compiler_symbol(code, "twice");
 *
 * The text includes no headers (the host may have none) and exports what it marks with VM_COMPILER_EXPORT. Integers
 * wrap. Floating point is IEEE, rounded to nearest, without contraction or reordering. Objects may be accessed as any
 * type, and errno is not used.
 *
 * The same text, compiler and options are compiled once: the result is kept in a directory (cache.h).
 */
#ifndef ORRERY_VM_HOST_H
#define ORRERY_VM_HOST_H

#include <glib.h>
#include <stdatomic.h>

/* Must stand before a function or object of the text that vm_compiler_symbol() should find. */
#define VM_COMPILER_EXPORT "__attribute__((visibility(\"default\"))) "

typedef struct VmCompiler VmCompiler; /* a C compiler of the host and a cache of what it made */
typedef struct VmCompiled VmCompiled; /* a loaded shared object */

/* Opens a compiler and its cache. `command`: a compiler and perhaps its first arguments, as one would type it. NULL:
 * $ORRERY_CC, or else the first of cc, gcc and clang on PATH. `cache`: a directory. NULL: $ORRERY_CACHE, or else
 * orrery/native in the user's cache directory. "": no cache. Fails if there is no such compiler. Runs nothing yet. */
VmCompiler *vm_compiler_open(const char *command, const char *cache, GError **error);
void vm_compiler_close(VmCompiler *compiler);

/* How much a compiler should optimise a text. The resulting code does the same. */
typedef enum VmCompilerEffort {
    VM_COMPILER_QUICK, /* -Og: the code is there soon */
    VM_COMPILER_FULL,  /* -O2: the code is fast */
    VM_COMPILER_EFFORTS,
    VM_COMPILER_ROUNDING = 4 /* flag beside one of these: the code obeys the host's rounding direction */
} VmCompilerEffort;

/* Takes the code from the cache or compiles it now, which takes a while. Several threads may call this at once. If
 * *cancel becomes true, a running compiler is killed and the call fails; `cancel` may be NULL. The result stays valid
 * after the compiler is closed. `subject` (NULL: nothing) stands for the text, for vm_compiler_recall(): a text that
 * differs wherever this program makes another text. */
VmCompiled *vm_compiler_compile(VmCompiler *compiler, const char *subject, const char *text, VmCompilerEffort effort,
                                const atomic_bool *cancel, GError **error);
/* Returns what an earlier compile with the same subject and effort, for this very program, has left in the cache; NULL:
 * nothing. */
VmCompiled *vm_compiler_recall(VmCompiler *compiler, const char *subject, VmCompilerEffort effort,
                               const atomic_bool *cancel);

/* Notes: data worth knowing in later runs, kept in the same cache. `subject` is a text that says what a note is
 * about. */
GBytes *vm_compiler_note(VmCompiler *compiler, const char *subject);
void vm_compiler_keep_note(VmCompiler *compiler, const char *subject, GBytes *note);

/* Returns the address of an exported function or object, or NULL. */
void *vm_compiler_symbol(VmCompiled *code, const char *name);
/* Unloads the code. No thread may be in it any more. */
void vm_compiler_unload(VmCompiled *code);

#endif
