/* languages.c - the language of a file, by the ending of its name. */
#include "cli/build/build.h"

#include <string.h>

/* Files with none of these endings are for the linker, which looks into them. */
static const struct {
    const char *suffix;
    CliLanguage language;
    const char *other;
} languages[] = {
    {".c", CLI_LANGUAGE_C, NULL},
    {".i", CLI_LANGUAGE_PREPROCESSED, NULL},
    {".h", CLI_LANGUAGE_HEADER, NULL},
    {".s", CLI_LANGUAGE_OTHER, "assembly"},
    {".S", CLI_LANGUAGE_OTHER, "assembly"},
    {".sx", CLI_LANGUAGE_OTHER, "assembly"},
    {".asm", CLI_LANGUAGE_OTHER, "assembly"},
    {".cc", CLI_LANGUAGE_OTHER, "C++"},
    {".cp", CLI_LANGUAGE_OTHER, "C++"},
    {".cxx", CLI_LANGUAGE_OTHER, "C++"},
    {".cpp", CLI_LANGUAGE_OTHER, "C++"},
    {".CPP", CLI_LANGUAGE_OTHER, "C++"},
    {".c++", CLI_LANGUAGE_OTHER, "C++"},
    {".C", CLI_LANGUAGE_OTHER, "C++"},
    {".ii", CLI_LANGUAGE_OTHER, "C++"},
    {".hh", CLI_LANGUAGE_OTHER, "C++"},
    {".hpp", CLI_LANGUAGE_OTHER, "C++"},
    {".hxx", CLI_LANGUAGE_OTHER, "C++"},
    {".f", CLI_LANGUAGE_OTHER, "Fortran"},
    {".F", CLI_LANGUAGE_OTHER, "Fortran"},
    {".for", CLI_LANGUAGE_OTHER, "Fortran"},
    {".f77", CLI_LANGUAGE_OTHER, "Fortran"},
    {".f90", CLI_LANGUAGE_OTHER, "Fortran"},
    {".F90", CLI_LANGUAGE_OTHER, "Fortran"},
    {".f95", CLI_LANGUAGE_OTHER, "Fortran"},
    {".f03", CLI_LANGUAGE_OTHER, "Fortran"},
    {".f08", CLI_LANGUAGE_OTHER, "Fortran"},
    {".cu", CLI_LANGUAGE_OTHER, "CUDA"},
    {".m", CLI_LANGUAGE_OTHER, "Objective-C"},
    {".mm", CLI_LANGUAGE_OTHER, "Objective-C++"},
    {".go", CLI_LANGUAGE_OTHER, "Go"},
    {".d", CLI_LANGUAGE_OTHER, "D"},
    {".adb", CLI_LANGUAGE_OTHER, "Ada"},
    {".ads", CLI_LANGUAGE_OTHER, "Ada"},
};

CliLanguage cli_language_of(const char *name, const char **other)
{
    const char *slash = strrchr(name, '/');
    const char *dot = strrchr(slash ? slash : name, '.');
    for (size_t i = 0; dot && i < G_N_ELEMENTS(languages); i++) {
        if (strcmp(languages[i].suffix, dot) == 0) {
            *other = languages[i].other;
            return languages[i].language;
        }
    }
    return CLI_LANGUAGE_LINKER;
}

const char *cli_language_other(const char *name)
{
    const char *other = NULL;
    return cli_language_of(name, &other) == CLI_LANGUAGE_OTHER ? other : NULL;
}
