/* terminals.c - turns raw tokens into the terminals of the grammar.
 *
 * It decides what names are (keyword, type, other) and joins adjacent string literals (C11 5.1.1.2, phase 6). It drops
 * __extension__ and the attributes of C23. Inside __attribute__((...)) it returns all names as plain names, and skips
 * the arguments of attributes that have no effect here. A small queue allows it to look ahead.
 *
 * A name that is no type may be where only a type can be, because another name follows. It is reported here and taken
 * for a type from then on, so that the parser does not lose its way.
 */
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/sema/sema.h"
#include "compiler/syntax/directives.h"
#include "compiler/syntax/mend.h"
#include "compiler/syntax/token_queue.h"
#include "compiler/syntax/tokens.h"
#include "compiler/tree/tree.h"
#include "grammar.h"

#include <string.h>

/* -- names ------------------------------------------------------------------------------------- */

/* Returns the identifier of a name. Universal character names in its spelling become UTF-8 (C11 6.4.3). */
static CcIdent *name_of(CcParser *p, const CcToken *token)
{
    if (!memchr(token->text, '\\', token->length))
        return cc_scope_ident(p, token->text, token->length);
    GString *name = g_string_new(NULL);
    for (size_t i = 0; i < token->length;) {
        if (token->text[i] != '\\') {
            g_string_append_c(name, token->text[i++]);
            continue;
        }
        size_t digits = token->text[i + 1] == 'u' ? 4 : 8;
        gunichar c = 0;
        for (size_t k = 0; k < digits; k++)
            c = c * 16 + (gunichar)g_ascii_xdigit_value(token->text[i + 2 + k]);
        if (g_unichar_validate(c))
            g_string_append_unichar(name, c);
        else
            cc_front_error(p, token->loc, "not a valid universal character name");
        i += 2 + digits;
    }
    CcIdent *ident = cc_scope_ident(p, name->str, name->len);
    g_string_free(name, TRUE);
    return ident;
}

/* Whether the unknown name just read must be meant as a type, because a name follows, or "*name" where that is no
 * product. */
static bool looks_like_type(CcParser *p)
{
    int before = p->queue->previous.kind;
    if (p->enumerating)
        return false;
    if (before == STRUCT || before == UNION || before == ENUM || before == GOTO || before == '.' || before == ARROW)
        return false;
    if (before == TYPE_NAME || (before >= AUTO && before <= THREAD_LOCAL && before != CONST && before != VOLATILE &&
                                before != STATIC && before != EXTERN && before != TYPEDEF && before != REGISTER &&
                                before != INLINE && before != ELSE && before != DO && before != NORETURN &&
                                before != THREAD_LOCAL && before != ATOMIC && before != SIZEOF && before != RESTRICT))
        return false; /* a type is before it, or an operand must come here */
    const CcToken *next = cc_token_peek(p, 0);
    unsigned ahead = 0;
    if (next->kind == '*' && (!p->function || before == ';' || before == '{' || before == '}')) {
        while (ahead < 3 && cc_token_peek(p, ahead)->kind == '*')
            ahead++;
        next = cc_token_peek(p, ahead);
        if (p->function && p->scope->kind != CC_SCOPE_PROTOTYPE) { /* a * b; could be a product */
            if (next->kind != RAW_NAME || cc_scope_ident(p, next->text, next->length)->ordinary)
                return false;
            int after = cc_token_peek(p, ahead + 1)->kind;
            if (after != ';' && after != '=' && after != ',')
                return false;
        }
    }
    return next->kind == RAW_NAME && cc_scope_ident(p, next->text, next->length)->keyword == 0;
}

static bool is_specifier(int keyword)
{
    static const int words[] = {CHAR, SHORT, INT,  LONG,   FLOAT,  DOUBLE, SIGNED,   UNSIGNED, VOID,
                                BOOL, CONST, LONG, STATIC, EXTERN, INLINE, REGISTER, VOLATILE};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (keyword == words[i])
            return true;
    return false;
}

/* Returns the struct, union or enum whose tag was written without that word, and reports it. NULL: there is none. */
static CcType *tag_meant(CcParser *p, const CcIdent *ident, CcLoc loc)
{
    static const char *const words[] = {[CC_STRUCT] = "struct", [CC_UNION] = "union", [CC_ENUM] = "enum"};
    CcType *type = ident->tag ? ident->tag->type : NULL;
    if (!type)
        return NULL;
    g_autofree char *name = g_strdup_printf("%s %s", words[type->kind], ident->text);
    cc_front_error(p, loc, "unknown type name '%s'; did you mean '%s'?", ident->text, name);
    cc_report_fix(p->unit, loc, name);
    return type;
}

static int unknown_type(CcParser *p, CcIdent *ident, CcLoc loc)
{
    CcType *type = tag_meant(p, ident, loc);
    const char *header = type ? NULL : cc_library_header_of(ident->text);
    const char *like = header || type || cc_hint_foreign(ident->text) ? NULL : cc_hint_suggest(p, ident->text, false);
    const CcIdent *near = like ? cc_scope_ident(p, like, strlen(like)) : NULL;
    CcSymbol *meant = near ? cc_scope_lookup(near) : NULL;
    if (!header && cc_mpi_words_has(p->unit, ident->text))
        header = "mpi.h";
    if (header) {
        if (!cc_hint_told_header(p, header, true))
            cc_front_error(p, loc, "unknown type name '%s'; include <%s>", ident->text, header);
    } else if (near && (near->keyword || (meant && meant->kind == CC_SYM_TYPEDEF))) {
        cc_front_error(p, loc, "unknown type name '%s'; did you mean '%s'?", ident->text, like);
        cc_report_fix(p->unit, loc, like);
    } else if (!type) {
        const char *foreign = cc_hint_foreign(ident->text);
        cc_front_error(p, loc, "unknown type name '%s'%s", ident->text, foreign ? foreign : "");
    }
    if (near && is_specifier(near->keyword))
        return near->keyword;
    type = type ? type : meant && meant->kind == CC_SYM_TYPEDEF ? meant->type : p->error_type;
    CcSymbol *symbol = cc_scope_new_symbol(p, CC_SYM_TYPEDEF, ident->text, type, loc);
    cc_scope_bind(p, p->file_scope, ident, symbol);
    return TYPE_NAME;
}

static int classify_name(CcParser *p, CcIdent *ident, const CcToken *token)
{
    const CcSymbol *symbol = cc_scope_lookup(ident);
    if (symbol)
        return symbol->kind == CC_SYM_TYPEDEF ? TYPE_NAME : IDENTIFIER;
    int meant = cc_mend_name(p, ident, token);
    if (meant)
        return meant;
    CcLoc loc = token->loc;
    return looks_like_type(p) ? unknown_type(p, ident, loc) : IDENTIFIER;
}

/* -- tokens with an inside --------------------------------------------------------------------- */

/* Ends the call and the statement here. An unterminated literal has taken the rest of its line with it. */
static void close_call(CcParser *p, CcLoc loc)
{
    CcTokenQueue *q = p->queue;
    if (cc_bracket_parentheses(q) == 0 || cc_bracket_parentheses(q) + 1 + q->count > G_N_ELEMENTS(q->items))
        return;
    cc_token_push_front(p, ';', loc);
    for (unsigned i = cc_bracket_parentheses(q); i > 0; i--)
        cc_token_push_front(p, ')', loc);
}

static CcExpr *join_strings(CcParser *p, const CcToken *first)
{
    CcTokenQueue *q = p->queue;
    g_array_set_size(q->pieces, 0);
    g_array_set_size(q->locations, 0);
    CcToken token = *first;
    for (;;) {
        CcText piece = {token.text, token.length, NULL};
        g_array_append_val(q->pieces, piece);
        g_array_append_val(q->locations, token.loc);
        if (cc_token_peek(p, 0)->kind != STRING)
            break;
        cc_token_next(p, &token);
    }
    return cc_sema_string_literal(p, (const CcText *)(void *)q->pieces->data, (const CcLoc *)(void *)q->locations->data,
                                  q->pieces->len);
}

static bool is_among(const CcIdent *ident, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(ident->text, names[i]) == 0)
            return true;
    return false;
}

/* Whether the arguments of the attribute are parsed as expressions. Those of others are skipped or read as text. */
static bool has_known_arguments(const CcIdent *ident)
{
    static const char *const names[] = {"aligned",         "__aligned__", "alias",          "__alias__", "constructor",
                                        "__constructor__", "destructor",  "__destructor__", "weakref",   "__weakref__"};
    return is_among(ident, names, G_N_ELEMENTS(names));
}

/* Whether the arguments of the attribute become part of its name. They are no expressions, as in mode(NAME), or matter
 * for warnings only. */
static bool is_read_as_text(const CcIdent *ident)
{
    static const char *const names[] = {"mode",        "__mode__",   "format",         "__format__", "nonnull",
                                        "__nonnull__", "deprecated", "__deprecated__", "warning",    "__warning__"};
    return is_among(ident, names, G_N_ELEMENTS(names));
}

/* Reads the arguments of an attribute and returns name and arguments as one name, "format(printf,1,2)", without the
 * underscores that the name may have. */
static CcIdent *read_as_text(CcParser *p, const CcIdent *name)
{
    CcToken token;
    size_t edge = name->text[0] == '_' ? 2 : 0;
    GString *text = g_string_new_len(name->text + edge, (gssize)(name->length - 2 * edge));
    cc_token_next(p, &token);
    g_string_append_c(text, '(');
    for (unsigned depth = 1; depth > 0 && !p->stop;) {
        cc_token_next(p, &token);
        if (token.kind == 0) {
            cc_token_keep_end(p, &token);
            break;
        }
        depth += token.kind == '(';
        depth -= token.kind == ')';
        if (text->len < 1000)
            g_string_append_len(text, token.text, (gssize)MIN(token.length, 400));
    }
    CcIdent *ident = cc_scope_ident(p, text->str, text->len);
    g_string_free(text, TRUE);
    return ident;
}

static int attribute_name(CcParser *p, CcIdent **name)
{
    CcIdent *ident = *name;
    if (cc_token_peek(p, 0)->kind == '(' && is_read_as_text(ident)) {
        *name = read_as_text(p, ident);
        return ATTRIBUTE_NAME;
    }
    if (cc_token_peek(p, 0)->kind == '(' && !has_known_arguments(ident)) {
        CcToken open;
        cc_token_next(p, &open);
        cc_token_skip_group(p, '(', ')');
    }
    return ATTRIBUTE_NAME;
}

/* Counts the brackets of an __attribute__. Returns whether a name here is the name of an attribute. */
static bool within_attribute(CcParser *p, int kind)
{
    CcTokenQueue *q = p->queue;
    if (q->attribute == 0)
        return false;
    if (kind == '(')
        q->attribute++;
    else if (kind == ')' && --q->attribute == 1)
        q->attribute = 0;
    else if (kind == 0 || kind == ';' || kind == '{' || kind == '}')
        q->attribute = 0;
    return q->attribute == 3;
}

static const char *skip_space(const char *at)
{
    while (g_ascii_isspace(*at) || *at == '#')
        at = *at == '#' ? at + strcspn(at, "\n") : at + 1;
    return at;
}

/* Returns the text behind the ) that closes the ( at `at`. Brackets in strings do not count. */
static const char *skip_brackets(const char *at)
{
    unsigned depth = 0;
    do {
        if (*at == '"')
            for (at++; *at && *at != '"' && *at != '\n'; at++)
                at += *at == '\\' && at[1];
        depth += *at == '(';
        depth -= *at == ')';
    } while (*at && *at++ && depth);
    return at;
}

/* Whether a declarator begins here, not a parameter: it starts with a *, or with a name that is no type. */
static bool begins_declarator(CcParser *p, const char *at)
{
    size_t length = 0;
    while (g_ascii_isalnum(at[length]) || at[length] == '_')
        length++;
    if (length == 0 || g_ascii_isdigit(*at))
        return *at == '*';
    const CcIdent *ident = cc_scope_ident(p, at, length);
    const CcSymbol *symbol = cc_scope_lookup(ident);
    return !ident->keyword && !(symbol && symbol->kind == CC_SYM_TYPEDEF);
}

/* Returns the number of attributes from this one on, if they are at the start of a declarator in parentheses, as in
 * int (__attribute__((cdecl)) *)(void), and 0 otherwise. The grammar cannot tell them from those that begin a
 * parameter.
 */
static unsigned attributes_of_declarator(CcParser *p, const CcToken *token)
{
    static const char word[] = "__attribute";
    unsigned n = 0;
    const char *at = p->unit->seen->text + (token->text - p->text_start);
    for (; strncmp(at, word, strlen(word)) == 0; n++) {
        at += strlen(word);
        at = skip_space(at + strspn(at, "_"));
        if (*at != '(')
            return 0;
        at = skip_space(skip_brackets(at));
    }
    return begins_declarator(p, at) ? n : 0;
}

static int attribute_token(CcParser *p, const CcToken *token)
{
    CcTokenQueue *q = p->queue;
    q->attribute = 1;
    if (q->previous.kind == '(')
        q->in_declarator = attributes_of_declarator(p, token);
    if (q->in_declarator == 0)
        return ATTRIBUTE;
    q->in_declarator--;
    return DECLARATOR_ATTRIBUTE;
}

static int name_token(CcParser *p, CcToken *token, CC_SYNTAX_STYPE *value, bool attribute)
{
    CcIdent *ident = name_of(p, token);
    value->ident = ident;
    if (p->unit->uses)
        cc_uses_probe(p, ident->text, p->queue->previous.kind);
    if (attribute)
        return attribute_name(p, &value->ident);
    int kind = ident->keyword;
    switch (kind) {
    case 0: kind = classify_name(p, ident, token); break;
    case ATOMIC: kind = cc_token_peek(p, 0)->kind == '(' ? ATOMIC_TYPE : ATOMIC; break; /* C11 6.7.2.4p4 */
    case ATTRIBUTE: kind = attribute_token(p, token); break;
    default: break;
    }
    if (kind == CONSTANT) /* a word of another language, in place of an operand */
        value->expr = cc_sema_error_expr(p, token->loc);
    return kind;
}

static int literal_token(CcParser *p, CcToken *token, CC_SYNTAX_STYPE *value)
{
    switch (token->kind) {
    case RAW_NUMBER: value->expr = cc_sema_number_literal(p, token->text, token->length, token->loc); return CONSTANT;
    case RAW_CHARACTER:
        value->expr = cc_sema_character_literal(p, token->text, token->length, token->loc);
        return CONSTANT;
    case STRING: value->expr = join_strings(p, token); return STRING_LITERAL;
    default: /* RAW_BAD: an unterminated literal, which has been reported */
        p->damaged = 2;
        close_call(p, token->loc);
        value->expr = cc_sema_error_expr(p, token->loc);
        if (memchr(token->text, '"', MIN(token->length, 3))) {
            CcText piece = {"\"\"", 2, NULL};
            value->expr = cc_sema_string_literal(p, &piece, &token->loc, 1);
            return STRING_LITERAL;
        }
        return CONSTANT;
    }
}

/* Skips an attribute [[...]] of C23, which may be in many places. Only a [[noreturn]] that begins a declaration has an
 * effect. */
static int standard_attribute(CcParser *p)
{
    CcTokenQueue *q = p->queue;
    CcToken token;
    cc_token_next(p, &token);
    const CcToken *name = cc_token_peek(p, 0);
    int before = q->previous.kind;
    bool begins = before == 0 || before == ';' || before == '{' || before == '}';
    bool noreturn_ = name->kind == RAW_NAME && cc_scope_ident(p, name->text, name->length)->keyword == 0 &&
                     ((name->length == 8 && memcmp(name->text, "noreturn", 8) == 0));
    cc_token_skip_group(p, '[', ']');
    if (cc_token_peek(p, 0)->kind == ']')
        cc_token_next(p, &token);
    return begins && noreturn_ ? NORETURN : EXTENSION;
}

/* Returns the terminal of a token in a directive of OpenMP. */
static int directive_token(CcParser *p, CcToken *token, CC_SYNTAX_STYPE *value)
{
    bool begins = token->kind == OMP_PRAGMA;
    int kind = begins ? cc_directive_begin(p, token, value) : cc_directive_token(p, token, value);
    if (kind || token->kind == 0)
        return kind;
    if (token->kind == RAW_NAME)
        return name_token(p, token, value, false);
    bool literal =
        token->kind == RAW_NUMBER || token->kind == RAW_CHARACTER || token->kind == STRING || token->kind == RAW_BAD;
    return literal ? literal_token(p, token, value) : token->kind;
}

int cc_syntax_lex(CC_SYNTAX_STYPE *value, CcLoc *loc, CcParser *p);
int cc_syntax_lex(CC_SYNTAX_STYPE *value, CcLoc *loc, CcParser *p)
{
    CcToken token;
    int kind;
    if (p->inquiry && !p->inquiry_begun) {
        p->inquiry_begun = true;
        *loc = (CcLoc){0, 1, 1, 0};
        return INQUIRY;
    }
    do {
        cc_token_next(p, &token);
        value->ident = NULL;
        if (token.kind == OMP_PRAGMA || p->queue->directive.kind) {
            kind = directive_token(p, &token, value);
            continue;
        }
        if (p->damaged == 1 || (p->damaged && token.kind == ';' && token.length > 0))
            p->damaged--;
        if (!p->inquiry && !cc_mend(p, &token)) {
            kind = EXTENSION;
            continue;
        }
        bool attribute = within_attribute(p, token.kind);
        kind = token.kind;
        p->queue->last_name = token;
        value->ident = NULL;
        if (kind == RAW_NAME)
            kind = name_token(p, &token, value, attribute);
        else if (kind == RAW_NUMBER || kind == RAW_CHARACTER || kind == STRING || kind == RAW_BAD)
            kind = literal_token(p, &token, value);
        else if (kind == '[' && cc_token_peek(p, 0)->kind == '[')
            kind = standard_attribute(p);
        else
            cc_bracket(p, &token);
    } while (kind == EXTENSION);
    if (p->inquiry && kind == 0) /* the end of a unit is in no report */
        token.loc = (CcLoc){p->file, p->line, (uint16_t)MIN(p->unit->seen->size + 1, UINT16_MAX), 1};
    p->queue->previous_ident = value->ident;
    p->queue->before = p->queue->previous.kind;
    p->last_token = p->queue->previous.loc;
    p->queue->previous = token;
    p->queue->previous.kind = kind == OMP_END ? ';' : kind;
    cc_bracket_tell(p);
    *loc = token.loc;
    return p->stop ? 0 : kind;
}
