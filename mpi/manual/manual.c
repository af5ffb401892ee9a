/* manual.c - looks up what functions and parameters of MPI mean, and makes the texts of forms out of those of the
 * functions that they are forms of: MPI_Isend out of MPI_Send.
 */
#include "mpi/mpi_world.h"

#include <glib.h>
#include <string.h>

typedef struct Text {
    const char *name, *text;
} Text;

static const Text functions[] = {
#define MANUAL(name, text) {#name, text},
#include "mpi/manual/functions.def"
};
static const Text extensions[] = {
#define MANUAL(name, text)
#define EXTENSION(name, text) {#name, text},
#include "mpi/manual/functions.def"
};
static const Text parameters[] = {
#define PARAMETER(name, text) {#name, text},
#include "mpi/manual/parameters.def"
};
static const struct {
    const char *functions; /* a pattern */
    Text parameter;
} parameters_of[] = {
#define PARAMETER_OF(functions, name, text) {#functions, {#name, text}},
#include "mpi/manual/parameters.def"
};

/* How the name of a form is made of another name, and what its text begins or ends with. A form may be one of a form:
 * MPI_Iallreduce_c. */
typedef struct Form {
    const char *prefix, *suffix; /* what the form's name has; behind the prefix the other name begins */
    const char *instead;         /* what stands there in the other name */
    const char *before, *behind;
} Form;

#define BEGINS                                                                                                         \
    "Begins an operation and returns at once; a wait or test completes it, and until then its buffers are not to be "  \
    "touched. The operation: "

static const Form forms[] = {
    {"", "_c", "", "", " Counts are of type MPI_Count."},
    {"", "_x", "", "", " The result is of type MPI_Count."},
    {"", "_init", "", "Prepares a persistent operation, for MPI_Start. Started, it does this: ", ""},
    {"I", "", "", BEGINS, ""},
    {"File_i", "", "File_", BEGINS, ""},
    {"", "_begin", "", "Begins a split operation, which the function with _end completes; a file has one at a time. ",
     ""},
    {"", "_end", "", "Completes the operation that the function with _begin began. The operation: ", ""},
};

static const char *look_up(const Text *texts, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(texts[i].name, name) == 0)
            return texts[i].text;
    return NULL;
}

/* Returns the name that `name` is a form of, or NULL. */
static char *plain_name(const Form *form, const char *name)
{
    size_t prefix = strlen(form->prefix), suffix = strlen(form->suffix), length = strlen(name);
    if (length <= prefix + suffix || !g_str_has_prefix(name, form->prefix) || !g_str_has_suffix(name, form->suffix))
        return NULL;
    g_autofree char *middle = g_strndup(name + prefix, length - prefix - suffix);
    if (*form->prefix == 'I' && !form->prefix[1]) { /* Isend: the small letter was a capital */
        if (!g_ascii_islower(*middle))
            return NULL;
        *middle = g_ascii_toupper(*middle);
    }
    return g_strconcat(form->instead, middle, NULL);
}

static char *text_of(const char *name)
{
    const char *own = look_up(functions, G_N_ELEMENTS(functions), name);
    if (own)
        return g_strdup(own);
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        g_autofree char *plain = plain_name(&forms[i], name);
        g_autofree char *text = plain ? text_of(plain) : NULL;
        if (text)
            return g_strconcat(forms[i].before, text, forms[i].behind, NULL);
    }
    return NULL;
}

static char *conversion(const char *name)
{
    if (g_str_has_suffix(name, "_c2f"))
        return g_strdup("Turns a handle of C into one of Fortran.");
    return g_str_has_suffix(name, "_f2c") ? g_strdup("Turns a handle of Fortran into one of C.") : NULL;
}

/* Returns the name behind MPI_ or MPIX_, and of which of these, or NULL. */
static const char *stem(const char *name, gboolean *extension)
{
    name += *name == 'P';
    *extension = g_str_has_prefix(name, "MPIX_");
    if (*extension)
        return name + strlen("MPIX_");
    return g_str_has_prefix(name, "MPI_") ? name + strlen("MPI_") : NULL;
}

char *mpi_manual_function(const char *name)
{
    gboolean extension;
    const char *short_name = stem(name, &extension);
    if (!short_name)
        return NULL;
    if (extension)
        return g_strdup(look_up(extensions, G_N_ELEMENTS(extensions), short_name));
    char *text = text_of(short_name);
    return text ? text : conversion(short_name);
}

const char *mpi_manual_parameter(const char *function, const char *parameter)
{
    gboolean extension;
    const char *short_name = stem(function, &extension);
    if (!short_name)
        return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(parameters_of); i++)
        if (strcmp(parameters_of[i].parameter.name, parameter) == 0 &&
            g_pattern_match_simple(parameters_of[i].functions, short_name))
            return parameters_of[i].parameter.text;
    return look_up(parameters, G_N_ELEMENTS(parameters), parameter);
}
