/* test_linker_symbols.c - definitions of symbols: strong, weak, common, those of the runtime and of the simulator; and
 * missing ones.
 */
#include "back_helpers.h"

TestSuite(linker);

#define START "int main(void); void _start(int a, char **b, char **c) { main(); for (;;); }\n"

typedef struct Linked {
    VcodeModule *objects[4], *program;
    size_t n;
    char *message;
} Linked;

static void add(Linked *l, const char *text, bool library)
{
    g_autoptr(GString) messages = g_string_new(NULL);
    l->objects[l->n] = back_try(text, 1, library, messages);
    cr_assert_not_null(l->objects[l->n], "%s", messages->str);
    l->n++;
}

static void finish(Linked *l)
{
    l->program = back_link(l->objects, l->n, &l->message);
    if (!l->program)
        return;
    GError *error = NULL;
    cr_assert(vcode_verify(l->program, &error), "%s", error ? error->message : "");
}

static void done(Linked *l)
{
    for (size_t i = 0; i < l->n; i++)
        vcode_module_free(l->objects[i]);
    vcode_module_free(l->program);
    g_free(l->message);
}

static uint64_t read_data(const VcodeModule *p, const char *name, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, p->data.items + back_symbol(p, name)->value, size);
    return value;
}

Test(linker, takes_only_what_is_reachable)
{
    Linked l = {0};
    add(&l, "int g(void); int unused(void) { return 1; } int big[1000] = {1}; int main(void) { return g(); }", false);
    add(&l, START "int g(void) { return 7; } int h(void) { return 8; }", true);
    finish(&l);
    cr_assert_not_null(l.program, "%s", l.message);
    cr_assert_eq(l.program->functions.count, 3);
    cr_assert_null(back_function(l.program, "unused"));
    cr_assert_eq(l.program->data.count, 0);
    cr_assert_eq(l.program->functions.items[l.program->entry].name, back_function(l.program, "_start")->name);
    done(&l);
}

Test(linker, lists_all_undefined_references_with_place_and_suggestion)
{
    Linked l = {0};
    add(&l,
        "int pintf(const char *, ...); int absent(int); extern int nowhere;\nint main(void) {\n  pintf(\"x\");\n"
        "  return absent(1) +\n nowhere; }",
        false);
    add(&l, START, true);
    finish(&l);
    cr_assert_null(l.program);
    cr_assert_not_null(strstr(l.message, "test.c:3: undefined reference to 'pintf'; did you mean 'printf'?"), "%s",
                       l.message);
    cr_assert_not_null(strstr(l.message, "test.c:4: undefined reference to 'absent'"), "%s", l.message);
    cr_assert_not_null(strstr(l.message, "'nowhere'"), "%s", l.message);
    done(&l);
}

Test(linker, names_both_places_of_a_duplicate)
{
    Linked l = {0};
    add(&l, "int twice(void) { return 1; } int main(void) { return twice(); }", false);
    add(&l, "\nint twice(void) { return 2; }", false);
    add(&l, START, true);
    finish(&l);
    cr_assert_null(l.program);
    cr_assert_str_eq(l.message,
                     "test.c:2: 'twice' is defined here, but also elsewhere\ntest.c:1: the other definition is here");
    done(&l);
}

Test(linker, strong_beats_weak_and_the_program_beats_the_runtime)
{
    Linked l = {0};
    add(&l,
        "__attribute__((weak)) int a = 1; __attribute__((noinline)) int qsort(void) { return 1; } extern int b; extern "
        "int c(void);"
        "int main(void) { return a + qsort() + b + c(); }",
        false);
    add(&l, "int a = 2; __attribute__((weak)) int b = 5;", false);
    add(&l, START "__attribute__((noinline)) int qsort(void) { return 3; } int c(void) { return qsort(); }", true);
    finish(&l);
    cr_assert_not_null(l.program, "%s", l.message);
    cr_assert_eq(read_data(l.program, "a", 4), 2);
    cr_assert_eq(read_data(l.program, "b", 4), 5);
    unsigned sorts = 0; /* the runtime still uses its own */
    for (uint32_t i = 0; i < l.program->functions.count; i++)
        sorts += strcmp(vcode_text(l.program, l.program->functions.items[i].name), "qsort") == 0;
    cr_assert_eq(sorts, 2);
    done(&l);
}

/* C11 6.9.2p2 and J.5.11: tentative definitions in several files are one object, as large as the largest. */
Test(linker, common_symbols_are_merged)
{
    Linked l = {0};
    add(&l, "int shared; char buffer[10]; int main(void) { return shared + buffer[0]; }", false);
    add(&l, "int shared; char buffer[1000]; int other(void) { return shared; }", false);
    add(&l, START, true);
    finish(&l);
    cr_assert_not_null(l.program, "%s", l.message);
    cr_assert_geq(l.program->bss_bytes, 1004);
    cr_assert_lt(l.program->bss_bytes, 1100);
    done(&l);
}

Test(linker, initialised_definition_beats_common)
{
    Linked l = {0};
    add(&l, "int shared; int main(void) { return shared; }", false);
    add(&l, "int shared = 9;", false);
    add(&l, START, true);
    finish(&l);
    cr_assert_not_null(l.program, "%s", l.message);
    cr_assert_eq(read_data(l.program, "shared", 4), 9);
    done(&l);
}

Test(linker, mpi_main_is_main_where_there_is_none)
{
    Linked l = {0};
    add(&l, "int MPI_main(int argc, char **argv) { return argc; }", false);
    add(&l, "int main(int, char **, char **); void _start(int a, char **b, char **c) { main(a, b, c); for (;;); }",
        true);
    finish(&l);
    cr_assert_not_null(l.program, "%s", l.message);
    cr_assert_not_null(back_function(l.program, "MPI_main"));
    done(&l);
}

Test(linker, says_that_main_is_missing)
{
    Linked l = {0};
    add(&l, "int f(void) { return 1; }", false);
    add(&l, START, true);
    finish(&l);
    cr_assert_null(l.program);
    cr_assert_not_null(strstr(l.message, "none of the files defines main"), "%s", l.message);
    done(&l);
}

Test(linker, says_that_the_runtime_is_missing)
{
    Linked l = {0};
    add(&l, "int main(void) { return 1; }", false);
    finish(&l);
    cr_assert_null(l.program);
    cr_assert_not_null(strstr(l.message, "_start"), "%s", l.message);
    done(&l);
}

Test(linker, functions_of_the_simulator_become_externs_and_stubs)
{
    Linked l = {0};
    add(&l,
        "int printf(const char *, ...); unsigned long strlen(const char *); int puts();"
        "unsigned long (*length)(const char *) = strlen; int (*print)(const char *, ...);"
        "int main(void) { print = printf; int (*p)() = puts; p(\"x\"); puts(\"y\"); return length(\"z\") + "
        "print(\"%d\", 1); }",
        false);
    add(&l, START, true);
    finish(&l);
    cr_assert_not_null(l.program, "%s", l.message);
    cr_assert_eq(l.program->externs.count, 3);
    cr_assert_eq(back_count(l.program, "main", VCODE_CALLX), 1);
    cr_assert_eq(back_function(l.program, "strlen")->parameters, 1);
    cr_assert_eq(back_function(l.program, "printf")->parameters, 2, "the format and the variable arguments");
    cr_assert_eq(back_function(l.program, "puts")->parameters, 16, "unknown");
    uint64_t address = read_data(l.program, "length", 8);
    uint32_t stub = (uint32_t)((address - VCODE_CODE_BASE) / 16);
    cr_assert_str_eq(vcode_text(l.program, l.program->functions.items[stub].name), "strlen");
    done(&l);
}

/* C11 6.5.2.2p6 leaves it undefined, but programs do it. The verifier needs as many arguments as there are
 * parameters. */
Test(linker, calls_are_fitted_to_their_callee)
{
    Linked l = {0};
    add(&l, "int few(), many(); int main(void) { return few(1, 2, 3) + many(1); }", false);
    add(&l, "int few(int a) { return a; } int many(int a, int b, int c, int d, int e) { return a + e; }", false);
    add(&l, START, true);
    finish(&l);
    cr_assert_not_null(l.program, "%s", l.message);
    done(&l);
}

Test(linker, constructors_run_in_order_and_destructors_backwards)
{
    Linked l = {0};
    add(&l,
        "__attribute__((constructor)) void c1(void) {} __attribute__((destructor)) void d1(void) {}"
        "int main(void) { return 0; }",
        false);
    add(&l, "__attribute__((constructor)) static void c2(void) {} __attribute__((destructor)) static void d2(void) {}",
        false);
    add(&l,
        "int main(void); void __orrery_init(void); void __orrery_fini(void);"
        "void _start(int a, char **b, char **c) { __orrery_init(); main(); __orrery_fini(); for (;;); }",
        true);
    finish(&l);
    cr_assert_not_null(l.program, "%s", l.message);
    static const char *const order[] = {"c1", "c2", "d2", "d1"};
    const char *lists[] = {"__orrery_init", "__orrery_fini"};
    for (unsigned i = 0; i < 4; i++) {
        const VcodeFunction *list = back_function(l.program, lists[i / 2]);
        VcodeInstr call = l.program->code.items[list->code_start + i % 2];
        cr_assert_eq(vcode_op(call), VCODE_CALL);
        const VcodeFunction *called = &l.program->functions.items[vcode_imm32(call)];
        cr_assert_str_eq(vcode_text(l.program, called->name), order[i]);
    }
    done(&l);
}

Test(linker, weak_references_to_nothing_are_null)
{
    Linked l = {0};
    add(&l,
        "extern int absent(void) __attribute__((weak)); int (*p)(void) = absent;"
        "int main(void) { return p ? absent() : 3; }",
        false);
    add(&l, START, true);
    finish(&l);
    cr_assert_not_null(l.program, "%s", l.message);
    cr_assert_eq(read_data(l.program, "p", 8), 0);
    done(&l);
}

Test(linker, addresses_follow_the_map)
{
    Linked l = {0};
    add(&l,
        "const char text[] = \"constant\"; int data[100] = {5}; int zero[50]; static _Alignas(64) char aligned[3] = "
        "{1};"
        "const void *addresses[] = {text, data + 2, zero, aligned, (void *)0}; int f(void) { return 1; }"
        "int (*pointer)(void) = f; int main(void) { return addresses[0] == pointer; }",
        false);
    add(&l, START, true);
    finish(&l);
    cr_assert_not_null(l.program, "%s", l.message);
    const VcodeModule *p = l.program;
    uint64_t at[4];
    memcpy(at, p->data.items + back_symbol(p, "addresses")->value, sizeof at);
    cr_assert_eq(p->data_base, VCODE_DATA_BASE);
    cr_assert_eq(at[0], VCODE_RODATA_BASE + back_symbol(p, "text")->value);
    cr_assert_eq(at[1], p->data_base + back_symbol(p, "data")->value + 8);
    cr_assert_eq(at[2], p->data_base + p->data.count + back_symbol(p, "zero")->value);
    cr_assert_eq(at[3] % 64, 0);
    cr_assert_eq(read_data(p, "pointer", 8),
                 VCODE_CODE_BASE + 16 * (uint64_t)(back_function(p, "f") - p->functions.items));
    done(&l);
}
