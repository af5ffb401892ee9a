/* build.h - makes programs from C files, objects and archives.
 *
 *   languages.c  language of a file, by its name       files.c     kind of a file, by its content
 *   compiled.c   objects of sources that were compiled before
 *   build.c      compiling and linking                 archive.c   static libraries
 *   link_set.c   the objects of a link, and archives that supply more
 */
#ifndef ORRERY_CLI_BUILD_H
#define ORRERY_CLI_BUILD_H

#include "cli/base/base.h"
#include "compiler/compiler.h"
#include "vcode/vcode.h"

/* -- languages (languages.c) ------------------------------------------------------------------- */

typedef enum CliLanguage {
    CLI_LANGUAGE_BY_NAME, /* -x none */
    CLI_LANGUAGE_C,
    CLI_LANGUAGE_HEADER,       /* compiled by itself, only to check it */
    CLI_LANGUAGE_PREPROCESSED, /* .i */
    CLI_LANGUAGE_LINKER,       /* an object, archive or library by its path */
    CLI_LANGUAGE_LIBRARY,      /* -lNAME */
    CLI_LANGUAGE_OTHER,        /* a language that Orrery does not compile */
} CliLanguage;

/* Returns the language by the ending of the name. For CLI_LANGUAGE_OTHER, *other becomes its name. */
CliLanguage cli_language_of(const char *name, const char **other);
/* Returns "C++" for a name that ends in .cpp, and so on. NULL: by its name the file may be C, or a program. */
const char *cli_language_other(const char *name);

/* -- files (files.c) --------------------------------------------------------------------------- */

/* Checks that a file exists and is no directory. Returns false with an error. */
bool cli_file_check(const char *path, GError **error);
/* Returns the kind of a file by its content. For CLI_FILE_FOREIGN, *what becomes a description. */
typedef enum CliFileKind { CLI_FILE_VCODE, CLI_FILE_ARCHIVE, CLI_FILE_FOREIGN } CliFileKind;
CliFileKind cli_file_kind(const char *path, const char **what);
/* Returns whether the name is that of a C source. */
bool cli_file_is_source(const char *path);
/* Returns how many elements of argv[0..argc) make the program: the first one and, if it is an input, all inputs that
 * follow it directly. */
int cli_file_count_inputs(int argc, char **argv);
/* Returns a description of the content for messages, like "LLVM bitcode, made by another compiler". */
const char *cli_file_describe(const char *bytes, gsize size);
/* Returns whether a file of this name takes part in linking: a source, an object, an archive. */
bool cli_file_is_input(const char *path);

/* -- programs (build.c) ------------------------------------------------------------------------ */

typedef struct CliBuild {
    CcOptions compile;           /* cpp_flags is set from `flags` for each file */
    GPtrArray *flags;            /* flags of the preprocessor */
    GPtrArray *preprocess_flags; /* flags of the preprocessor that only -E takes */
    char *depend, *depend_file;  /* value of -MD or -MMD; value of -MF */
    GPtrArray *wrapped;          /* names given by --wrap */
    GPtrArray *libraries;        /* paths of shared libraries that have been added */
    bool undefined_is_warning;   /* --warn-unresolved-symbols */
    bool first_definition_wins;  /* --allow-multiple-definition */
    bool no_runtime;             /* -nostdlib */
    struct LinkSet *set;         /* the objects to link, and archives (link_set.c) */
} CliBuild;
void cli_build_init(CliBuild *build);
void cli_build_clear(CliBuild *build);
/* Compiles one C file; "-" reads standard input. */
VcodeModule *cli_build_compile(CliBuild *build, const char *path, GError **error);
/* Returns the output of the preprocessor. The caller frees it with g_free(). */
char *cli_build_preprocess(CliBuild *build, const char *path, gsize *size, GError **error);
/* Adds an object, or an archive whose members are linked as needed. `whole`: all its members are. */
bool cli_build_add_file(CliBuild *build, const char *path, bool whole, GError **error);
/* Adds an object and takes it. */
void cli_build_add_module(CliBuild *build, VcodeModule *object);
/* Adds a name that the program needs although nothing refers to it. */
void cli_build_need(CliBuild *build, const char *name);
/* Links what was added with the runtime library. Returns the program, or NULL with an error. */
VcodeModule *cli_build_link(CliBuild *build, GError **error);
/* Joins what was added to one object (-r), or to one that serves as a shared library (-shared). */
VcodeModule *cli_build_join(CliBuild *build, bool shared, GError **error);
/* Makes a program from `n` paths: sources, objects, or one program that `orrery cc` made. */
VcodeModule *cli_build_program(CliBuild *build, char **paths, int n, GError **error);
/* Returns the program as the bytes of its file, for vcode_file_read_bytes(). The caller frees them with g_free(). */
char *cli_build_program_bytes(const VcodeModule *module, gsize *size);

#endif
