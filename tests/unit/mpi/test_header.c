/* test_header.c - mpi.h agrees with the library: constants, layouts, functions. */
#include "include/mpi.h"

#include "header_values.h"

#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

#define EXPECT(name) check(#name, (uint64_t)(intptr_t)(name))

static void check(const char *name, uint64_t value)
{
    cr_expect_eq(header_value(name), value,
                 "%s is %" G_GINT64_MODIFIER "x in mpi.h but %" G_GINT64_MODIFIER "x in mpi/", name, value,
                 header_value(name));
}

/* Rows of the tables expand to the macros of mpi.h, so a missing one does not compile. */
Test(header, handles)
{
#define MPI_PREDEFINED(kind, name, index) EXPECT(MPI_##name);
#include "mpi/handles.def"
#define MPI_PRIMITIVE(name, bytes, text) EXPECT(MPI_##name);
#include "mpi/type/primitives.def"
#define MPI_COMBINER(name, number) EXPECT(MPI_COMBINER_##name);
#include "mpi/type/combiners.def"
    cr_expect_eq(MPI_LONG_LONG, MPI_LONG_LONG_INT);
    cr_expect_eq(MPI_C_COMPLEX, MPI_C_FLOAT_COMPLEX);
}

Test(header, error_classes)
{
    static const struct {
        const char *name;
        long library, header;
    } classes[] = {
#define MPI_ERROR_CLASS(name, number, text) {#name, number, MPI_##name},
#include "mpi/errors.def"
    };
    for (size_t i = 0; i < G_N_ELEMENTS(classes); i++) {
        cr_expect_eq(classes[i].library, classes[i].header, "MPI_%s", classes[i].name);
    }
}

Test(header, constants)
{
    EXPECT(MPI_ANY_SOURCE);
    EXPECT(MPI_PROC_NULL);
    EXPECT(MPI_ROOT);
    EXPECT(MPI_ANY_TAG);
    EXPECT(MPI_UNDEFINED);
    EXPECT(MPI_BSEND_OVERHEAD);
    EXPECT(MPI_IDENT);
    EXPECT(MPI_CONGRUENT);
    EXPECT(MPI_SIMILAR);
    EXPECT(MPI_UNEQUAL);
    EXPECT(MPI_MODE_CREATE);
    EXPECT(MPI_MODE_RDONLY);
    EXPECT(MPI_MODE_WRONLY);
    EXPECT(MPI_MODE_RDWR);
    EXPECT(MPI_MODE_DELETE_ON_CLOSE);
    EXPECT(MPI_MODE_UNIQUE_OPEN);
    EXPECT(MPI_MODE_EXCL);
    EXPECT(MPI_MODE_APPEND);
    EXPECT(MPI_MODE_SEQUENTIAL);
    EXPECT(MPI_SEEK_SET);
    EXPECT(MPI_SEEK_CUR);
    EXPECT(MPI_SEEK_END);
    EXPECT(MPI_DISPLACEMENT_CURRENT);
    EXPECT(MPI_MAX_DATAREP_STRING);
    EXPECT(MPI_COMM_TYPE_SHARED);
    EXPECT(MPI_COMM_TYPE_HW_GUIDED);
    EXPECT(MPI_COMM_TYPE_HW_UNGUIDED);
    EXPECT(MPI_COMM_TYPE_RESOURCE_GUIDED);
    EXPECT(MPI_BOTTOM);
    EXPECT(MPI_IN_PLACE);
    EXPECT(MPI_BUFFER_AUTOMATIC);
    EXPECT(MPI_STATUS_IGNORE);
    EXPECT(MPI_STATUSES_IGNORE);
    EXPECT(MPI_ORDER_C);
    EXPECT(MPI_ORDER_FORTRAN);
    EXPECT(MPI_GRAPH);
    EXPECT(MPI_CART);
    EXPECT(MPI_DIST_GRAPH);
    EXPECT(MPI_DISTRIBUTE_NONE);
    EXPECT(MPI_DISTRIBUTE_BLOCK);
    EXPECT(MPI_DISTRIBUTE_CYCLIC);
    EXPECT(MPI_DISTRIBUTE_DFLT_DARG);
    EXPECT(MPI_TYPECLASS_REAL);
    EXPECT(MPI_TYPECLASS_INTEGER);
    EXPECT(MPI_TYPECLASS_COMPLEX);
    EXPECT(MPI_UNWEIGHTED);
    EXPECT(MPI_WEIGHTS_EMPTY);
    EXPECT(MPI_KEYVAL_INVALID);
    EXPECT(MPI_TAG_UB);
    EXPECT(MPI_HOST);
    EXPECT(MPI_IO);
    EXPECT(MPI_WTIME_IS_GLOBAL);
    EXPECT(MPI_UNIVERSE_SIZE);
    EXPECT(MPI_LASTUSEDCODE);
    EXPECT(MPI_APPNUM);
    EXPECT(MPI_MAX_OBJECT_NAME);
    EXPECT(MPI_MAX_ERROR_STRING);
    EXPECT(MPI_MAX_INFO_KEY);
    EXPECT(MPI_MAX_INFO_VAL);
}

Test(header, status)
{
    check("sizeof MPI_Status", sizeof(MPI_Status));
    check("MPI_SOURCE", offsetof(MPI_Status, MPI_SOURCE));
    check("MPI_TAG", offsetof(MPI_Status, MPI_TAG));
    check("MPI_ERROR", offsetof(MPI_Status, MPI_ERROR));
    check("orrery_cancelled", offsetof(MPI_Status, orrery_cancelled));
    check("orrery_bytes", offsetof(MPI_Status, orrery_bytes));
    cr_expect_eq(sizeof(MPI_Status), MPI_F_STATUS_SIZE * sizeof(MPI_Fint));
    cr_expect_eq(offsetof(MPI_Status, MPI_SOURCE), MPI_F_SOURCE * sizeof(MPI_Fint));
    cr_expect_eq(offsetof(MPI_Status, MPI_TAG), MPI_F_TAG * sizeof(MPI_Fint));
    cr_expect_eq(offsetof(MPI_Status, MPI_ERROR), MPI_F_ERROR * sizeof(MPI_Fint));
}

/* -- functions --------------------------------------------------------------------------------- */

/* The size of a pointer to a function needs its prototype, here under both names. */
#define MPI_FUNCTION(name, sort, arguments, standard)                                                                  \
    _Static_assert(sizeof(&MPI_##name) == sizeof(&PMPI_##name), #name);
#define MPI_EXTENSION(name, sort, arguments, origin)
#include "mpi/functions.def"
#define MPI_ABSENT(name, standard) _Static_assert(sizeof(&MPI_##name) == sizeof(&PMPI_##name), #name);
#include "mpi/absent.def"

static char *read_header(void)
{
    char *text;
    cr_assert(g_file_get_contents(ORRERY_BINARY_DIR "/share/orrery/include/mpi.h", &text, NULL, NULL));
    return text;
}

/* Returns the number of parameters in a list; `text` begins after its parenthesis. */
static int count_parameters(const char *text)
{
    int depth = 1, n = 1;
    if (g_str_has_prefix(text, "void)")) {
        return 0;
    }
    for (; depth; text++) {
        depth += (*text == '(') - (*text == ')');
        n += *text == ',' && depth == 1;
    }
    return n;
}

Test(header, parameters_of_every_function)
{
    static const struct {
        const char *name;
        int arguments;
    } rows[] = {
#define MPI_FUNCTION(name, sort, arguments, standard) {#name, arguments},
#define MPI_EXTENSION(name, sort, arguments, origin)
#include "mpi/functions.def"
    };
    g_autofree char *text = read_header();
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *beginning = g_strdup_printf(" MPI_%s(", rows[i].name);
        const char *found = strstr(text, beginning);
        cr_assert(found, "mpi.h declares MPI_%s in its own way", rows[i].name);
        cr_expect_eq(count_parameters(found + strlen(beginning)), rows[i].arguments, "MPI_%s", rows[i].name);
    }
}

/* Every function that the header declares is provided or known to be missing, and vice versa. */
Test(header, declares_all_of_mpi)
{
    static const char *const rows[] = {
#define MPI_FUNCTION(name, sort, arguments, standard) #name,
#define MPI_EXTENSION(name, sort, arguments, origin)
#include "mpi/functions.def"
#define MPI_ABSENT(name, standard) #name,
#include "mpi/absent.def"
    };
    g_autofree char *text = read_header();
    unsigned n = 0;
    for (const char *at = strstr(text, " PMPI_"); at; at = strstr(at + 1, " PMPI_")) {
        const char *name = at + strlen(" PMPI_");
        g_autofree char *declared = g_strndup(name, strcspn(name, "( "));
        if (name[strlen(declared)] != '(') /* a comment */
            continue;
        bool provided = false;
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
            provided = provided || !strcmp(rows[i], declared);
        }
        cr_expect(provided, "mpi.h declares MPI_%s, which neither functions.def nor absent.def has", declared);
        n++;
    }
    cr_expect_eq(n, G_N_ELEMENTS(rows), "mpi.h declares a function twice");
}

/* The manual lists every function. */
Test(header, manual_names_every_function)
{
    static const char *const rows[] = {
#define MPI_FUNCTION(name, sort, arguments, standard) "`MPI_" #name "`",
#define MPI_EXTENSION(name, sort, arguments, origin)  "`MPIX_" #name "`",
#include "mpi/functions.def"
    };
    g_autofree char *manual = NULL;
    cr_assert(g_file_get_contents(ORRERY_SOURCE_DIR "/docs/mpi.md", &manual, NULL, NULL));
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        cr_expect(strstr(manual, rows[i]), "docs/mpi.md does not mention %s", rows[i]);
    }
}

/* A function is either provided or missing. */
Test(header, what_is_missing_is_not_provided)
{
    static const char *const provided[] = {
#define MPI_FUNCTION(name, sort, arguments, standard) "MPI_" #name,
#define MPI_EXTENSION(name, sort, arguments, origin)
#include "mpi/functions.def"
    };
    static const char *const absent[] = {
#define MPI_ABSENT(name, standard) "MPI_" #name,
#include "mpi/absent.def"
    };
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    for (size_t i = 0; i < G_N_ELEMENTS(provided); i++) {
        cr_expect(g_hash_table_add(names, (void *)provided[i]), "mpi/functions.def has %s twice", provided[i]);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(absent); i++) {
        cr_expect(g_hash_table_add(names, (void *)absent[i]),
                  "%s is in mpi/functions.def: take it out of mpi/absent.def", absent[i]);
        cr_expect(i == 0 || strcmp(absent[i - 1], absent[i]) < 0, "mpi/absent.def is sorted: %s", absent[i]);
    }
    cr_expect_gt(g_hash_table_size(names), 650);
}
