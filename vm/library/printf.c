/* printf.c - the printf family (C11 7.21.6.1, POSIX's n$ arguments, glibc's %m).
 *
 *   format --parse--> Directive --argument slots--> host snprintf of one conversion --> CSink --> string or file
 *
 * The format string is parsed here, because its arguments live in the rank's memory. The host's snprintf then renders
 * each number with the same flags, width and precision in the C locale, so the digits are glibc's own. Strings and
 * characters are rendered here. long double is double in the simulated data model: %Lf prints as %f.
 *
 * Variable arguments are 8-byte slots in rank memory. All slots have one size, so n$ can choose a slot by number
 * without a table of types. A number with a width or precision beyond MAX_FIELD fails with EOVERFLOW, so that no
 * gigantic field is built on the host.
 */
#include "vm/library/calls.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

enum { MAX_FIELD = 64 << 20, FLUSH_SIZE = 64 << 10, LONGEST_PLAIN = 128 };

/* -- sinks ------------------------------------------------------------------------------------- */

void vm_library_sink_init(CSink *sink)
{
    sink->bytes = sink->local;
    sink->used = 0;
    sink->capacity = sizeof sink->local;
    sink->limit = SIZE_MAX;
    sink->total = 0;
    sink->flush = NULL;
    sink->user = NULL;
    sink->wide = false;
}

void vm_library_sink_clear(CSink *sink)
{
    if (sink->bytes != sink->local)
        g_free(sink->bytes);
    sink->bytes = sink->local;
    sink->used = 0;
}

/* Makes room for at least one more byte. Returns for how many, at most `size`. */
static size_t sink_room(CSink *sink, size_t size)
{
    if (sink->flush && sink->used >= FLUSH_SIZE) {
        sink->flush(sink);
        sink->used = 0;
    }
    g_assert(sink->used <= sink->capacity && sink->capacity >= sizeof sink->local);
    if (sink->used == sink->capacity) {
        size_t capacity = sink->capacity * 2;
        if (sink->bytes == sink->local)
            sink->bytes = memcpy(g_malloc(capacity), sink->local, sink->used);
        else
            sink->bytes = g_realloc(sink->bytes, capacity);
        sink->capacity = capacity;
    }
    return MIN(size, sink->capacity - sink->used);
}

/* Number of characters in UTF-8 text: counts the bytes that begin one. */
static size_t characters_in(const char *bytes, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += (bytes[i] & 0xc0) != 0x80;
    return count;
}

static void sink_put(CSink *sink, const char *bytes, size_t size)
{
    sink->total += sink->wide ? characters_in(bytes, size) : size;
    size_t kept = MIN(size, sink->limit - MIN(sink->limit, sink->used));
    while (kept > 0) {
        size_t part = sink_room(sink, kept);
        memcpy(sink->bytes + sink->used, bytes, part);
        sink->used += part;
        bytes += part;
        kept -= part;
    }
}

static void sink_pad(CSink *sink, char byte, size_t size)
{
    char chunk[64];
    if (size == 0)
        return;
    memset(chunk, byte, sizeof chunk);
    if (!sink->flush && size > sink->limit - MIN(sink->limit, sink->used)) {
        sink->total += size - (sink->limit - MIN(sink->limit, sink->used));
        size = sink->limit - MIN(sink->limit, sink->used);
    }
    for (; size > 0; size -= MIN(size, sizeof chunk))
        sink_put(sink, chunk, MIN(size, sizeof chunk));
}

/* -- directives -------------------------------------------------------------------------------- */

typedef enum Length { LENGTH_NONE, LENGTH_HH, LENGTH_H, LENGTH_L, LENGTH_LL, LENGTH_LONG_DOUBLE } Length;

/* A directive of the format, with its flags. */
typedef struct Directive {
    bool left, plus, space, alternate, zero;
    int width;     /* -1: none */
    int precision; /* -1: none */
    Length length;
    char conversion;
} Directive;

/* One call of the printf family. */
typedef struct Printer {
    VmRank *rank;
    CSink *sink;
    uint64_t slots; /* address of the variable arguments */
    uint64_t next;  /* number of the next variable argument */
    int format_number;
    bool faulted;
    int error; /* errno of a failure; -1: a failure without errno; 0: none */
} Printer;

/* Variable argument number `index`, from 0. */
static uint64_t slot(Printer *printer, uint64_t index)
{
    if (printer->faulted)
        return 0;
    const CWord64 *place = vm_rank_read(printer->rank, printer->slots + index * 8, 8);
    if (!printer->slots || !place) {
        vm_rank_fault(printer->rank, VM_FAULT_LIBRARY, printer->slots + index * 8,
                      "%s: the format wants a variable argument number %" PRIu64 ", which was not passed",
                      vm_library_function_name(printer->rank), index + 1);
        printer->faulted = true;
        return 0;
    }
    return *place;
}

static uint64_t next_slot(Printer *printer)
{
    return slot(printer, printer->next++);
}

/* Parses decimal digits at *at. Returns INT_MAX if they do not fit. */
static int parse_number(const char **at)
{
    int64_t value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        value = MIN(value * 10 + (**at - '0'), INT_MAX);
    return (int)value;
}

/* Parses "n$" at *at and returns n. Returns 0 and consumes nothing if it is not there. */
static int parse_position(const char **at)
{
    const char *end = *at;
    int position = parse_number(&end);
    if (end == *at || *end != '$')
        return 0;
    *at = end + 1;
    return position;
}

static void parse_flags(const char **at, Directive *directive)
{
    for (;; ++*at) {
        switch (**at) {
        case '-': directive->left = true; break;
        case '+': directive->plus = true; break;
        case ' ': directive->space = true; break;
        case '#': directive->alternate = true; break;
        case '0': directive->zero = true; break;
        case '\'':
        case 'I': break; /* digit grouping and digits of the locale: none in "C" */
        default: return;
        }
    }
}

/* Parses a width or precision: a number, "*" or "*n$". Returns -1 if there is none. */
static int parse_amount(Printer *printer, const char **at)
{
    if (**at != '*')
        return **at >= '0' && **at <= '9' ? parse_number(at) : -1;
    ++*at;
    int position = parse_position(at);
    int value = c_int(position ? slot(printer, (uint64_t)position - 1) : next_slot(printer));
    return value;
}

static Length parse_length(const char **at)
{
    Length length = LENGTH_NONE;
    for (;; ++*at) {
        switch (**at) {
        case 'h': length = length == LENGTH_H ? LENGTH_HH : LENGTH_H; break;
        case 'l': length = length == LENGTH_L ? LENGTH_LL : LENGTH_L; break;
        case 'q':
        case 'j':
        case 'z':
        case 'Z':
        case 't': length = LENGTH_LL; break;
        case 'L': length = LENGTH_LONG_DOUBLE; break;
        default: return length;
        }
    }
}

/* Parses everything after '%'. *position is n of "n$", or 0. */
static Directive parse_directive(Printer *printer, const char **at, int *position)
{
    Directive directive = {.width = -1, .precision = -1};
    *position = parse_position(at);
    parse_flags(at, &directive);
    bool star = **at == '*';
    directive.width = parse_amount(printer, at);
    if (star && directive.width < 0) {
        directive.left = true;
        directive.width = directive.width == INT_MIN ? INT_MAX : -directive.width;
    }
    if (**at == '.') {
        ++*at;
        star = **at == '*';
        directive.precision = parse_amount(printer, at);
        if (!star && directive.precision < 0)
            directive.precision = 0;
        else if (directive.precision < -1)
            directive.precision = -1;
    }
    directive.length = parse_length(at);
    directive.conversion = **at;
    if (**at)
        ++*at;
    return directive;
}

/* -- conversions ------------------------------------------------------------------------------- */

/* Writes a number without leading zeros. Returns the end. */
static char *write_digits(char *to, uint64_t value, unsigned base, const char *digits)
{
    char backwards[24];
    unsigned count = 0;
    do
        backwards[count++] = digits[base == 10 ? value % 10 : value & (base - 1)];
    while ((value = base == 10 ? value / 10 : value >> (base == 8 ? 3 : 4)));
    while (count)
        *to++ = backwards[--count];
    return to;
}

/* Writes the directive as a host format, with width and precision as numbers. */
static void host_format(const Directive *directive, const char *length, char format[64])
{
    char *at = format;
    *at++ = '%';
    if (directive->left)
        *at++ = '-';
    if (directive->plus)
        *at++ = '+';
    if (directive->space)
        *at++ = ' ';
    if (directive->alternate)
        *at++ = '#';
    if (directive->zero)
        *at++ = '0';
    if (directive->width >= 0)
        at = write_digits(at, (uint64_t)directive->width, 10, "0123456789");
    if (directive->precision >= 0) {
        *at++ = '.';
        at = write_digits(at, (uint64_t)directive->precision, 10, "0123456789");
    }
    while (*length)
        *at++ = *length++;
    *at++ = directive->conversion;
    *at = '\0';
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

typedef union Number {
    long long integer;
    double real;
} Number;

/* %p looks for a pointer's bits where integers are passed: both are 64 bits wide. */

static int render(char *bytes, size_t size, const char *format, bool is_real, Number number)
{
    return is_real ? snprintf(bytes, size, format, number.real) : snprintf(bytes, size, format, number.integer);
}

#pragma GCC diagnostic pop

static void put_number(Printer *printer, const Directive *directive, bool is_real, Number number)
{
    g_assert(directive->width >= -1 && directive->precision >= -1 && strchr("diouxXpaAeEfFgG", directive->conversion));
    char format[64], local[512];
    if (directive->width > MAX_FIELD || directive->precision > MAX_FIELD) {
        printer->error = EOVERFLOW;
        return;
    }
    host_format(directive, is_real || directive->conversion == 'p' ? "" : "ll", format);
    int length = render(local, sizeof local, format, is_real, number);
    if (length < 0) {
        printer->error = EOVERFLOW;
    } else if ((size_t)length < sizeof local) {
        sink_put(printer->sink, local, (size_t)length);
    } else {
        g_autofree char *bytes = g_malloc((size_t)length + 1);
        render(bytes, (size_t)length + 1, format, is_real, number);
        sink_put(printer->sink, bytes, (size_t)length);
    }
}

/* Prints an integer of a directive that has no precision and no flags but '-' and '0', as most have none. */
static void put_plain_integer(Printer *printer, const Directive *directive, bool negative, uint64_t value)
{
    char conversion = directive->conversion, number[24], field[LONGEST_PLAIN];
    unsigned base = conversion == 'x' || conversion == 'X' ? 16 : conversion == 'o' ? 8 : 10;
    const char *digits = conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    size_t length = (size_t)(write_digits(number, value, base, digits) - number), width = length + negative;
    size_t padding = directive->width > (int)width ? (size_t)directive->width - width : 0;
    char *at = field;
    if (!directive->left && !directive->zero)
        at = (char *)memset(at, ' ', padding) + padding;
    if (negative)
        *at++ = '-';
    if (!directive->left && directive->zero)
        at = (char *)memset(at, '0', padding) + padding;
    at = (char *)memcpy(at, number, length) + length;
    if (directive->left)
        at = (char *)memset(at, ' ', padding) + padding;
    sink_put(printer->sink, field, (size_t)(at - field));
}

static void put_integer(Printer *printer, const Directive *directive, uint64_t value)
{
    bool is_signed = directive->conversion == 'd' || directive->conversion == 'i';
    switch (directive->length) {
    case LENGTH_HH: value = is_signed ? (uint64_t)(int8_t)value : (uint8_t)value; break;
    case LENGTH_H: value = is_signed ? (uint64_t)(int16_t)value : (uint16_t)value; break;
    case LENGTH_NONE: value = is_signed ? (uint64_t)(int32_t)value : (uint32_t)value; break;
    default: break;
    }
    if (directive->precision < 0 && directive->width < LONGEST_PLAIN && !directive->plus && !directive->space &&
        !directive->alternate) {
        bool negative = is_signed && (int64_t)value < 0;
        put_plain_integer(printer, directive, negative, negative ? -value : value);
        return;
    }
    put_number(printer, directive, false, (Number){.integer = (long long)value});
}

static void put_field(Printer *printer, const Directive *directive, const char *bytes, size_t size)
{
    size_t width = directive->width > 0 ? (size_t)directive->width : 0;
    size_t count = printer->sink->wide ? characters_in(bytes, size) : size;
    size_t padding = width > count ? width - count : 0;
    if (!directive->left)
        sink_pad(printer->sink, ' ', padding);
    sink_put(printer->sink, bytes, size);
    if (directive->left)
        sink_pad(printer->sink, ' ', padding);
}

/* Appends a wide character to the text: unchanged in wide text, otherwise as bytes of the rank's charset (EILSEQ if
 * there are none). Returns false if that failed, or if it would take more than `limit` bytes, which a precision
 * counts. */
static bool put_wide(Printer *printer, uint32_t wide, size_t limit, GString *text)
{
    char bytes[6];
    if (printer->sink->wide) {
        if (wide < 128)
            g_string_append_c(text, (char)wide);
        else
            g_string_append_unichar(text, wide <= INT32_MAX ? wide : 0xfffd);
        return true;
    }
    int length = vm_library_encode(vm_library_utf8(printer->rank), wide, bytes);
    if (length < 0)
        printer->error = EILSEQ;
    else if ((size_t)length <= limit)
        g_string_append_len(text, bytes, length);
    return length >= 0 && (size_t)length <= limit;
}

/* Converts a multibyte string for wide text, at most `limit` characters. No byte behind these is read. */
static bool widen(Printer *printer, uint64_t address, size_t limit, int number, GString *text)
{
    bool utf8 = vm_library_utf8(printer->rank);
    for (size_t count = 0; count < limit; count++) {
        char bytes[6];
        size_t size = 0;
        int length = 0;
        uint32_t character = 0;
        while (length == 0) {
            const char *byte = vm_library_read(printer->rank, address++, 1, number);
            if (!byte) {
                printer->faulted = true;
                return false;
            }
            bytes[size++] = *byte;
            length = vm_library_decode(utf8, bytes, size, &character);
        }
        if (length < 0) {
            printer->error = EILSEQ;
            return false;
        }
        if (character == 0)
            break;
        put_wide(printer, character, SIZE_MAX, text);
    }
    return true;
}

/* For a null pointer, glibc prints "(null)", or nothing if the precision is too small for it. */
static void put_string(Printer *printer, const Directive *directive, uint64_t address, int number)
{
    size_t limit = directive->precision >= 0 ? (size_t)directive->precision : SIZE_MAX;
    size_t length;
    if (address == 0) {
        put_field(printer, directive, "(null)", limit >= 6 ? 6 : 0);
    } else if (printer->sink->wide) {
        g_autoptr(GString) wide = g_string_new(NULL);
        if (widen(printer, address, limit, number, wide))
            put_field(printer, directive, wide->str, wide->len);
    } else {
        const char *text = vm_library_text(printer->rank, address, limit, number, &length);
        if (text)
            put_field(printer, directive, text, length);
        else
            printer->faulted = true;
    }
}

static void put_wide_string(Printer *printer, const Directive *directive, uint64_t address, int number)
{
    if (address == 0) {
        put_string(printer, directive, 0, number);
        return;
    }
    size_t limit = directive->precision >= 0 ? (size_t)directive->precision : SIZE_MAX;
    g_autoptr(GString) text = g_string_new(NULL);
    for (size_t count = 0; (printer->sink->wide ? count : text->len) < limit; count++) {
        const CWord32 *wide = vm_library_read(printer->rank, address + count * 4, 4, number);
        if (!wide)
            printer->faulted = true;
        if (!wide || *wide == 0 || !put_wide(printer, *wide, limit - text->len, text))
            break;
    }
    if (!printer->faulted && !printer->error)
        put_field(printer, directive, text->str, text->len);
}

/* %n: stores the count so far in an integer of the given length. */
static void store_count(Printer *printer, const Directive *directive, uint64_t address, int number)
{
    static const uint8_t sizes[] = {
        [LENGTH_NONE] = 4, [LENGTH_HH] = 1, [LENGTH_H] = 2, [LENGTH_L] = 8, [LENGTH_LL] = 8, [LENGTH_LONG_DOUBLE] = 8};
    g_assert(directive->length < G_N_ELEMENTS(sizes));
    unsigned size = sizes[directive->length];
    void *place = vm_library_write(printer->rank, address, size, number);
    if (place)
        memcpy(place, &printer->sink->total, size);
    else
        printer->faulted = true;
}

/* A directive that no rule covers is printed unchanged, as glibc does. */
static void put_unknown(Printer *printer, const char *start, const char *end)
{
    sink_put(printer->sink, start, (size_t)(end - start));
}

static void put_character(Printer *printer, const Directive *directive, uint64_t value)
{
    char byte = (char)value;
    if (directive->length != LENGTH_L && !printer->sink->wide) {
        put_field(printer, directive, &byte, 1);
        return;
    }
    g_autoptr(GString) text = g_string_new(NULL);
    if (directive->length == LENGTH_L)
        put_wide(printer, (uint32_t)value, SIZE_MAX, text);
    else if (printer->sink->wide && (value & 0xff) > 127)
        printer->error = -1; /* the byte has no wide character, and glibc sets no errno then */
    else
        g_string_append_c(text, (char)value);
    if (!printer->error)
        put_field(printer, directive, text->str, text->len);
}

static void convert(Printer *printer, Directive *directive, uint64_t value, int number)
{
    switch (directive->conversion) {
    case 'C': directive->length = LENGTH_L; /* fall through */
    case 'c': put_character(printer, directive, value); break;
    case 'S': directive->length = LENGTH_L; /* fall through */
    case 's':
        if (directive->length == LENGTH_L)
            put_wide_string(printer, directive, value, number);
        else
            put_string(printer, directive, value, number);
        break;
    case 'p': put_number(printer, directive, false, (Number){.integer = (long long)value}); break;
    case 'n': store_count(printer, directive, value, number); break;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X': put_integer(printer, directive, value); break;
    default: put_number(printer, directive, true, (Number){.real = c_double(value)}); break;
    }
}

/* Prints one directive; `at` is behind '%'. Returns the position behind the directive, or NULL if the format is
 * incomplete. */
static const char *print_directive(Printer *printer, const char *at)
{
    const char *start = at - 1;
    int position;
    Directive directive = parse_directive(printer, &at, &position);
    if (directive.conversion == '%') {
        sink_put(printer->sink, "%", 1);
    } else if (directive.conversion == 'm') {
        directive.conversion = 's';
        const char *text = strerrordesc_np(vm_library_errno(printer->rank));
        size_t length = strlen(text ? text : "Unknown error");
        if (directive.precision >= 0)
            length = MIN(length, (size_t)directive.precision);
        put_field(printer, &directive, text ? text : "Unknown error", length);
    } else if (directive.conversion == '\0') {
        printer->error = EINVAL;
        return NULL;
    } else if (!strchr("diouxXcCsSpnaAeEfFgG", directive.conversion)) {
        put_unknown(printer, start, at);
    } else {
        uint64_t index = position ? (uint64_t)position - 1 : printer->next++;
        uint64_t value = slot(printer, index);
        if (!printer->faulted)
            convert(printer, &directive, value, printer->format_number + 1 + (int)MIN(index, 1000));
    }
    return at;
}

/* Renders a format that is the host's own copy, because %n may overwrite the program's. */
static int format_text(Printer *printer, const char *at)
{
    CSink *sink = printer->sink;
    CLocale locale;
    vm_library_locale_begin(&locale);
    while (at && *at && !printer->faulted && !printer->error) {
        const char *end = strchrnul(at, '%');
        sink_put(sink, at, (size_t)(end - at));
        at = *end ? print_directive(printer, end + 1) : end;
    }
    vm_library_locale_end(&locale);
    if (!printer->error && !printer->faulted && sink->total > INT_MAX)
        printer->error = EOVERFLOW;
    if (printer->error > 0)
        vm_library_set_errno(printer->rank, printer->error);
    c_charge(printer->rank, MIN(sink->total, INT_MAX));
    return printer->faulted ? -2 : printer->error ? -1 : (int)sink->total;
}

int vm_library_format(VmRank *rank, CSink *sink, uint64_t format, int format_number, uint64_t slots)
{
    Printer printer = {.rank = rank, .sink = sink, .slots = slots, .format_number = format_number};
    const char *text = vm_library_string(rank, format, format_number);
    if (!text)
        return -2;
    char few[512];
    size_t size = strlen(text) + 1;
    g_autofree char *more = size > sizeof few ? g_malloc(size) : NULL;
    return format_text(&printer, memcpy(more ? more : few, text, size));
}

int vm_library_format_wide(VmRank *rank, CSink *sink, uint64_t format, int format_number, uint64_t slots)
{
    Printer printer = {.rank = rank, .sink = sink, .slots = slots, .format_number = format_number};
    g_autofree char *copy = vm_library_wide_string(rank, format, format_number);
    if (!copy)
        return -2;
    sink->wide = true;
    return format_text(&printer, copy);
}

/* -- into memory ------------------------------------------------------------------------------- */

/* Formats into the program's buffer at args[0], of `size` bytes. Output beyond the end of memory need not be kept,
 * because writing it would be a fault. */
static VmCallResult format_to_memory(VmRank *rank, uint64_t *args, uint64_t size, unsigned format_index)
{
    CSink sink;
    vm_library_sink_init(&sink);
    uint64_t memory_left =
        args[0] >= VCODE_SHARED_BASE ? vm_shared_room(rank, args[0]) : rank->heap_end - MIN(args[0], rank->heap_end);
    sink.limit = size ? MIN(size - 1, memory_left) : 0;
    int result = vm_library_format(rank, &sink, args[format_index], (int)format_index + 1, args[format_index + 1]);
    char *to = result != -2 && size ? c_write(0, sink.used + 1) : NULL;
    if (to) {
        memcpy(to, sink.bytes, sink.used);
        to[sink.used] = '\0';
    }
    vm_library_sink_clear(&sink);
    return result == -2 || (size && !to) ? VM_CALL_FAULT : c_return_int(args, result);
}

C_FUNCTION(sprintf)
{
    return format_to_memory(rank, args, INT_MAX, 1);
}

C_FUNCTION(vsprintf)
{
    return format_to_memory(rank, args, INT_MAX, 1);
}

C_FUNCTION(snprintf)
{
    return format_to_memory(rank, args, args[1], 2);
}

C_FUNCTION(vsnprintf)
{
    return format_to_memory(rank, args, args[1], 2);
}

C_FUNCTION(asprintf)
{
    CSink sink;
    vm_library_sink_init(&sink);
    int result = vm_library_format(rank, &sink, args[1], 2, args[2]);
    bool fine = result != -2 && c_write(0, 8);
    uint64_t address = 0;
    if (fine && result >= 0) {
        fine = vm_library_allocate(rank, sink.used + 1, &address);
        char *to = address ? vm_rank_write(rank, address, sink.used + 1) : NULL;
        if (to) {
            memcpy(to, sink.bytes, sink.used);
            to[sink.used] = '\0';
            memcpy(vm_memory_write(rank, args[0], 8), &address, 8);
        } else {
            result = -1;
        }
    }
    vm_library_sink_clear(&sink);
    return fine ? c_return_int(args, result) : VM_CALL_FAULT;
}

C_FUNCTION(vasprintf)
{
    return vm_library_c_asprintf(rank, args);
}
