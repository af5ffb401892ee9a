/* library.c - functions of the C library that printed code computes itself where nothing is unusual.
 *
 * What the way out and back through the simulator would cost is more than what short ones do. Each is a function of the
 * unit's text that answers its result and what its elements cost (`unit`: 1/65536 cycle each), exactly as the function
 * in vm/library/string.c would; or that it has left it to that one, which then finds the fault. Those of <math.h> call
 * the host's function, as vm/library/math.c does, unless errno may be set; flow.c has those of which that is known
 * before. Only the texts of functions that the unit calls are printed.
 */
#include "vm/library/library.h"
#include "vm/translate/print.h"

#include <string.h>

typedef struct PrintedFunction {
    const char *name;
    unsigned arity;
    const char *text; /* of the function's body, in terms of the arguments a, b and n */
} PrintedFunction;

#define TEXT(...)    #__VA_ARGS__
#define TEXT_OF(...) TEXT(__VA_ARGS__)

static const char helpers[] =
    "/* the bytes from an address on, and how many there are */\n"
    "static inline const uint8_t *reach(const State *k, uint64_t a, uint64_t *room)\n"
    "{\n"
    "    *room = LOW + k->limit + 7 - a;\n"
    "    if (a - LOW < k->limit + 7) return k->memory + a;\n"
    "    *room = CONSTANTS_BASE + CONSTANT_BYTES - a;\n"
    "    return a - CONSTANTS_BASE < CONSTANT_BYTES ? k->constants + a : 0;\n"
    "}\n"
    "/* whether a zero follows: the last byte is one mostly, so that long texts are not read at each call */\n"
    "static inline int ends(const uint8_t *x, uint64_t room)\n"
    "{ return x && (!x[room - 1] || __builtin_memchr(x, 0, room)); }\n"
    "/* n bytes at an address, to be written or read; 0: there are not so many */\n"
    "static inline uint8_t *own(const State *k, uint64_t a, uint64_t n)\n"
    "{ return n <= k->limit + 7 && a - LOW <= k->limit + 7 - n ? k->memory + a : 0; }\n"
    "static inline const uint8_t *any(const State *k, uint64_t a, uint64_t n)\n"
    "{\n"
    "    if (n <= k->limit + 7 && a - LOW <= k->limit + 7 - n) return k->memory + a;\n"
    "    return n <= CONSTANT_BYTES && a - CONSTANTS_BASE <= CONSTANT_BYTES - n ? k->constants + a : 0;\n"
    "}\n"
    "/* how many of n bytes are the same; with `text` only those before a zero; mostly it is the first that differs, "
    "and\n"
    " * eight that were just written one by one take the processor long to read */\n"
    "static inline uint64_t common(const uint8_t *x, const uint8_t *y, uint64_t n, int text)\n"
    "{\n"
    "    uint64_t i = 0;\n"
    "    if (!n || *x != *y) return 0;\n"
    "    for (; n - i >= 8; i += 8) {\n"
    "        uint64_t p = *(const m_u64 *)(x + i), q = *(const m_u64 *)(y + i), other = p ^ q;\n"
    "        if (text) other |= (p - UINT64(0x0101010101010101)) & ~p & UINT64(0x8080808080808080);\n"
    "        if (other) return i + (__builtin_ctzll(other) >> 3);\n"
    "    }\n"
    "    while (i < n && x[i] == y[i] && !(text && !x[i])) i++;\n"
    "    return i;\n"
    "}\n" TEXT_OF(VM_STREAM_WINDOW) "\n"
                                    "#define UNITS(count) ((int64_t)((unsigned __int128)(count) * unit >> 8))\n"
                                    "/* the simulator does long ones, for meters (vm/rank/meter_sample.c) */\n"
                                    "#define LONG(count) (UNITS(count) > " G_STRINGIFY(
                                        VM_LONG_CALL) ")\n"
                                                      "#define DONE(value, count) do { if (LONG(count)) return gone; "
                                                      "return (Outcome){UINT64(value), UNITS(count)}; } while (0)\n"
                                                      "#define FINITE(v) ((v) - (v) == 0)\n"
                                                      "#define USUAL(v) (FINITE(v) && __builtin_fabs(v) > (sizeof(v) "
                                                      "== 8 ? 1e-300 : 1e-35))\n";

#define COPY(value)                                                                                                    \
    "const uint8_t *from = any(k, b, n); uint8_t *to = own(k, a, n);\n"                                                \
    "if (!from || !to || LONG(n)) return gone;\n"                                                                      \
    "__builtin_memmove(to, from, n); DONE(" value ", n);"
#define COPY_STRING(value)                                                                                             \
    "uint64_t room; const uint8_t *from = reach(k, b, &room), *end = from ? __builtin_memchr(from, 0, room) : 0;\n"    \
    "if (!end) return gone;\n"                                                                                         \
    "uint64_t n = UINT64(end - from); uint8_t *to = own(k, a, n + 1);\n"                                               \
    "if (!to || LONG(n)) return gone;\n"                                                                               \
    "__builtin_memmove(to, from, n + 1); DONE(" value ", n);"
#define COMPARE(limit)                                                                                                 \
    "uint64_t room_a, room_b; const uint8_t *x = reach(k, a, &room_a), *y = reach(k, b, &room_b);\n"                   \
    "uint64_t most = room_a < room_b ? room_a : room_b;\n"                                                             \
    "if (!x || !y) return gone;\n" limit "uint64_t i = common(x, y, most, 1);\n"                                       \
    "if (i == most) return gone;\n"                                                                                    \
    "DONE((int64_t)x[i] - y[i], i + (x[i] != y[i]));"
#define FIND_BYTE                                                                                                      \
    "uint64_t room; const uint8_t *x = reach(k, a, &room);\n"                                                          \
    "if (!ends(x, room)) return gone;\n"                                                                               \
    "const char *found = __builtin_strchr((const char *)x, (int)b);\n" FOUND
/* Where in the text it is; if it is not there, all of the text has been read. */
#define FOUND                                                                                                          \
    "uint64_t n = found ? UINT64(found - (const char *)x) : __builtin_strlen((const char *)x);\n"                      \
    "DONE(found ? a + n : 0, found ? n + 1 : n);"
#define TWO_TEXTS                                                                                                      \
    "uint64_t room_a, room_b; const uint8_t *x = reach(k, a, &room_a), *y = reach(k, b, &room_b);\n"                   \
    "if (!ends(x, room_a) || !ends(y, room_b)) return gone;\n"
#define FIND(function) TWO_TEXTS "const char *found = __builtin_" function "((const char *)x, (const char *)y);\n" FOUND
#define SPAN(function) TWO_TEXTS "uint64_t n = __builtin_" function "((const char *)x, (const char *)y);\nDONE(n, n);"
#define NUMBER(type)                                                                                                   \
    "uint64_t room, i = 0, v = 0; const uint8_t *x = reach(k, a, &room);\n"                                            \
    "if (!ends(x, room)) return gone;\n"                                                                               \
    "while (x[i] == ' ' || (x[i] >= '\\t' && x[i] <= '\\r')) i++;\n"                                                   \
    "int minus = x[i] == '-'; i += minus || x[i] == '+';\n"                                                            \
    "uint64_t first = i; while (x[i] >= '0' && x[i] <= '9') v = v * 10 + x[i++] - '0';\n"                              \
    "if (i - first > 18) return gone;\n"                                                                               \
    "DONE((int64_t)(" type ")(minus ? -v : v), i == first ? 0 : i);"
#define FILL(value, byte, n)                                                                                           \
    "uint8_t *to = own(k, a, " n ");\n"                                                                                \
    "if (!to || LONG(" n ")) return gone;\n"                                                                           \
    "__builtin_memset(to, " byte ", " n "); DONE(" value ", " n ");"

/* `clock` is what the interpreter would have when it calls the function. */
#define WINDOW(which, stream)                                                                                          \
    "const VmStreamWindow *w = k->" which ";\n"                                                                        \
    "if (w->handle != " stream " || *w->next >= *w->end || clock >= *w->turn_cycles) return gone;\n"
#define GET_BYTE(stream) WINDOW("input", stream) "return (Outcome){(uint8_t)*(*w->next)++, 0};"
#define PUT_BYTE(stream)                                                                                               \
    WINDOW("output", stream)                                                                                           \
    "if (w->lines && (uint8_t)a == '\\n') return gone;\n"                                                              \
    "return (Outcome){(uint8_t)(*(*w->next)++ = (char)a), 0};"

static const PrintedFunction functions[] = {
    {"atoi", 1, NUMBER("int32_t")},
    {"atol", 1, NUMBER("int64_t")},
    {"atoll", 1, NUMBER("int64_t")},
    {"bzero", 2, FILL("0", "0", "b")},
    {"fgetc", 1, GET_BYTE("a")},
    {"fputc", 2, PUT_BYTE("b")},
    {"getc", 1, GET_BYTE("a")},
    {"getchar", 0, GET_BYTE("1")},
    {"index", 2, FIND_BYTE},
    {"memchr", 3,
     "const uint8_t *x = any(k, a, n);\n"
     "if (!x) return gone;\n"
     "const uint8_t *found = __builtin_memchr(x, (int)b, n);\n"
     "DONE(found ? a + UINT64(found - x) : 0, found ? found - x + 1 : n);"},
    {"memcmp", 3,
     "const uint8_t *x = any(k, a, n), *y = any(k, b, n);\n"
     "if (!x || !y) return gone;\n"
     "uint64_t i = common(x, y, n, 0);\n"
     "DONE(i < n ? (int64_t)x[i] - y[i] : 0, i);"},
    {"memcpy", 3, COPY("a")},
    {"memmove", 3, COPY("a")},
    {"mempcpy", 3, COPY("a + n")},
    {"memset", 3, FILL("a", "(int)b", "n")},
    {"putc", 2, PUT_BYTE("b")},
    {"putchar", 1, PUT_BYTE("2")},
    {"stpcpy", 2, COPY_STRING("a + n")},
    {"strcat", 2,
     "uint64_t room; const uint8_t *head = reach(k, a, &room), *end = head ? __builtin_memchr(head, 0, room) : 0;\n"
     "if (!end) return gone;\n"
     "uint64_t offset = UINT64(end - head); const uint8_t *from = reach(k, b, &room);\n"
     "end = from ? __builtin_memchr(from, 0, room) : 0;\n"
     "if (!end) return gone;\n"
     "uint64_t n = UINT64(end - from); uint8_t *to = own(k, a + offset, n + 1);\n"
     "if (!to || UNITS(offset) + UNITS(n) > " G_STRINGIFY(
         VM_LONG_CALL) ") return gone;\n"
                       "__builtin_memmove(to, from, n); to[n] = 0; return (Outcome){a, UNITS(offset) + UNITS(n)};"},
    {"strchr", 2, FIND_BYTE},
    {"strcspn", 2, SPAN("strcspn")},
    {"strpbrk", 2, FIND("strpbrk")},
    {"strspn", 2, SPAN("strspn")},
    {"strstr", 2, FIND("strstr")},
    {"strcmp", 2, COMPARE("")},
    {"strcpy", 2, COPY_STRING("a")},
    {"strlen", 1,
     "uint64_t room; const uint8_t *x = reach(k, a, &room), *end = x ? __builtin_memchr(x, 0, room) : 0;\n"
     "if (!end) return gone;\n"
     "DONE(end - x, end - x);"},
    {"strncmp", 3,
     COMPARE("if (n <= most) {\n"
             "    uint64_t i = common(x, y, n, 1);\n"
             "    DONE(i < n ? (int64_t)x[i] - y[i] : 0, i + (i < n && x[i] != y[i]));\n"
             "}\n")},
    {"strncpy", 3,
     "uint64_t room; const uint8_t *from = reach(k, b, &room);\n"
     "uint8_t *to = own(k, a, n);\n"
     "if (!from || !to) return gone;\n"
     "uint64_t most = n < room ? n : room; const uint8_t *end = __builtin_memchr(from, 0, most);\n"
     "uint64_t length = end ? UINT64(end - from) : most;\n"
     "if ((!end && room < n) || LONG(n)) return gone;\n"
     "__builtin_memmove(to, from, length); __builtin_memset(to + length, 0, n - length); DONE(a, n);"},
    {"strnlen", 2,
     "uint64_t room; const uint8_t *x = reach(k, a, &room);\n"
     "if (!x || room < b) return gone;\n"
     "const uint8_t *end = __builtin_memchr(x, 0, b);\n"
     "DONE(end ? UINT64(end - x) : b, end ? UINT64(end - x) : b);"},
    {"strrchr", 2,
     "uint64_t room; const uint8_t *x = reach(k, a, &room), *end = x ? __builtin_memchr(x, 0, room) : 0, *found;\n"
     "if (!end) return gone;\n"
     "for (found = end; found >= x && *found != (uint8_t)b;) found--;\n"
     "DONE(found >= x ? a + UINT64(found - x) : 0, found >= x ? found - x + 1 : end - x);"},
#define TRIED_D1(name, fine) "double x = as_double(a), r = MATHS_" name "(x); " TRIED_END("double", fine)
#define TRIED_D2(name, fine)                                                                                           \
    "double x = as_double(a), y = as_double(b), r = MATHS_" name "(x, y); " TRIED_END("double", fine)
#define TRIED_F1(name, fine) "float x = as_float(a), r = MATHS_" name "(x); " TRIED_END("float", fine)
#define TRIED_F2(name, fine)                                                                                           \
    "float x = as_float(a), y = as_float(b), r = MATHS_" name "(x, y); " TRIED_END("float", fine)
#define TRIED_END(type, fine)          "return " fine " ? (Outcome){from_" type "(r), 0} : gone;"
#define TRIED(name, kind, arity, fine) {#name, arity, TRIED_##kind##arity(#name, fine)},
#include "vm/library/maths.def"
};

static const PrintedFunction *find(const VmImage *image, VcodeInstr i)
{
    if (vcode_op(i) != VCODE_CALLX)
        return NULL;
    const VmExtern *function = image->bindings[vcode_imm32(i)].function;
    for (size_t k = 0; vm_library_owns(function) && k < G_N_ELEMENTS(functions); k++)
        if (strcmp(functions[k].name, function->name) == 0 && vcode_n(i) >= functions[k].arity)
            return &functions[k];
    return NULL;
}

/* The functions of the host, at their places in State.maths. */
static void print_maths(GString *out)
{
    static const char *const shapes[][4] = {
        [VM_KIND_D] = {"", "double (*)(double)", "double (*)(double, double)", "double (*)(double, double, double)"},
        [VM_KIND_F] = {"", "float (*)(float)", "float (*)(float, float)", "float (*)(float, float, float)"},
    };
    static const struct {
        const char *name;
        uint8_t kind, arity;
    } maths[] = {
#define PLAIN(name, kind, arity, refused) {#name, VM_KIND_##kind, arity},
#define TRIED(name, kind, arity, fine)    {#name, VM_KIND_##kind, arity},
#include "vm/library/maths.def"
    };
    for (size_t k = 0; k < G_N_ELEMENTS(maths); k++)
        g_string_append_printf(out, "#define MATHS_%s ((%s)k->maths[%zu])\n", maths[k].name,
                               shapes[maths[k].kind][maths[k].arity], k);
}

void vm_print_library_functions(const VmUnit *unit, GString *out)
{
    static const char *const parameters[] = {"", ", uint64_t a", ", uint64_t a, uint64_t b",
                                             ", uint64_t a, uint64_t b, uint64_t n"};
    bool printed[G_N_ELEMENTS(functions)] = {false};
    g_string_append(out, helpers);
    print_maths(out);
    for (uint32_t f = 0; f < unit->image->module->functions.count; f++) {
        const VmFlow *flow = unit->flows[f];
        for (uint32_t k = 0; flow && k < flow->function->code_count; k++) {
            const PrintedFunction *function = find(unit->image, flow->code[flow->function->code_start + k]);
            if (!function || printed[function - functions])
                continue;
            printed[function - functions] = true;
            g_string_append_printf(out,
                                   "static Outcome c_%s(const State *k, uint64_t clock, uint64_t unit%s)\n{\n%s\n}\n",
                                   function->name, parameters[function->arity], function->text);
        }
    }
}

void vm_print_library_call(VmPrinter *p, uint32_t pc)
{
    VcodeInstr i = p->flow->code[pc];
    const PrintedFunction *function = find(p->flow->image, i);
    if (!function)
        return;
    const VmBinding *binding = &p->flow->image->bindings[vcode_imm32(i)];
    g_string_append_printf(p->out,
                           "Outcome o = c_%s(k, k->start - UINT64(fuel) + %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT,
                           function->name, binding->base_q8, binding->unit_q16);
    for (unsigned k = 0; k < function->arity; k++) {
        g_string_append(p->out, ", ");
        vm_print_operand(p, vcode_a(i) + k, VM_KIND_I);
    }
    g_string_append_printf(
        p->out, "); if (LIKELY(o.fuel >= 0)) { fuel -= %" G_GUINT64_FORMAT " + o.fuel; R[%u] = o.value; } else ",
        binding->base_q8, vcode_a(i));
}
