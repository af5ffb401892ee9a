/* characters.c - properties of characters: classes, widths, cases, UTF-8, spellings in ASCII.
 *
 * The tables (wide_characters.def) are part of the simulator, so no result depends on the locales of its host. The
 * rank's setlocale() (runtime/locale.c) selects the charset of its characters, ASCII or UTF-8.
 */
#include "vm/library/calls.h"

typedef struct Kind {
    uint16_t classes;
    int8_t width;
    int32_t lower, upper;
} Kind;

typedef struct Run {
    uint32_t first;
    uint16_t kind;
} Run;

typedef struct Spelling {
    uint32_t character;
    const char *text;
} Spelling;

static const Kind kinds[] = {
#define KIND(classes, width, lower, upper) {classes, width, lower, upper},
#include "vm/library/wide_characters.def"
};

static const Run runs[] = {
#define RUN(first, kind) {first, kind},
#include "vm/library/wide_characters.def"
};

static const Spelling spellings[] = {
#define SPELLING(character, text) {character, text},
#include "vm/library/wide_characters.def"
};

static const Kind *kind_of(uint32_t character)
{
    static const Kind none = {.width = -1};
    size_t low = 0, high = G_N_ELEMENTS(runs);
    if (character > 0x10ffff)
        return &none;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (runs[middle].first <= character)
            low = middle;
        else
            high = middle;
    }
    g_assert(runs[low].first <= character && runs[low].kind < G_N_ELEMENTS(kinds));
    return &kinds[runs[low].kind];
}

bool vm_library_utf8(VmRank *rank)
{
    return vm_library_of(rank)->utf8;
}

bool vm_library_is_space(VmRank *rank, int character)
{
    if (character < 128 || !vm_library_utf8(rank))
        return character == ' ' || (character >= '\t' && character <= '\r');
    return kind_of((uint32_t)character)->classes & 8192;
}

unsigned vm_library_utf8_length(unsigned char lead)
{
    return lead < 0x80   ? 1
           : lead < 0xc2 ? 0
           : lead < 0xe0 ? 2
           : lead < 0xf0 ? 3
           : lead < 0xf8 ? 4
           : lead < 0xfc ? 5
           : lead < 0xfe ? 6
                         : 0;
}

int vm_library_decode(bool utf8, const char *bytes, size_t size, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000};
    unsigned char lead = (unsigned char)bytes[0];
    unsigned length = utf8 || lead < 0x80 ? vm_library_utf8_length(lead) : 0;
    if (length <= 1) {
        *character = lead;
        return length ? 1 : -1;
    }
    uint32_t value = lead & (0x7fU >> length);
    for (unsigned i = 1; i < length; i++) {
        if (i == size)
            return 0;
        if ((bytes[i] & 0xc0) != 0x80)
            return -1;
        value = value << 6 | (bytes[i] & 0x3f);
    }
    *character = value;
    return value < least[length] || (value >> 11) == 0xd800 >> 11 ? -1 : (int)length;
}

int vm_library_encode(bool utf8, uint32_t character, char bytes[6])
{
    if (character < 128) {
        bytes[0] = (char)character;
        return 1;
    }
    bool fine = utf8 && character <= INT32_MAX && (character >> 11) != 0xd800 >> 11;
    return fine ? g_unichar_to_utf8(character, bytes) : -1;
}

const char *vm_library_spelling(uint32_t character)
{
    size_t low = 0, high = G_N_ELEMENTS(spellings);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spellings[middle].character == character)
            return spellings[middle].text;
        if (spellings[middle].character < character)
            low = middle + 1;
        else
            high = middle;
    }
    return "?";
}

/* -- wide strings -------------------------------------------------------------------------------- */

char *vm_library_wide_string(VmRank *rank, uint64_t address, int number)
{
    GString *text = g_string_new(NULL);
    for (;; address += 4) {
        const CWord32 *wide = vm_library_read(rank, address, 4, number);
        if (!wide) {
            g_string_free(text, TRUE);
            return NULL;
        }
        if (*wide == 0)
            return g_string_free(text, FALSE);
        g_string_append_unichar(text, *wide <= INT32_MAX ? *wide : 0xfffd);
    }
}

/* -- for the runtime --------------------------------------------------------------------------- */

C_FUNCTION(__orrery_utf8)
{
    return c_return_int(args, vm_library_utf8(rank));
}

C_FUNCTION(__orrery_set_utf8)
{
    vm_library_of(rank)->utf8 = c_int(args[0]) != 0;
    return c_return_int(args, 0);
}

/* The classes of a character beyond ASCII, and above them (from bit 16) its width + 1. */
C_FUNCTION(__orrery_wide_class)
{
    const Kind *kind = kind_of((uint32_t)args[0]);
    return c_return_int(args, vm_library_utf8(rank) ? kind->classes | (kind->width + 1) << 16 : 0);
}

/* A character beyond ASCII in the other case: upper case if the second argument says so. */
C_FUNCTION(__orrery_wide_case)
{
    uint32_t character = (uint32_t)args[0];
    const Kind *kind = kind_of(character);
    if (vm_library_utf8(rank))
        character += (uint32_t)(c_int(args[1]) ? kind->upper : kind->lower);
    return c_return(args, character);
}
