/* literals.c - values of number, character and string literals (C11 6.4.4, 6.4.5).
 *
 * An integer has the first type of 6.4.4.1p5 that holds it. A floating constant is read by strtod() in the C locale,
 * which rounds correctly and knows hexadecimal. A string becomes bytes in the arena; a wide one has units of 16 or 32
 * bits.
 */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- numbers ----------------------------------------------------------------------------------- */

typedef struct Suffix { /* of a number: u, l, ll, f, i */
    bool is_unsigned, is_float, is_imaginary;
    int longs; /* number of l: 0 to 2 */
} Suffix;

/* Reads a suffix, whose letters may have any valid order. Returns false if it is not valid. */
static bool read_suffix(const char *text, size_t length, bool real, Suffix *suffix)
{
    *suffix = (Suffix){0};
    for (size_t i = 0; i < length; i++) {
        char c = g_ascii_tolower(text[i]);
        if (c == 'u' && !real && !suffix->is_unsigned)
            suffix->is_unsigned = true;
        else if (c == 'f' && real && !suffix->is_float && !suffix->longs)
            suffix->is_float = true;
        else if ((c == 'i' || c == 'j') && !suffix->is_imaginary)
            suffix->is_imaginary = true;
        else if (c == 'l' && !suffix->longs && !suffix->is_float) {
            suffix->longs = 1;
            if (!real && i + 1 < length && text[i + 1] == text[i]) {
                suffix->longs = 2;
                i++;
            }
        } else
            return false;
    }
    return true;
}

static CcExpr *bad_number(CcParser *p, const char *text, size_t length, const char *what, CcLoc loc)
{
    cc_front_error(p, loc, "%s '%.*s'", what, (int)MIN(length, 60), text);
    return cc_sema_error_expr(p, loc);
}

/* Returns the type of an integer constant (C11 6.4.4.1p5). */
static CcKind integer_kind(uint64_t value, bool decimal, const Suffix *suffix)
{
    if (suffix->longs < 1) {
        if (!suffix->is_unsigned && value <= INT32_MAX)
            return CC_INT;
        if ((suffix->is_unsigned || !decimal) && value <= UINT32_MAX)
            return CC_UINT;
    }
    bool fits = value <= INT64_MAX && !suffix->is_unsigned;
    if (suffix->longs < 2)
        return fits ? CC_LONG : CC_ULONG;
    return fits ? CC_LLONG : CC_ULLONG;
}

static CcExpr *imaginary(CcParser *p, CcKind kind, double value, CcLoc loc)
{
    CcExpr *e = cc_sema_expr_new(p, CC_NUMBER, p->basic[kind], loc, NULL, NULL);
    e->imaginary = kind == CC_CFLOAT ? (double)(float)value : value;
    return e;
}

static CcExpr *integer_literal(CcParser *p, const char *text, size_t length, CcLoc loc)
{
    unsigned base = 10;
    size_t i = 0;
    if (length > 2 && text[0] == '0' && (text[1] | 32) == 'x')
        base = 16, i = 2;
    else if (length > 2 && text[0] == '0' && (text[1] | 32) == 'b')
        base = 2, i = 2;
    else if (text[0] == '0')
        base = 8;
    uint64_t value = 0;
    bool overflow = false;
    size_t first = i;
    for (; i < length; i++) {
        int digit = base == 16 ? g_ascii_xdigit_value(text[i]) : g_ascii_digit_value(text[i]);
        if (digit < 0)
            break;
        if (digit >= (int)base)
            return bad_number(p, text, length,
                              base == 8 ? "invalid digit in octal constant" : "invalid digit in constant", loc);
        overflow |= value > (UINT64_MAX - (uint64_t)digit) / base;
        value = value * base + (uint64_t)digit;
    }
    Suffix suffix;
    if (i == first || !read_suffix(text + i, length - i, false, &suffix))
        return bad_number(p, text, length, "invalid suffix on integer constant", loc);
    if (overflow && p->inquiry)
        cc_front_error(p, loc, "this number does not fit into 64 bits");
    else if (overflow)
        cc_front_warning(p, loc, NULL, "integer constant is too large for its type");
    if (suffix.is_imaginary)
        return imaginary(p, CC_CDOUBLE, (double)value, loc);
    CcKind kind = integer_kind(value, base == 10, &suffix);
    if (base == 10 && kind == CC_ULONG && !suffix.is_unsigned && !overflow)
        cc_front_warning(p, loc, NULL, "integer constant is so large that it is unsigned");
    return cc_sema_integer(p, p->basic[kind], value, loc);
}

static CcExpr *real_literal(CcParser *p, const char *text, size_t length, CcLoc loc)
{
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* the locale of the user may have a decimal comma */
    char *copy = g_strndup(text, length), *end;
    double value = strtod_l(copy, &end, c_locale);
    size_t used = (size_t)(end - copy);
    Suffix suffix;
    bool hexadecimal = length > 1 && (text[1] | 32) == 'x';
    bool good = used > 0 && read_suffix(text + used, length - used, true, &suffix);
    if (good && hexadecimal && !memchr(text, 'p', length) && !memchr(text, 'P', length)) {
        g_free(copy);
        freelocale(c_locale);
        return bad_number(p, text, length, "hexadecimal floating constant needs an exponent:", loc);
    }
    float single = good && suffix.is_float ? strtof_l(copy, NULL, c_locale) : 0; /* round once, not to double first */
    g_free(copy);
    freelocale(c_locale);
    if (!good)
        return bad_number(p, text, length, "invalid number", loc);
    if (isinf(suffix.is_float ? (double)single : value))
        cc_front_warning(p, loc, "-Woverflow", "floating constant exceeds the range of its type");
    if (suffix.is_imaginary)
        return imaginary(p, suffix.is_float ? CC_CFLOAT : suffix.longs ? CC_CLDOUBLE : CC_CDOUBLE, value, loc);
    if (suffix.is_float)
        return cc_sema_real(p, p->basic[CC_FLOAT], (double)single, loc);
    return cc_sema_real(p, p->basic[suffix.longs ? CC_LDOUBLE : CC_DOUBLE], value, loc);
}

CcExpr *cc_sema_number_literal(CcParser *p, const char *text, size_t length, CcLoc loc)
{
    bool hexadecimal = length > 1 && text[0] == '0' && (text[1] | 32) == 'x';
    for (size_t i = 0; i < length; i++) {
        char c = (char)(text[i] | 32);
        if (text[i] == '.' || (hexadecimal ? c == 'p' : c == 'e'))
            return real_literal(p, text, length, loc);
    }
    return integer_literal(p, text, length, loc);
}

/* -- characters -------------------------------------------------------------------------------- */

/* Reads the characters of a character or string literal. */
typedef struct Reader {
    const char *at, *end; /* the rest of the literal */
    CcLoc loc;
} Reader;

static uint32_t read_digits(CcParser *p, Reader *r, unsigned base, unsigned most, unsigned least)
{
    uint64_t value = 0;
    unsigned n = 0;
    for (; n < most && r->at < r->end; n++, r->at++) {
        int digit = g_ascii_xdigit_value(*r->at);
        if (digit < 0 || digit >= (int)base)
            break;
        value = MIN(value * base + (uint64_t)digit, (uint64_t)1 << 40);
    }
    if (n < least)
        cc_front_error(p, r->loc,
                       least == 1 ? "\\x used with no following hex digits" : "incomplete universal character name");
    if (value > UINT32_MAX)
        cc_front_warning(p, r->loc, NULL, "escape sequence out of range");
    return (uint32_t)value;
}

static uint32_t read_universal(CcParser *p, Reader *r, unsigned digits)
{
    uint32_t code = read_digits(p, r, 16, digits, digits);
    if (!g_unichar_validate(code)) {
        cc_front_error(p, r->loc, "\\%c%0*x is not a valid universal character", digits == 4 ? 'u' : 'U', (int)digits,
                       code);
        return '?';
    }
    return code;
}

static uint32_t read_escape(CcParser *p, Reader *r, bool *raw)
{
    char c = *r->at++;
    *raw = true;
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'v': return '\v';
    case 'e':
    case 'E': return 27; /* GNU: \e is ESC */
    case 'x': return read_digits(p, r, 16, UINT_MAX, 1);
    case 'u': *raw = false; return read_universal(p, r, 4);
    case 'U': *raw = false; return read_universal(p, r, 8);
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7': r->at--; return read_digits(p, r, 8, 3, 1);
    case '\\':
    case '\'':
    case '"':
    case '?': return (unsigned char)c;
    default:
        cc_front_warning(p, r->loc, NULL, "unknown escape sequence: '\\%c'", g_ascii_isprint(c) ? c : '?');
        return (unsigned char)c;
    }
}

/* Reads the next code. A narrow literal takes source bytes as they are, a wide one decodes UTF-8. *raw: the code is the
 * value of a unit, not a character code. */
static uint32_t read_code(CcParser *p, Reader *r, bool wide, bool *raw)
{
    unsigned char c = (unsigned char)*r->at++;
    if (c == '\\' && r->at < r->end)
        return read_escape(p, r, raw);
    *raw = true;
    if (!wide || c < 0x80)
        return c;
    gunichar code = g_utf8_get_char_validated(r->at - 1, r->end - r->at + 1);
    if (code == (gunichar)-1 || code == (gunichar)-2)
        return c;
    r->at = g_utf8_next_char(r->at - 1);
    *raw = false;
    return code;
}

/* Appends a code in units of `size` bytes. A character code becomes UTF-8, UTF-16 or UTF-32; a raw code is one unit. */
static void append_code(GString *out, uint32_t code, bool raw, unsigned size)
{
    if (size == 1 && !raw && code >= 0x80) {
        g_string_append_unichar(out, code);
        return;
    }
    uint32_t units[2] = {code, 0};
    unsigned n = 1;
    if (size == 2 && !raw && code > 0xffff) {
        units[0] = 0xd800 + ((code - 0x10000) >> 10);
        units[1] = 0xdc00 + ((code - 0x10000) & 0x3ff);
        n = 2;
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned byte = 0; byte < size; byte++)
            g_string_append_c(out, (char)(units[i] >> (8 * byte)));
}

/* Returns the type of the elements that the prefix says, and the offset of the quote. */
static CcKind read_prefix(const char *text, size_t *quote)
{
    *quote = 0;
    if (text[0] == 'L')
        return *quote = 1, CC_INT;
    if (text[0] == 'U')
        return *quote = 1, CC_UINT;
    if (text[0] == 'u' && text[1] == '8')
        return *quote = 2, CC_CHAR;
    if (text[0] == 'u')
        return *quote = 1, CC_USHORT;
    return CC_CHAR;
}

CcExpr *cc_sema_character_literal(CcParser *p, const char *text, size_t length, CcLoc loc)
{
    size_t quote;
    CcKind kind = read_prefix(text, &quote);
    bool wide = kind != CC_CHAR;
    Reader r = {text + quote + 1, text + length - 1, loc};
    if (r.at == r.end) {
        cc_front_error(p, loc, "empty character constant");
        return cc_sema_error_expr(p, loc);
    }
    GString *bytes = g_string_new(NULL);
    uint32_t code = 0;
    unsigned n = 0;
    while (r.at < r.end) {
        bool raw;
        code = read_code(p, &r, wide, &raw);
        if (!wide)
            append_code(bytes, code, raw, 1);
        n++;
    }
    uint32_t value = 0;
    for (gsize i = 0; i < bytes->len; i++)
        value = value << 8 | (unsigned char)bytes->str[i];
    int64_t result = (int32_t)value;
    if (!wide && bytes->len == 1)
        result = (int64_t)cc_type_canonical(p->basic[CC_CHAR], (unsigned char)bytes->str[0]);
    else if (!wide)
        cc_front_warning(p, loc, "-Wmultichar",
                         bytes->len > 4 ? "character constant too long for its type; a string stands in double quotes"
                                        : "multi-character character constant");
    else if (n > 1)
        cc_front_warning(p, loc, NULL, "character constant too long for its type");
    g_string_free(bytes, TRUE);
    CcType *type = p->basic[wide ? kind : CC_INT];
    return cc_sema_integer(p, type, cc_type_canonical(type, wide ? code : (uint64_t)result), loc);
}

CcExpr *cc_sema_string_literal(CcParser *p, const CcText *pieces, const CcLoc *locations, size_t n)
{
    CcKind kind = CC_CHAR;
    bool utf8 = false;
    for (size_t i = 0; i < n; i++) {
        size_t quote;
        CcKind piece = read_prefix(pieces[i].bytes, &quote);
        utf8 |= quote == 2;
        if (piece == CC_CHAR && !(quote == 2 && kind != CC_CHAR))
            continue;
        if ((kind != CC_CHAR && kind != piece) || (utf8 && piece != CC_CHAR)) /* 6.4.5p2 */
            cc_front_error(p, locations[i], "string literals of different kinds cannot be joined");
        kind = piece;
    }
    unsigned size = (unsigned)p->basic[kind]->size;
    GString *out = g_string_new(NULL);
    for (size_t i = 0; i < n; i++) {
        size_t quote;
        read_prefix(pieces[i].bytes, &quote);
        Reader r = {pieces[i].bytes + quote + 1, pieces[i].bytes + pieces[i].size - 1, locations[i]};
        while (r.at < r.end) {
            bool raw;
            uint32_t code = read_code(p, &r, size > 1, &raw);
            append_code(out, code, raw, size);
        }
    }
    append_code(out, 0, true, size);
    CcExpr *e = cc_sema_expr_new(p, CC_STRING, cc_type_array_of(p, p->basic[kind], out->len / size),
                                 cc_front_join_locs(locations[0], locations[n - 1]), NULL, NULL);
    e->lvalue = true;
    e->string = cc_arena_strdup(p->arena, out->str, out->len);
    e->string_size = out->len;
    g_string_free(out, TRUE);
    return e;
}
