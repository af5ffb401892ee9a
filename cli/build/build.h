/* build.h - from C files, objects and archives to a program.
 *
 *   languages.c  what a file is by its name            files.c     what it is by its content
 *   build.c      compiling and linking                 archive.c   static libraries
 *   link_set.c   objects, and the archives that they draw on
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
    CLI_LANGUAGE_HEADER,       /* compiled by itself only to see whether it is right */
    CLI_LANGUAGE_PREPROCESSED, /* .i */
    CLI_LANGUAGE_LINKER,       /* an object, archive or library by its path */
    CLI_LANGUAGE_LIBRARY,      /* -lNAME */
    CLI_LANGUAGE_OTHER,        /* a language that is not compiled here */
} CliLanguage;

/* By the ending of the name; CLI_LANGUAGE_OTHER: *other says which. */
CliLanguage cli_language_of(const char *name, const char **other);
/* "C++" for a name that ends in .cpp, and so on; NULL: by its name it may be C, or a program. */
const char *cli_language_other(const char *name);

/* -- files (files.c) --------------------------------------------------------------------------- */

/* Does it look like a file we can run at all? Says so if not. */
bool cli_file_check(const char *path, GError **error);
/* What a file is, by its content; *what: in words, if it is not ours. */
typedef enum CliFileKind { CLI_FILE_VCODE, CLI_FILE_ARCHIVE, CLI_FILE_FOREIGN } CliFileKind;
CliFileKind cli_file_kind(const char *path, const char **what);
/* Whether the name is one of a C source. */
bool cli_file_is_source(const char *path);
/* How many of argv[0..argc) make the program: the first argument, and with it all further ones that are inputs. */
int cli_file_count_inputs(int argc, char **argv);
/* What a file with this content is, for messages: "LLVM bitcode, made by another compiler". */
const char *cli_file_describe(const char *bytes, gsize size);
/* Whether the file of this name takes part in linking: a source, an object, an archive. */
bool cli_file_is_input(const char *path);

/* -- programs (build.c) ------------------------------------------------------------------------ */

typedef struct CliBuild {
    CcOptions compile;           /* cpp_flags: see flags */
    GPtrArray *flags;            /* of the preprocessor */
    GPtrArray *preprocess_flags; /* those that only -E takes */
    char *depend, *depend_file;  /* -MD or -MMD; -MF */
    GPtrArray *wrapped;          /* --wrap */
    GPtrArray *libraries;        /* paths of shared libraries that have been added */
    bool undefined_is_warning;   /* --warn-unresolved-symbols */
    bool first_definition_wins;  /* --allow-multiple-definition */
    bool no_runtime;             /* -nostdlib */
    struct LinkSet *set;         /* objects and archives (link_set.c) */
} CliBuild;
void cli_build_init(CliBuild *build);
void cli_build_clear(CliBuild *build);
/* Compiles one C file; "-" reads standard input. */
VcodeModule *cli_build_compile(CliBuild *build, const char *path, GError **error);
/* The preprocessor's output. */
char *cli_build_preprocess(CliBuild *build, const char *path, gsize *size, GError **error);
/* Adds an object, or an archive to be drawn on; `whole`: all members of it. */
bool cli_build_add_file(CliBuild *build, const char *path, bool whole, GError **error);
/* Adds an object, and owns it from now on. */
void cli_build_add_module(CliBuild *build, VcodeModule *object);
/* A name that shall be in the program though nobody refers to it. */
void cli_build_need(CliBuild *build, const char *name);
/* Links what was added with the runtime library. */
VcodeModule *cli_build_link(CliBuild *build, GError **error);
/* Joins what was added to one object (-r), or to one that serves as a shared library (-shared). */
VcodeModule *cli_build_join(CliBuild *build, bool shared, GError **error);
/* A program from `n` paths: sources, objects, or one program that `orrery cc` made. */
VcodeModule *cli_build_program(CliBuild *build, char **paths, int n, GError **error);
/* The program as the bytes of its file, for vcode_file_read_bytes(); g_free. */
char *cli_build_program_bytes(const VcodeModule *module, gsize *size, GError **error);

#endif
