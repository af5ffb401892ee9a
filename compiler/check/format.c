/* format.c - compares formats of printf, scanf and strftime with the arguments that they describe (C11 7.21.6.1,
 * 7.21.6.2, 7.27.3.5).
 *
 * The functions are those with attribute format, and those of the library by name. The conversions are one table: the
 * letters, the length modifiers and flags that they may have, and the type that they need. As in gcc, types are
 * compared after promotion and without regard to sign. long and long long differ although they have one size.
 */
#include "compiler/check/check.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

typedef enum Want { WANT_NOTHING, WANT_INTEGER, WANT_REAL, WANT_CHARACTER, WANT_STRING, WANT_POINTER, WANT_COUNT } Want;

static const struct {
    const char *letters, *lengths, *flags; /* lengths are separated by spaces; no length is always allowed */
    Want want;
} conversions[] = {
    {"di", "hh h l ll q j z Z t", "-+ 0'I", WANT_INTEGER},
    {"u", "hh h l ll q j z Z t", "-0'I", WANT_INTEGER},
    {"oxX", "hh h l ll q j z Z t", "-#0", WANT_INTEGER},
    {"fFeEgGaA", "l L", "-+ #0'I", WANT_REAL},
    {"c", "l", "-", WANT_CHARACTER},
    {"C", "", "-", WANT_CHARACTER},
    {"s", "l", "-", WANT_STRING},
    {"S", "", "-", WANT_STRING},
    {"[", "l", "", WANT_STRING},
    {"p", "", "-", WANT_POINTER},
    {"n", "hh h l ll q j z Z t", "", WANT_COUNT},
    {"m", "", "-", WANT_NOTHING},
};

static const struct {
    const char *name;
    CcFormat format;
} functions[] = {
    {"printf", {CC_FORMAT_PRINTF, 1, 2}},     {"fprintf", {CC_FORMAT_PRINTF, 2, 3}},
    {"sprintf", {CC_FORMAT_PRINTF, 2, 3}},    {"snprintf", {CC_FORMAT_PRINTF, 3, 4}},
    {"dprintf", {CC_FORMAT_PRINTF, 2, 3}},    {"asprintf", {CC_FORMAT_PRINTF, 2, 3}},
    {"vprintf", {CC_FORMAT_PRINTF, 1, 0}},    {"vfprintf", {CC_FORMAT_PRINTF, 2, 0}},
    {"vsprintf", {CC_FORMAT_PRINTF, 2, 0}},   {"vsnprintf", {CC_FORMAT_PRINTF, 3, 0}},
    {"vasprintf", {CC_FORMAT_PRINTF, 2, 0}},  {"syslog", {CC_FORMAT_PRINTF, 2, 3}},
    {"scanf", {CC_FORMAT_SCANF, 1, 2}},       {"fscanf", {CC_FORMAT_SCANF, 2, 3}},
    {"sscanf", {CC_FORMAT_SCANF, 2, 3}},      {"vscanf", {CC_FORMAT_SCANF, 1, 0}},
    {"vfscanf", {CC_FORMAT_SCANF, 2, 0}},     {"vsscanf", {CC_FORMAT_SCANF, 2, 0}},
    {"strftime", {CC_FORMAT_STRFTIME, 3, 0}},
};

typedef struct Directive {
    size_t start, end; /* offsets in the string, from the % to behind the letter */
    size_t length_at;  /* offset of the length modifier */
    char letter, length[3];
    char flags[8];
    unsigned position; /* n of n$; 0: none */
    bool suppressed, allocates, has_precision;
    Want want;
} Directive;

typedef struct Checker {
    CcUnit *unit;
    const CcExpr *call, *string;
    const CcFormat *format;
    const char *text;
    size_t size;
    unsigned next;  /* index of the next argument, from 0 */
    bool positions; /* the format uses n$ or an unknown conversion: do not count the arguments */
} Checker;

/* -- places ------------------------------------------------------------------------------------ */

/* Returns how many characters of the source the character at `raw` of a string literal takes. *bytes: the number of
 * bytes that it stands for. */
static size_t raw_character(const char *raw, size_t size, size_t *bytes)
{
    *bytes = 1;
    if (raw[0] != '\\' || size < 2)
        return 1;
    if (raw[1] == 'x') {
        size_t n = 2;
        while (n < size && g_ascii_isxdigit(raw[n]))
            n++;
        return n;
    }
    if (raw[1] >= '0' && raw[1] <= '7') {
        size_t n = 2;
        while (n < size && n < 4 && raw[n] >= '0' && raw[n] <= '7')
            n++;
        return n;
    }
    return raw[1] == 'u' || raw[1] == 'U' ? 0 : 2;
}

/* Returns the location of the bytes [from, to) of a string literal. If it is not one piece in one line, returns the
 * location of the whole literal. */
static CcLoc place_in_string(const Checker *c, size_t from, size_t to)
{
    CcLoc loc = c->string->loc;
    size_t size, at = 0, first = 0, bytes;
    const char *raw = cc_report_seen_text(c->unit, loc, &size);
    if (!raw || size < 2 || raw[0] != '"')
        return loc;
    size_t i = 1;
    for (; i < size && raw[i] != '"' && at < to; at += bytes) {
        if (at == from)
            first = i;
        size_t step = raw_character(raw + i, size - i, &bytes);
        if (!step)
            return loc;
        i += step;
    }
    if (at != to || !first || loc.column + i > UINT16_MAX)
        return loc;
    loc.column = (uint16_t)(loc.column + first);
    loc.length = (uint16_t)(i - first);
    return loc;
}

static char *directive_text(const Checker *c, const Directive *d)
{
    return g_strndup(c->text + d->start, d->end - d->start);
}

/* -- reading ----------------------------------------------------------------------------------- */

static bool is_printf(const Checker *c)
{
    return c->format->kind == CC_FORMAT_PRINTF;
}

static size_t read_number(const Checker *c, size_t at, unsigned *number)
{
    *number = 0;
    for (; at < c->size && g_ascii_isdigit(c->text[at]); at++)
        *number = MIN(*number * 10 + (unsigned)(c->text[at] - '0'), 100000);
    return at;
}

static void read_flags(Checker *c, Directive *d, size_t *at)
{
    size_t n = 0;
    while (*at < c->size && c->text[*at] && strchr(is_printf(c) ? "-+ #0'I" : "*'I", c->text[*at])) {
        d->suppressed |= !is_printf(c) && c->text[*at] == '*';
        if (is_printf(c) && n + 1 < sizeof d->flags)
            d->flags[n++] = c->text[*at];
        ++*at;
    }
}

static size_t read_length(Checker *c, Directive *d, size_t at)
{
    d->length_at = at;
    if (!is_printf(c) && at < c->size && c->text[at] == 'm') {
        d->allocates = true;
        at++;
    }
    if (at < c->size && c->text[at] && strchr("hlqjzZtL", c->text[at])) {
        d->length[0] = c->text[at++];
        if (at < c->size && c->text[at] == d->length[0] && strchr("hl", d->length[0]))
            d->length[1] = c->text[at++];
    }
    return at;
}

/* Skips the set of a conversion %[...]. `at` is the offset behind the [; returns the offset behind the ]. */
static size_t skip_set(const Checker *c, size_t at)
{
    if (at < c->size && c->text[at] == '^')
        at++;
    if (at < c->size && c->text[at] == ']')
        at++;
    while (at < c->size && c->text[at] != ']')
        at++;
    return at + 1;
}

/* -- arguments --------------------------------------------------------------------------------- */

static const CcExpr *argument(const Checker *c, unsigned i)
{
    return i < c->call->n_arguments ? c->call->arguments[i] : NULL;
}

/* Returns the kind of a type without regard to sign. An enum has the kind of its integer type. */
static CcKind plain_kind(const CcType *type)
{
    switch (cc_type_integer_of(type)->kind) {
    case CC_BOOL:
    case CC_SCHAR:
    case CC_UCHAR: return CC_CHAR;
    case CC_USHORT: return CC_SHORT;
    case CC_UINT: return CC_INT;
    case CC_ULONG: return CC_LONG;
    case CC_ULLONG: return CC_LLONG;
    default: return cc_type_integer_of(type)->kind;
    }
}

static CcKind length_kind(const char *length)
{
    switch (length[0]) {
    case 'h': return length[1] ? CC_CHAR : CC_SHORT;
    case 'l': return length[1] ? CC_LLONG : CC_LONG;
    case 'q':
    case 'L': return CC_LLONG;
    case 'j':
    case 'z':
    case 'Z':
    case 't': return CC_LONG;
    default: return CC_INT;
    }
}

static CcKind real_kind(const Checker *c, const char *length)
{
    if (length[0] == 'L')
        return CC_LDOUBLE;
    return is_printf(c) || length[0] == 'l' ? CC_DOUBLE : CC_FLOAT;
}

static const char *integer_name(const Directive *d)
{
    bool is_unsigned = strchr("ouxX", d->letter);
    if (d->length[0] == 'z' || d->length[0] == 'Z')
        return is_unsigned ? "size_t" : "ssize_t";
    if (d->length[0] == 'j')
        return is_unsigned ? "uintmax_t" : "intmax_t";
    if (d->length[0] == 't')
        return "ptrdiff_t";
    switch (length_kind(d->length)) {
    case CC_CHAR: return is_unsigned ? "unsigned char" : "signed char";
    case CC_SHORT: return is_unsigned ? "unsigned short" : "short";
    case CC_LONG: return is_unsigned ? "unsigned long" : "long";
    case CC_LLONG: return is_unsigned ? "unsigned long long" : "long long";
    default: return is_unsigned ? "unsigned int" : "int";
    }
}

/* Returns the name of the type that the directive needs. The caller frees it with g_free(). */
static char *wanted_type(const Checker *c, const Directive *d)
{
    bool wide = d->length[0] == 'l' || d->letter == 'S' || d->letter == 'C';
    const char *base = "int";
    bool pointer = !is_printf(c);
    switch (d->want) {
    case WANT_INTEGER: base = integer_name(d); break;
    case WANT_COUNT:
        base = integer_name(d);
        pointer = true;
        break;
    case WANT_REAL: {
        CcKind kind = real_kind(c, d->length);
        base = kind == CC_LDOUBLE ? "long double" : kind == CC_DOUBLE ? "double" : "float";
        break;
    }
    case WANT_CHARACTER: base = is_printf(c) ? (wide ? "wint_t" : "int") : (wide ? "wchar_t" : "char"); break;
    case WANT_STRING:
        base = wide ? "wchar_t" : "char";
        pointer = true;
        break;
    case WANT_POINTER: base = "void *"; break;
    default: break;
    }
    const char *stars = pointer && d->allocates ? " **" : !pointer ? "" : d->want == WANT_POINTER ? "*" : " *";
    return g_strconcat(base, stars, NULL);
}

static bool fits_value(const Checker *c, const Directive *d, const CcType *type)
{
    bool wide = d->length[0] == 'l' || d->letter == 'S';
    switch (d->want) {
    case WANT_INTEGER: {
        CcKind kind = length_kind(d->length);
        if (!cc_is_integer(type))
            return false;
        return plain_kind(type) == kind || (kind < CC_INT && plain_kind(type) <= CC_INT) ||
               (kind == CC_INT && plain_kind(type) < CC_INT);
    }
    case WANT_REAL:
        return type->kind == real_kind(c, d->length) ||
               (real_kind(c, d->length) == CC_DOUBLE && type->kind == CC_FLOAT);
    case WANT_CHARACTER: return cc_is_integer(type) && plain_kind(type) <= CC_INT;
    case WANT_STRING:
        return type->kind == CC_POINTER && cc_is_integer(type->target) && type->target->kind != CC_BOOL &&
               type->target->size == (wide ? 4 : 1);
    case WANT_POINTER: return type->kind == CC_POINTER;
    default: return true;
    }
}

static bool fits_pointer(const Checker *c, const Directive *d, const CcType *type)
{
    if (type->kind != CC_POINTER)
        return false;
    const CcType *target = type->target;
    bool wide = d->length[0] == 'l';
    if (d->allocates)
        return target->kind == CC_POINTER;
    switch (d->want) {
    case WANT_INTEGER:
    case WANT_COUNT: return cc_is_integer(target) && plain_kind(target) == length_kind(d->length);
    case WANT_REAL: return target->kind == real_kind(c, d->length);
    case WANT_CHARACTER:
    case WANT_STRING: return cc_is_integer(target) && target->size == (wide ? 4 : 1);
    case WANT_POINTER: return target->kind == CC_POINTER;
    default: return true;
    }
}

/* Returns the directive that fits the type, like "%ld", with the same letter if possible. NULL: there is none. The
 * caller frees it with g_free(). */
static char *right_conversion(const Checker *c, const Directive *d, const CcType *type)
{
    const char *length = "", *letter = NULL;
    char same[2] = {d->letter, 0};
    if (cc_is_integer(type)) {
        bool size = type->name && strcmp(type->name, "size_t") == 0;
        switch (plain_kind(type)) {
        case CC_CHAR: length = is_printf(c) ? "" : "hh"; break;
        case CC_SHORT: length = is_printf(c) ? "" : "h"; break;
        case CC_LONG: length = size ? "z" : "l"; break;
        case CC_LLONG: length = "ll"; break;
        default: break;
        }
        letter = d->want == WANT_INTEGER && !(size && d->letter != 'x') ? same : cc_type_is_signed(type) ? "d" : "u";
        if (!is_printf(c) && plain_kind(type) == CC_CHAR && type->kind == CC_CHAR && d->want != WANT_INTEGER) {
            length = "";
            letter = "c";
        }
    } else if (cc_is_real(type)) {
        length = type->kind == CC_LDOUBLE ? "L" : type->kind == CC_DOUBLE && !is_printf(c) ? "l" : "";
        letter = d->want == WANT_REAL ? same : "f";
    } else if (type->kind == CC_POINTER && is_printf(c)) {
        bool text = cc_is_integer(type->target) && type->target->size == 1;
        letter = text ? "s" : "p";
    }
    if (!letter || (d->want == WANT_POINTER && cc_is_arithmetic(type)))
        return NULL;
    size_t middle = d->length_at - d->start - 1;
    const char *dot = memchr(c->text + d->start, '.', middle + 1);
    if (dot && cc_is_integer(type) && d->want == WANT_REAL) /* an integer has no digits behind the point */
        middle = (size_t)(dot - c->text) - d->start - 1;
    return g_strdup_printf("%%%.*s%s%s", (int)middle, c->text + d->start + 1, length, letter);
}

/* Returns the type of an argument for a report: that before its promotion, except that a float is passed as a double.
 */
static const CcType *shown_type(const CcExpr *e)
{
    while (e->kind == CC_CAST && e->implicit && cc_is_integer(e->type) && cc_is_integer(e->left->type))
        e = e->left;
    return e->type;
}

static void mismatch(const Checker *c, const Directive *d, const CcExpr *e, unsigned index)
{
    const CcType *type = shown_type(e);
    char *wanted = wanted_type(c, d), *have = cc_type_name(type), *text = directive_text(c, d);
    bool by_address = !is_printf(c) || d->want == WANT_COUNT;
    const CcType *value = by_address ? (type->kind == CC_POINTER ? type->target : NULL) : type;
    char *better = value && d->want != WANT_COUNT ? right_conversion(c, d, value) : NULL;
    if (better && strcmp(better, text) == 0)
        g_clear_pointer(&better, g_free);
    CcLoc loc = place_in_string(c, d->start, d->end);
    bool forgot_address =
        by_address && e->lvalue && e->kind == CC_VARIABLE && cc_is_scalar(type) && type->kind != CC_POINTER;
    cc_report_range(c->unit, CC_WARNING, loc, e->loc, "-Wformat",
                    "format '%s' expects argument of type '%s', but argument %u has type '%s'%s%s%s", text, wanted,
                    index + 1, have,
                    better           ? "; use '"
                    : forgot_address ? "; '&' is missing"
                                     : "",
                    better ? better : "", better ? "'" : "");
    if (better && loc.column != c->string->loc.column)
        cc_report_fix(c->unit, loc, better);
    else if (forgot_address) {
        CcLoc before = e->loc;
        before.length = 0;
        cc_report_fix(c->unit, before, "&");
    }
    g_free(better);
    g_free(wanted);
    g_free(have);
    g_free(text);
}

static void check_argument(Checker *c, const Directive *d)
{
    if (d->want == WANT_NOTHING || d->suppressed || c->format->first == 0)
        return;
    unsigned i = d->position ? c->format->first - 2 + d->position : c->next++;
    const CcExpr *e = argument(c, i);
    if (!e) {
        char *wanted = wanted_type(c, d), *text = directive_text(c, d);
        cc_report(c->unit, CC_WARNING, place_in_string(c, d->start, d->end), "-Wformat",
                  "format '%s' expects a matching '%s' argument", text, wanted);
        g_free(wanted);
        g_free(text);
        return;
    }
    bool by_address = !is_printf(c) || d->want == WANT_COUNT;
    bool fits = by_address ? fits_pointer(c, d, e->type) : fits_value(c, d, e->type);
    if (!fits && !(e->type->kind == CC_POINTER && cc_tree_is_null_constant(e)))
        mismatch(c, d, e, i);
}

/* Checks the int argument that a * as width or precision takes. */
static void check_star(Checker *c, size_t at, const char *what)
{
    if (c->format->first == 0)
        return;
    unsigned i = c->next++;
    const CcExpr *e = argument(c, i);
    if (!e)
        cc_report(c->unit, CC_WARNING, place_in_string(c, at, at + 1), "-Wformat",
                  "field %s specifier '*' expects a matching 'int' argument", what);
    else if (!cc_is_integer(e->type) || plain_kind(e->type) > CC_INT) {
        char *have = cc_type_name(shown_type(e));
        cc_report_range(c->unit, CC_WARNING, place_in_string(c, at, at + 1), e->loc, "-Wformat",
                        "field %s specifier '*' expects argument of type 'int', but argument %u has type '%s'", what,
                        i + 1, have);
        g_free(have);
    }
}

static size_t read_size(Checker *c, Directive *d, size_t at, const char *what)
{
    unsigned number;
    if (at < c->size && c->text[at] == '*' && is_printf(c)) {
        size_t after = read_number(c, at + 1, &number);
        if (after > at + 1 && after < c->size && c->text[after] == '$') {
            c->positions = true;
            return after + 1;
        }
        check_star(c, at, what);
        return at + 1;
    }
    size_t end = read_number(c, at, &number);
    if (end > at && end < c->size && c->text[end] == '$' && !d->position && number) {
        d->position = number;
        c->positions = true;
        end++;
        read_flags(c, d, &end);
        return read_size(c, d, end, what);
    }
    return end;
}

/* -- one directive ----------------------------------------------------------------------------- */

static bool allows_length(const char *lengths, const char *length)
{
    size_t n = strlen(length);
    for (const char *at = lengths; n && *at;) {
        size_t word = strcspn(at, " ");
        if (word == n && memcmp(at, length, n) == 0)
            return true;
        at += word + (at[word] == ' ');
    }
    return n == 0;
}

static void check_directive(Checker *c, Directive *d)
{
    for (size_t i = 0; i < G_N_ELEMENTS(conversions); i++) {
        if (!strchr(conversions[i].letters, d->letter) || (d->letter == '[' && is_printf(c)))
            continue;
        d->want = conversions[i].want;
        if (!allows_length(conversions[i].lengths, d->length))
            cc_report(c->unit, CC_WARNING, place_in_string(c, d->start, d->end), "-Wformat",
                      "use of '%s' length modifier with '%c' conversion has no meaning", d->length, d->letter);
        for (const char *flag = d->flags; *flag; flag++)
            if (!strchr(conversions[i].flags, *flag))
                cc_report(c->unit, CC_WARNING, place_in_string(c, d->start, d->end), "-Wformat",
                          "flag '%c' has no meaning with '%%%c'", *flag, d->letter);
        if (d->has_precision && strchr("cCpn", d->letter))
            cc_report(c->unit, CC_WARNING, place_in_string(c, d->start, d->end), "-Wformat",
                      "precision used with '%%%c'", d->letter);
        check_argument(c, d);
        return;
    }
    cc_report(c->unit, CC_WARNING, place_in_string(c, d->start, d->end), "-Wformat",
              "unknown conversion '%%%c' in format", d->letter);
    c->positions = true; /* which arguments it takes is unknown: do not count them */
}

/* Reads and checks the directive whose % is at `start`. Returns the offset of its end. */
static size_t follow_directive(Checker *c, size_t start)
{
    Directive d = {.start = start};
    size_t at = start + 1;
    if (at < c->size && c->text[at] == '%')
        return at + 1;
    read_flags(c, &d, &at);
    at = read_size(c, &d, at, "width");
    read_flags(c, &d, &at);
    if (is_printf(c) && at < c->size && c->text[at] == '.') {
        d.has_precision = true;
        at = read_size(c, &d, at + 1, "precision");
    }
    at = read_length(c, &d, at);
    if (at >= c->size) {
        cc_report(c->unit, CC_WARNING, place_in_string(c, start, c->size), "-Wformat",
                  "spurious trailing '%%' in format");
        c->positions = true;
        return c->size;
    }
    d.letter = c->text[at++];
    if (d.letter == '[' && !is_printf(c))
        at = MIN(skip_set(c, at), c->size);
    d.end = at;
    if (d.letter == '%')
        return at;
    check_directive(c, &d);
    return at;
}

static size_t follow_time(Checker *c, size_t start)
{
    size_t at = start + 1;
    while (at < c->size && c->text[at] && strchr("_-^0#EO", c->text[at]))
        at++;
    if (at >= c->size)
        cc_report(c->unit, CC_WARNING, place_in_string(c, start, c->size), "-Wformat",
                  "spurious trailing '%%' in format");
    else if (!strchr("aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%+", c->text[at]))
        cc_report(c->unit, CC_WARNING, place_in_string(c, start, at + 1), "-Wformat",
                  "unknown conversion '%%%c' in format of strftime", c->text[at]);
    return at + 1;
}

/* -- whole formats ----------------------------------------------------------------------------- */

static void check_string(Checker *c)
{
    if (c->size == 0) {
        cc_report(c->unit, CC_WARNING, c->string->loc, "-Wformat-zero-length", "the format is an empty string");
        return;
    }
    const char *zero = memchr(c->text, 0, c->size);
    if (zero) {
        cc_report(c->unit, CC_WARNING, c->string->loc, "-Wformat", "embedded '\\0' in format");
        c->size = (size_t)(zero - c->text);
    }
    for (size_t at = 0; at < c->size;) {
        const char *percent = memchr(c->text + at, '%', c->size - at);
        if (!percent)
            break;
        at = (size_t)(percent - c->text);
        at = c->format->kind == CC_FORMAT_STRFTIME ? follow_time(c, at) : follow_directive(c, at);
    }
    if (c->format->first && !c->positions && c->next < c->call->n_arguments)
        cc_report(c->unit, CC_WARNING, c->call->arguments[c->next]->loc, "-Wformat-extra-args",
                  "too many arguments for format: %u of %u are used", c->next - (c->format->first - 1),
                  c->call->n_arguments - (c->format->first - 1));
}

static const CcFormat *format_of(const CcSymbol *function)
{
    if (function->format)
        return function->format;
    if (function->storage == CC_STATIC || function->body)
        return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(functions); i++)
        if (strcmp(functions[i].name, function->name) == 0)
            return &functions[i].format;
    return NULL;
}

static const CcExpr *string_below(const CcExpr *e)
{
    e = cc_tree_without_casts(e);
    if (e->kind == CC_DECAY && e->left->kind == CC_STRING && e->left->type->target->size == 1)
        return e->left;
    return NULL;
}

static void check_format(CcUnit *unit, const CcExpr *call, const CcFormat *format, const CcExpr *e, bool one_of_two)
{
    e = cc_tree_without_casts(e);
    if (e->kind == CC_CONDITIONAL && e->left) { /* each of the two may leave arguments unused */
        check_format(unit, call, format, e->left, true);
        check_format(unit, call, format, e->right, true);
        return;
    }
    const CcExpr *string = string_below(e);
    if (!string) {
        bool is_array = e->kind == CC_DECAY && e->left->type->target->qualifiers & CC_CONST;
        if (is_array || format->kind == CC_FORMAT_STRFTIME || cc_is_number(e))
            return;
        if (format->first && call->n_arguments < format->first && !one_of_two) {
            cc_report(unit, CC_WARNING, e->loc, "-Wformat-security",
                      "the format is not a string literal and there are no arguments; use \"%%s\"");
            CcLoc before = e->loc;
            before.length = 0;
            if (format->kind == CC_FORMAT_PRINTF)
                cc_report_fix(unit, before, "\"%s\", ");
        } else
            cc_report(unit, CC_WARNING, e->loc, "-Wformat-nonliteral", "the format is not a string literal");
        return;
    }
    Checker checker = {unit, call, string, format, string->string, string->string_size - 1, format->first - 1, false};
    checker.positions = one_of_two;
    check_string(&checker);
}

static bool check_call(const CcExpr *e, void *user)
{
    const CcSymbol *function = cc_tree_callee(e);
    const CcFormat *format = function ? format_of(function) : NULL;
    if (format && format->format <= e->n_arguments)
        check_format(user, e, format, e->arguments[format->format - 1], false);
    return true;
}

void cc_check_format(CcUnit *unit, CcSymbol *symbol)
{
    CcVisitor visitor = {NULL, check_call};
    cc_walk_statements(symbol->body->body, &visitor, unit);
}
