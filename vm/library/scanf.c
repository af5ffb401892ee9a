/* scanf.c - the scanf family (C11 7.21.6.2, POSIX's n$ and m), as in glibc.
 *
 *   format --> Conversion --characters of a CSource, at most `width`--> GString --host strtol/strtod--> rank memory
 *
 * Only one character is ever pushed back, so what a failed match has consumed stays consumed: %i reads "0xg" as 0 and
 * leaves "g", %f reads "1e+x" as 1 and leaves "x". Both are glibc's behaviour, which programs may show. A directive
 * ends in one of three ways: a match, a matching failure (returns the count so far) or an input failure (returns EOF if
 * nothing was assigned).
 */
#include "vm/library/calls.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

typedef enum Outcome { MATCHED, MATCH_FAILED, INPUT_FAILED, FAULTED } Outcome;

/* A directive of the format. */
typedef struct Conversion {
    bool suppress, allocate;
    int width; /* characters that may still be read; INT_MAX: no limit */
    bool has_width;
    unsigned size; /* bytes of an integer; 8 for a real number: double */
    bool is_long;  /* 'l': wide characters, double */
    int position;  /* n of "n$", or 0 */
    char type;
    const char *set; /* first member of %[; the set ends at set_end */
    const char *set_end;
    bool inverted;
} Conversion;

/* One call of the scanf family. */
typedef struct Scanner {
    VmRank *rank;
    CSource *source;
    uint64_t slots, next;
    int format_number;
    int assigned;
    GString *text; /* characters of the item being read */
    bool wide;     /* the source gives wide characters; then format and text are in UTF-8 */
} Scanner;

/* -- characters -------------------------------------------------------------------------------- */

static int get(Scanner *scanner)
{
    int byte = scanner->source->get(scanner->source);
    if (byte >= 0)
        scanner->source->consumed++;
    return byte;
}

static void unget(Scanner *scanner, int byte)
{
    if (byte < 0)
        return;
    scanner->source->unget(scanner->source, byte);
    g_assert(scanner->source->consumed > 0);
    scanner->source->consumed--;
}

/* White space beyond ASCII exists only in wide characters. */
static bool is_space(const Scanner *scanner, int byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r') ||
           (byte > 127 && scanner->wide && vm_library_is_space(scanner->rank, byte));
}

static bool is_digit(int byte, int base)
{
    if (base == 16)
        return byte >= 0 && byte < 128 && g_ascii_isxdigit((char)byte);
    return byte >= '0' && byte < '0' + base;
}

static int lower(int byte)
{
    return byte >= 'A' && byte <= 'Z' ? byte + 32 : byte;
}

/* Returns the first character that is no white space, or -1. */
static int get_after_space(Scanner *scanner)
{
    int byte;
    do
        byte = get(scanner);
    while (is_space(scanner, byte));
    return byte;
}

static void keep(Scanner *scanner, int byte)
{
    if (scanner->wide)
        g_string_append_unichar(scanner->text, (gunichar)byte);
    else
        g_string_append_c(scanner->text, (char)byte);
}

/* -- assigning --------------------------------------------------------------------------------- */

/* Finds the address that the conversion assigns to. Returns false after a fault. */
static bool target(Scanner *scanner, const Conversion *conversion, uint64_t *address, int *number)
{
    uint64_t index = conversion->position ? (uint64_t)conversion->position - 1 : scanner->next++;
    *number = scanner->format_number + 1 + (int)MIN(index, 1000);
    const CWord64 *place = scanner->slots ? vm_rank_read(scanner->rank, scanner->slots + index * 8, 8) : NULL;
    if (place) {
        *address = *place;
        return true;
    }
    vm_rank_fault(scanner->rank, VM_FAULT_LIBRARY, scanner->slots,
                  "%s: the format wants a variable argument number %" PRIu64 ", which was not passed",
                  vm_library_function_name(scanner->rank), index + 1);
    return false;
}

static Outcome assign(Scanner *scanner, const Conversion *conversion, const void *value, size_t size)
{
    if (conversion->suppress)
        return MATCHED;
    uint64_t address;
    int number;
    if (!target(scanner, conversion, &address, &number))
        return FAULTED;
    void *to = vm_library_write(scanner->rank, address, size, number);
    if (!to)
        return FAULTED;
    memcpy(to, value, size);
    if (conversion->type != 'n')
        scanner->assigned++;
    return MATCHED;
}

/* Assigns the address of a new heap block with these bytes (%ms). */
static Outcome assign_allocated(Scanner *scanner, const Conversion *conversion, const void *bytes, size_t size)
{
    uint64_t block;
    if (conversion->suppress)
        return assign(scanner, conversion, "", 0);
    if (!vm_library_allocate(scanner->rank, size, &block))
        return FAULTED;
    void *to = block ? vm_rank_write(scanner->rank, block, size) : NULL;
    if (!to)
        return INPUT_FAILED;
    memcpy(to, bytes, size);
    return assign(scanner, conversion, &block, sizeof block);
}

/* Returns the collected bytes as wide characters; NULL if some bytes are no character. */
static uint32_t *widen(const Scanner *scanner, size_t *count)
{
    const GString *text = scanner->text;
    bool utf8 = scanner->wide || vm_library_utf8(scanner->rank);
    uint32_t *wide = g_new(uint32_t, text->len + 1);
    *count = 0;
    for (size_t at = 0; at < text->len;) {
        int length;
        if (scanner->wide) {
            wide[*count] = g_utf8_get_char(text->str + at);
            length = g_utf8_skip[(unsigned char)text->str[at]];
        } else {
            length = vm_library_decode(utf8, text->str + at, text->len - at, &wide[*count]);
        }
        if (length <= 0) {
            g_free(wide);
            return NULL;
        }
        at += (size_t)length;
        ++*count;
    }
    wide[*count] = 0;
    return wide;
}

/* Converts the collected wide characters to bytes of the rank's charset. Returns false if it lacks one of them. */
static bool narrow(const Scanner *scanner, GString *bytes)
{
    const GString *text = scanner->text;
    bool utf8 = vm_library_utf8(scanner->rank);
    for (size_t at = 0; at < text->len; at += (size_t)g_utf8_skip[(unsigned char)text->str[at]]) {
        char own[6];
        int length = vm_library_encode(utf8, g_utf8_get_char(text->str + at), own);
        if (length < 0)
            return false;
        g_string_append_len(bytes, own, length);
    }
    return true;
}

static Outcome assign_bytes(Scanner *scanner, const Conversion *conversion, const void *bytes, size_t size)
{
    return conversion->allocate ? assign_allocated(scanner, conversion, bytes, size)
                                : assign(scanner, conversion, bytes, size);
}

/* Assigns the collected characters, as a string or (%c) without NUL; wide characters with 'l'. */
static Outcome assign_text(Scanner *scanner, const Conversion *conversion)
{
    size_t end = conversion->type != 'c', count;
    g_autofree uint32_t *wide = conversion->is_long ? widen(scanner, &count) : NULL;
    g_autoptr(GString) bytes = g_string_new(NULL);
    bool fine = conversion->is_long ? wide != NULL : !scanner->wide || narrow(scanner, bytes);
    if (!fine) {
        vm_library_set_errno(scanner->rank, EILSEQ);
        return scanner->wide && conversion->type == 'c' ? INPUT_FAILED : MATCH_FAILED; /* as in glibc */
    }
    if (wide)
        return assign_bytes(scanner, conversion, wide, (count + end) * sizeof *wide);
    const GString *text = scanner->wide ? bytes : scanner->text;
    return assign_bytes(scanner, conversion, text->str, text->len + end);
}

/* -- conversions ------------------------------------------------------------------------------- */

/* Returns the next character of an item, or -1 at the end of the input or the width. */
static int item_get(Scanner *scanner, Conversion *conversion)
{
    g_assert(conversion->width >= 0);
    if (conversion->width == 0)
        return -1;
    conversion->width--;
    return get(scanner);
}

static int base_of(char type)
{
    switch (type) {
    case 'i': return 0;
    case 'o': return 8;
    case 'x':
    case 'X':
    case 'p': return 16;
    default: return 10;
    }
}

/* Collects the digits of an integer with sign and prefix. Returns false if there is no number. */
static bool collect_integer(Scanner *scanner, Conversion *conversion, int byte, int *base)
{
    bool has_sign = byte == '-' || byte == '+';
    if (has_sign) {
        keep(scanner, byte);
        byte = item_get(scanner, conversion);
    }
    if (byte == '0') {
        keep(scanner, byte);
        byte = item_get(scanner, conversion);
        if (lower(byte) == 'x' && (*base == 0 || *base == 16)) {
            *base = 16;
            byte = item_get(scanner, conversion);
        } else if (*base == 0) {
            *base = 8;
        }
    }
    if (*base == 0)
        *base = 10;
    for (; is_digit(byte, *base); byte = item_get(scanner, conversion))
        keep(scanner, byte);
    unget(scanner, byte);
    return scanner->text->len > has_sign;
}

static Outcome scan_integer(Scanner *scanner, Conversion *conversion)
{
    int base = base_of(conversion->type);
    int byte = get_after_space(scanner);
    if (byte < 0)
        return INPUT_FAILED;
    conversion->width--;
    if (!collect_integer(scanner, conversion, byte, &base))
        return MATCH_FAILED;
    bool is_signed = conversion->type == 'd' || conversion->type == 'i';
    errno = 0;
    uint64_t value =
        is_signed ? (uint64_t)strtoll(scanner->text->str, NULL, base) : strtoull(scanner->text->str, NULL, base);
    if (errno)
        vm_library_set_errno(scanner->rank, errno);
    return assign(scanner, conversion, &value, conversion->size);
}

/* Collects the letters of `word` from its second on. Returns false at a wrong one. */
static bool collect_word(Scanner *scanner, Conversion *conversion, const char *word)
{
    for (; *word; word++) {
        int byte = item_get(scanner, conversion);
        if (lower(byte) != *word) {
            unget(scanner, byte);
            return false;
        }
        keep(scanner, byte);
    }
    return true;
}

static bool collect_infinity(Scanner *scanner, Conversion *conversion)
{
    if (!collect_word(scanner, conversion, "nf"))
        return false;
    int byte = item_get(scanner, conversion);
    if (lower(byte) != 'i') {
        unget(scanner, byte);
        return true;
    }
    keep(scanner, byte);
    return collect_word(scanner, conversion, "nity");
}

/* Collects digits, point and exponent from `byte` on. Returns false if there is nothing but a sign, or only "0x". */
static bool collect_digits(Scanner *scanner, Conversion *conversion, int byte, size_t sign)
{
    bool digit = false, point = false, exponent = false, hex = false;
    if (byte == '0') {
        keep(scanner, byte);
        byte = item_get(scanner, conversion);
        hex = lower(byte) == 'x';
        digit = !hex;
        if (hex) {
            keep(scanner, byte);
            byte = item_get(scanner, conversion);
        }
    }
    int mark = hex ? 'p' : 'e';
    for (; byte >= 0; byte = item_get(scanner, conversion)) {
        int last = scanner->text->len ? scanner->text->str[scanner->text->len - 1] : 0;
        if (is_digit(byte, hex && !exponent ? 16 : 10))
            digit = true;
        else if (exponent && last == mark && (byte == '-' || byte == '+'))
            ;
        else if (digit && !exponent && lower(byte) == mark) {
            exponent = point = true;
            byte = mark;
        } else if (!point && byte == '.')
            point = true;
        else
            break;
        keep(scanner, byte);
    }
    unget(scanner, byte);
    return scanner->text->len > sign && !(hex && scanner->text->len == 2 + sign);
}

static Outcome assign_real(Scanner *scanner, const Conversion *conversion)
{
    CLocale locale;
    char *end;
    double value = 0;
    float short_value = 0;
    errno = 0;
    vm_library_locale_begin(&locale);
    if (conversion->is_long)
        value = strtod(scanner->text->str, &end);
    else
        short_value = strtof(scanner->text->str, &end);
    vm_library_locale_end(&locale);
    if (end == scanner->text->str)
        return MATCH_FAILED;
    if (errno)
        vm_library_set_errno(scanner->rank, errno);
    return conversion->is_long ? assign(scanner, conversion, &value, sizeof value)
                               : assign(scanner, conversion, &short_value, sizeof short_value);
}

static Outcome scan_real(Scanner *scanner, Conversion *conversion)
{
    int byte = get_after_space(scanner);
    if (byte < 0)
        return INPUT_FAILED;
    conversion->width--;
    bool has_sign = byte == '-' || byte == '+';
    if (has_sign) {
        keep(scanner, byte);
        byte = item_get(scanner, conversion);
        if (byte < 0)
            return MATCH_FAILED;
    }
    bool fine;
    if (lower(byte) == 'n' || lower(byte) == 'i') {
        keep(scanner, byte);
        fine = lower(byte) == 'n' ? collect_word(scanner, conversion, "an") : collect_infinity(scanner, conversion);
    } else {
        fine = collect_digits(scanner, conversion, byte, has_sign);
    }
    return fine ? assign_real(scanner, conversion) : MATCH_FAILED;
}

/* Returns the next character at *at of a format, in the form of the source's characters. */
static int format_character(const Scanner *scanner, const char **at)
{
    int member = scanner->wide ? (int)g_utf8_get_char(*at) : (unsigned char)**at;
    *at = scanner->wide ? g_utf8_next_char(*at) : *at + 1;
    return member;
}

/* Whether %[ accepts the character. The set has single members and ranges such as "a-z". */
static bool in_set(const Scanner *scanner, const Conversion *conversion, int byte)
{
    g_assert(conversion->set && conversion->set <= conversion->set_end);
    const char *at = conversion->set;
    bool found = false;
    while (at < conversion->set_end && !found) {
        int low = format_character(scanner, &at), high = low;
        if (at + 1 < conversion->set_end && *at == '-') {
            at++;
            high = format_character(scanner, &at);
        }
        found = byte >= low && byte <= high;
    }
    return found != conversion->inverted;
}

static bool takes(const Scanner *scanner, const Conversion *conversion, int byte)
{
    switch (conversion->type) {
    case 'c': return true;
    case 's': return !is_space(scanner, byte);
    default: return in_set(scanner, conversion, byte);
    }
}

/* Scans %s, %c or %[. A width counts characters. With 'l' from a source of bytes, the bytes that a character still
 * needs are `lacking`. */
static Outcome scan_text(Scanner *scanner, Conversion *conversion)
{
    bool multibyte = conversion->is_long && !scanner->wide && vm_library_utf8(scanner->rank);
    unsigned lacking = 0;
    int byte = conversion->type == 's' ? get_after_space(scanner) : get(scanner);
    if (byte < 0)
        return INPUT_FAILED;
    if (conversion->type == 'c' && !conversion->has_width)
        conversion->width = 1;
    while (byte >= 0 && takes(scanner, conversion, byte)) {
        keep(scanner, byte);
        unsigned length = multibyte && lacking == 0 ? vm_library_utf8_length((unsigned char)byte) : 1;
        lacking = lacking ? lacking - 1 : length ? length - 1 : 0;
        if (lacking == 0)
            conversion->width--;
        byte = conversion->width == 0 ? -1 : get(scanner);
    }
    unget(scanner, byte);
    return scanner->text->len ? assign_text(scanner, conversion) : MATCH_FAILED;
}

/* -- formats ----------------------------------------------------------------------------------- */

static int parse_number(const char **at)
{
    int64_t value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        value = MIN(value * 10 + (**at - '0'), INT_MAX);
    return (int)value;
}

static void parse_length(const char **at, Conversion *conversion)
{
    conversion->size = 4;
    for (;; ++*at) {
        switch (**at) {
        case 'h': conversion->size = conversion->size == 2 ? 1 : 2; break;
        case 'l':
        case 'q':
        case 'j':
        case 'z':
        case 'Z':
        case 't':
        case 'L':
            conversion->size = 8;
            conversion->is_long = true;
            break;
        default: return;
        }
    }
}

/* Parses the members of %[ up to the closing bracket. *at ends behind it. */
static bool parse_set(const char **at, Conversion *conversion)
{
    conversion->inverted = **at == '^';
    if (conversion->inverted)
        ++*at;
    conversion->set = *at;
    if (**at == ']')
        ++*at;
    while (**at && **at != ']')
        ++*at;
    conversion->set_end = *at;
    if (**at != ']')
        return false;
    ++*at;
    return true;
}

/* Parses everything behind '%'. Returns false if the directive is invalid. */
static bool parse_conversion(const char **at, Conversion *conversion)
{
    *conversion = (Conversion){.width = INT_MAX};
    const char *digits = *at;
    int number = parse_number(at);
    if (*at > digits && **at == '$') {
        ++*at;
        conversion->position = number;
        digits = *at;
        number = 0;
    }
    for (; **at == '*' || **at == '\'' || **at == 'I'; ++*at)
        conversion->suppress |= **at == '*';
    if (*at == digits || conversion->suppress) {
        digits = *at;
        number = parse_number(at);
    }
    conversion->has_width = *at > digits && number > 0;
    if (conversion->has_width)
        conversion->width = number;
    conversion->allocate = **at == 'm';
    if (conversion->allocate)
        ++*at;
    parse_length(at, conversion);
    conversion->type = **at;
    if (**at)
        ++*at;
    if (conversion->type == 'p')
        conversion->size = 8;
    if (conversion->type == 'S' || conversion->type == 'C') {
        conversion->is_long = true;
        conversion->type = conversion->type == 'S' ? 's' : 'c';
    }
    return conversion->type != '[' || parse_set(at, conversion);
}

static Outcome scan_percent(Scanner *scanner)
{
    int byte = get_after_space(scanner);
    if (byte == '%')
        return MATCHED;
    unget(scanner, byte);
    return byte < 0 ? INPUT_FAILED : MATCH_FAILED;
}

static Outcome scan_conversion(Scanner *scanner, const char **at)
{
    Conversion conversion;
    if (!parse_conversion(at, &conversion))
        return MATCH_FAILED;
    g_string_truncate(scanner->text, 0);
    switch (conversion.type) {
    case '%': return scan_percent(scanner);
    case 'n': return assign(scanner, &conversion, &scanner->source->consumed, conversion.size);
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p': return scan_integer(scanner, &conversion);
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return scan_real(scanner, &conversion);
    case 'c':
    case 's':
    case '[': return scan_text(scanner, &conversion);
    default: return MATCH_FAILED;
    }
}

static Outcome scan_literal(Scanner *scanner, int wanted)
{
    int byte = get(scanner);
    if (byte == wanted)
        return MATCHED;
    unget(scanner, byte);
    return byte < 0 ? INPUT_FAILED : MATCH_FAILED;
}

/* Scans by a format that is the host's own copy, because assignments may overwrite the program's. */
static int scan_text_format(Scanner *scanner, const char *at)
{
    scanner->text = g_string_new(NULL);
    Outcome outcome = MATCHED;
    while (*at && outcome == MATCHED) {
        int byte = format_character(scanner, &at);
        if (byte == '%')
            outcome = scan_conversion(scanner, &at);
        else if (is_space(scanner, byte))
            unget(scanner, get_after_space(scanner));
        else
            outcome = scan_literal(scanner, byte);
    }
    g_string_free(scanner->text, TRUE);
    c_charge(scanner->rank, scanner->source->consumed);
    if (outcome == FAULTED)
        return -2;
    return outcome == INPUT_FAILED && !scanner->assigned ? -1 : scanner->assigned;
}

int vm_library_scan(VmRank *rank, CSource *source, uint64_t format, int format_number, uint64_t slots)
{
    const char *text = vm_library_string(rank, format, format_number);
    if (!text)
        return -2;
    g_autofree char *copy = g_strdup(text);
    Scanner scanner = {.rank = rank, .source = source, .slots = slots, .format_number = format_number};
    return scan_text_format(&scanner, copy);
}

int vm_library_scan_wide(VmRank *rank, CSource *source, uint64_t format, int format_number, uint64_t slots)
{
    g_autofree char *copy = vm_library_wide_string(rank, format, format_number);
    if (!copy)
        return -2;
    Scanner scanner = {.rank = rank, .source = source, .slots = slots, .format_number = format_number, .wide = true};
    return scan_text_format(&scanner, copy);
}

/* -- from memory ------------------------------------------------------------------------------- */

static int text_get(CSource *source)
{
    return source->text < source->end ? (unsigned char)*source->text++ : -1;
}

static void text_unget(CSource *source, int byte)
{
    (void)byte;
    source->text--;
}

C_FUNCTION(sscanf)
{
    const char *text = c_string(0);
    if (!text)
        return VM_CALL_FAULT;
    CSource source = {.get = text_get, .unget = text_unget, .text = text, .end = text + strlen(text)};
    int result = vm_library_scan(rank, &source, args[1], 2, args[2]);
    return result == -2 ? VM_CALL_FAULT : c_return_int(args, result);
}

C_FUNCTION(vsscanf)
{
    return vm_library_c_sscanf(rank, args);
}
