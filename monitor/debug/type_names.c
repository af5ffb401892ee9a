/* type_names.c - the names of types that a debugger's user writes in casts and sizeof.
 *
 * Arithmetic types are those of C, with their words in any order (C11 6.7.2). Tags of structs, unions and enums and
 * typedef names are looked up among the types of the program's variables.
 */
#include "monitor/debug/type_names.h"
#include "monitor/report/report.h"
#include "vm/value.h"

#include <string.h>

typedef struct Words { /* how often each word was seen */
    int is_signed, is_unsigned, is_short, is_long, is_char, is_int, is_double, is_float, is_bool, is_void;
} Words;

static const struct {
    const char *word;
    size_t offset; /* offset in Words; SIZE_MAX: a qualifier */
} words[] = {
    {"signed", offsetof(Words, is_signed)},
    {"unsigned", offsetof(Words, is_unsigned)},
    {"short", offsetof(Words, is_short)},
    {"long", offsetof(Words, is_long)},
    {"char", offsetof(Words, is_char)},
    {"int", offsetof(Words, is_int)},
    {"double", offsetof(Words, is_double)},
    {"float", offsetof(Words, is_float)},
    {"_Bool", offsetof(Words, is_bool)},
    {"bool", offsetof(Words, is_bool)},
    {"void", offsetof(Words, is_void)},
    {"const", SIZE_MAX},
    {"volatile", SIZE_MAX},
};

static char *next_word(const char **at)
{
    const char *start = *at + strspn(*at, " \t"), *end = start;
    while (g_ascii_isalnum(*end) || *end == '_')
        end++;
    if (end == start || g_ascii_isdigit(*start))
        return NULL;
    *at = end;
    return g_strndup(start, (gsize)(end - start));
}

static bool count_word(Words *seen, const char *word)
{
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(words[i].word, word) == 0) {
            if (words[i].offset != SIZE_MAX)
                (*(int *)((char *)seen + words[i].offset))++;
            return true;
        }
    return false;
}

static bool any(const Words *seen)
{
    static const Words none;
    return memcmp(seen, &none, sizeof none) != 0;
}

static MonTypeName arithmetic(const Words *seen)
{
    if (seen->is_float || seen->is_double)
        return (MonTypeName){.kind = VCODE_TYPE_FLOAT, .size = seen->is_float ? 4 : 8};
    if (seen->is_bool)
        return (MonTypeName){.kind = VCODE_TYPE_BOOL, .size = 1};
    unsigned size = seen->is_char ? 1 : seen->is_short ? 2 : seen->is_long ? 8 : 4;
    return (MonTypeName){.kind = seen->is_unsigned ? VCODE_TYPE_UNSIGNED : VCODE_TYPE_SIGNED, .size = size};
}

static bool same_scalar(const VcodeType *type, const MonTypeName *name)
{
    bool kind = type->kind == name->kind ||
                (type->kind == VCODE_TYPE_CHAR && name->kind == VCODE_TYPE_SIGNED && name->size == 1);
    return kind && type->size == name->size;
}

static uint32_t find_scalar(const VcodeModule *module, const MonTypeName *name)
{
    uint32_t found = VCODE_NONE;
    for (uint32_t i = 0; i < module->types.count; i++) /* char is preferred to signed char */
        if (same_scalar(&module->types.items[i], name) &&
            (found == VCODE_NONE || module->types.items[i].kind == VCODE_TYPE_CHAR))
            found = i;
    return found;
}

static uint32_t find_named(const VcodeModule *module, uint32_t kind, const char *name)
{
    for (uint32_t i = 0; i < module->types.count; i++)
        if (module->types.items[i].kind == kind && strcmp(vcode_text(module, module->types.items[i].name), name) == 0)
            return i;
    return VCODE_NONE;
}

static uint32_t find_pointer(const VcodeModule *module, uint32_t target)
{
    for (uint32_t i = 0; i < module->types.count; i++)
        if (module->types.items[i].kind == VCODE_TYPE_POINTER && module->types.items[i].target == target)
            return i;
    return VCODE_NONE;
}

static bool refuse(GError **error, const char *format, const char *name)
{
    g_autofree char *text = g_strdup_printf("%s '%s'", format, name);
    g_set_error_literal(error, MON_ERROR, MON_ERROR_EXPRESSION, text);
    return false;
}

/* Takes the specifiers in front of the stars. Sets *base to the module's type; or, for arithmetic types, *base to
 * VCODE_NONE and *type. */
static bool take_base(const VcodeModule *module, const char **at, uint32_t *base, MonTypeName *type, Words *seen,
                      GError **error)
{
    for (;;) {
        const char *before = *at;
        g_autofree char *word = next_word(at);
        if (word && count_word(seen, word))
            continue;
        uint32_t kind = g_strcmp0(word, "struct") == 0  ? VCODE_TYPE_STRUCT
                        : g_strcmp0(word, "union") == 0 ? VCODE_TYPE_UNION
                        : g_strcmp0(word, "enum") == 0  ? VCODE_TYPE_ENUM
                                                        : VCODE_TYPE_VOID;
        if (kind != VCODE_TYPE_VOID) {
            g_autofree char *tag = next_word(at);
            *base = tag ? find_named(module, kind, tag) : VCODE_NONE;
            return *base != VCODE_NONE || refuse(error, "the program has no such type:", tag ? tag : word);
        }
        if (word && !any(seen) && (*base = find_named(module, VCODE_TYPE_TYPEDEF, word)) != VCODE_NONE)
            return true;
        *at = before;
        if (!any(seen))
            return false;
        *type = arithmetic(seen);
        return true;
    }
}

/* Sets the type that a tag or typedef name stands for. Of a struct or union only the size is known (for sizeof). */
static void scalar_of(const VcodeModule *module, uint32_t base, MonTypeName *type)
{
    const VcodeType *record = vm_type_record(module, vm_type_strip(module, base));
    switch (record ? record->kind : VCODE_TYPE_VOID) {
    case VCODE_TYPE_POINTER: *type = (MonTypeName){.pointer = true, .target = record->target}; break;
    case VCODE_TYPE_CHAR:
    case VCODE_TYPE_ENUM: *type = (MonTypeName){.kind = VCODE_TYPE_SIGNED, .size = (unsigned)record->size}; break;
    case VCODE_TYPE_BOOL:
    case VCODE_TYPE_SIGNED:
    case VCODE_TYPE_UNSIGNED:
    case VCODE_TYPE_FLOAT: *type = (MonTypeName){.kind = record->kind, .size = (unsigned)record->size}; break;
    default: *type = (MonTypeName){.kind = VCODE_TYPE_STRUCT, .size = record ? (unsigned)record->size : 1};
    }
}

static int take_stars(const char **at)
{
    int stars = 0;
    for (;;) {
        const char *start = *at;
        *at += strspn(*at, " \t");
        g_autofree char *word = next_word(at);
        if (g_strcmp0(word, "const") == 0 || g_strcmp0(word, "volatile") == 0)
            continue;
        if (word || **at != '*') {
            *at = start;
            return stars;
        }
        ++*at;
        stars++;
    }
}

bool mon_take_type(const VcodeModule *module, const char **text, MonTypeName *type, GError **error)
{
    const char *at = *text;
    uint32_t base = VCODE_NONE;
    Words seen = {0};
    if (!take_base(module, &at, &base, type, &seen, error))
        return false;
    g_autofree char *name = g_strndup(*text, (gsize)(at - *text));
    int stars = take_stars(&at);
    if (stars == 0 && seen.is_void)
        return refuse(error, "nothing can become", "void");
    if (stars == 0 && base != VCODE_NONE)
        scalar_of(module, base, type);
    if (stars > 0) {
        if (base == VCODE_NONE && !seen.is_void && (base = find_scalar(module, type)) == VCODE_NONE)
            return refuse(error, "no variable of the program has the type", name);
        for (int i = 1; i < stars; i++)
            if ((base = find_pointer(module, base)) == VCODE_NONE)
                return refuse(error, "the program has no pointers to pointers to", name);
        *type = (MonTypeName){.pointer = true, .target = base};
    }
    *text = at;
    return true;
}
