/* parse.c - runs scanner, grammar and sema over the text of a unit, which yields its typed tree. */
#include "compiler/front/front.h"
#include "compiler/sema/sema.h"
#include "compiler/syntax/syntax.h"
#include "compiler/syntax/tokens.h"
#include "compiler/tree/tree.h"
#include "grammar.h"

#include <string.h>

/* Declares the type names that every unit has. */
static void declare_predefined(CcParser *p)
{
    static const CcLoc nowhere = {0, 0, 0, 0};
    CcSymbol *list =
        cc_scope_new_symbol(p, CC_SYM_TYPEDEF, "__builtin_va_list", cc_type_copy(p, p->char_pointer), nowhere);
    list->type->name = "va_list";
    cc_scope_bind(p, p->file_scope, cc_scope_ident(p, list->name, strlen(list->name)), list);
    static const char *const wide[] = {"__int128_t", "__uint128_t"};
    for (int i = 0; i < 2; i++) {
        CcSymbol *symbol = cc_scope_new_symbol(p, CC_SYM_TYPEDEF, wide[i], p->basic[CC_INT128 + i], nowhere);
        cc_scope_bind(p, p->file_scope, cc_scope_ident(p, wide[i], strlen(wide[i])), symbol);
    }
}

static void parser_open(CcParser *p, CcUnit *unit, const char *text, size_t size)
{
    p->unit = unit;
    p->arena = unit->arena;
    p->line = 1;
    p->file_names = g_hash_table_new(g_str_hash, g_str_equal);
    p->linkage = g_hash_table_new(g_str_hash, g_str_equal);
    cc_scope_init(p);
    cc_types_init(p);
    p->file_scope = cc_scope_push(p, CC_SCOPE_FILE);
    guint8 ordinary = 0;
    g_ptr_array_add(unit->files, (gpointer)unit->name);
    g_byte_array_append(unit->seen->system, &ordinary, 1);
    g_array_set_size(unit->seen->includers, 1);
    g_hash_table_insert(p->file_names, (gpointer)unit->name, GUINT_TO_POINTER(1));
    cc_tokens_open(p, text, size);
    declare_predefined(p);
}

static void parser_close(CcParser *p)
{
    cc_tokens_close(p);
    g_hash_table_destroy(p->file_names);
    g_hash_table_destroy(p->linkage);
    g_free(p->names.buckets);
}

bool cc_syntax_read_inquiry(CcUnit *unit, CcInquired *inquiry)
{
    CcParser parser = {.inquiry = inquiry};
    parser_open(&parser, unit, unit->seen->text, unit->seen->size);
    inquiry->declare(&parser, inquiry->user);
    bool read = cc_syntax_parse(&parser) == 0 && !parser.stop;
    parser_close(&parser);
    return read;
}

bool cc_syntax_is_member_sign(int token)
{
    return token == '.' || token == ARROW;
}

bool cc_syntax_is_tag_word(int token)
{
    return token == STRUCT || token == UNION || token == ENUM;
}

bool cc_syntax_read(CcUnit *unit)
{
    CcParser parser = {0};
    parser_open(&parser, unit, unit->seen->text, unit->seen->size);
    bool read = cc_syntax_parse(&parser) == 0 && !parser.stop;
    if (read)
        cc_sema_end_of_unit(&parser);
    parser_close(&parser);
    return read && !parser.stop;
}
