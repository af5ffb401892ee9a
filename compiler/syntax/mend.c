/* mend.c - corrects tokens that cannot be C to what was meant.
 *
 * Most syntax errors of beginners are a token too many, a token too few, or a token of another language. Two or three
 * neighbouring tokens and the bracket around them show the mistake, before the parser loses its way. The table `mends`
 * has a function for each such mistake. It reports the real cause once, and changes the tokens to what was meant, so
 * that no further reports follow. None of them may fire on a valid program: each says why its tokens are not valid.
 *
 * The indentation of braces is checked too, as people do. A } indented less than the line of its { was most likely
 * written for another {.
 */
#include "compiler/syntax/mend.h"

#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/syntax/token_queue.h"
#include "compiler/syntax/tokens.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* -- what stands around a token ---------------------------------------------------------------- */

static bool is_type_word(int kind)
{
    return kind == CHAR || kind == SHORT || kind == INT || kind == LONG || kind == FLOAT || kind == DOUBLE ||
           kind == SIGNED || kind == UNSIGNED || kind == VOID || kind == BOOL;
}

static bool is_type_start(int kind)
{
    return is_type_word(kind) || kind == STRUCT || kind == UNION || kind == ENUM;
}

static bool is_sign(const CcToken *token, char sign)
{
    return token->length == 1 && token->text[0] == sign;
}

static int keyword_of(CcParser *p, const CcToken *token)
{
    return token->kind == RAW_NAME && token->length ? cc_scope_ident(p, token->text, token->length)->keyword : 0;
}

/* Whether a function definition like T f(...) { begins at the token. Old-style definitions are not recognised. */
static bool begins_function(const CcParser *p, const CcToken *token)
{
    enum { LONGEST = 2000 };
    const char *at = cc_mend_text_from(p, token);
    char last = 0;
    for (const char *stop = at ? at + MIN(LONGEST, cc_mend_text_end(p) - at) : at; at < stop; at++) {
        if (*at == '{')
            return last == ')';
        if (strchr(";={}\"'#", *at))
            return false;
        if (!g_ascii_isspace(*at))
            last = *at;
    }
    return false;
}

/* -- braces that are missing ------------------------------------------------------------------- */

/* Reports which { is not closed, as far as the indentation tells. */
static void tell_unclosed(CcParser *p)
{
    CcTokenQueue *q = p->queue;
    const CcBracket *open = NULL;
    for (unsigned n = q->n_open; n > 0 && !open; n--)
        if (q->open[n - 1].sign == '{')
            open = &q->open[n - 1];
    bool suspect = q->mend.suspect.sign != 0;
    if (suspect)
        open = &q->mend.suspect;
    q->mend.told_unclosed = true;
    if (!open || p->stop)
        return;
    uint32_t before = suspect && !open->left_line ? q->mend.suspect_closed : open->left_line;
    if (before)
        cc_front_error(p, open->loc, "this '{' is never closed; by the indentation a '}' is missing before line %u",
                       before);
    else
        cc_front_error(p, open->loc, "this '{' is never closed: a '}' is missing");
}

static void close_all(CcParser *p, const CcToken *token, bool semicolon)
{
    CcTokenQueue *q = p->queue;
    unsigned braces = 0;
    for (unsigned i = 0; i < q->n_open; i++)
        braces += q->open[i].sign == '{';
    (void)cc_token_put_back(p, token);
    if (semicolon)
        cc_token_push_front(p, ';', token->loc);
    q->mend.to_close = braces;
}

/* An unclosed {: the source ends, or a line begins a function definition no deeper than the function or struct that is
 * still open. */
static bool mend_unclosed(CcParser *p, CcToken *token)
{
    CcTokenQueue *q = p->queue;
    const CcBracket *innermost = cc_bracket_innermost(q);
    int before = q->previous.kind;
    if (!innermost || innermost->sign != '{' || q->mend.to_close || (before != ';' && before != '}' && before != '{'))
        return true;
    bool at_end = token->kind == 0, record = q->open[0].role == CC_IN_RECORD;
    if (at_end && (!p->function || q->mend.told_unclosed))
        return true;
    if (!at_end) {
        bool first = false;
        int word = keyword_of(p, token);
        const CcSymbol *symbol =
            token->kind == RAW_NAME ? cc_scope_lookup(cc_scope_ident(p, token->text, token->length)) : NULL;
        bool type = is_type_start(word) || word == STATIC || word == INLINE || word == EXTERN || word == CONST ||
                    (symbol && symbol->kind == CC_SYM_TYPEDEF);
        unsigned indent =
            type && token->loc.line != q->previous.loc.line ? cc_bracket_indent(p, token, &first) : UINT_MAX;
        if (!first || q->open[0].indent == UINT_MAX || indent > q->open[0].indent || (!p->function && !record) ||
            !begins_function(p, token))
            return true;
    }
    tell_unclosed(p);
    close_all(p, token, record);
    return false;
}

/* Notes the first line that begins no deeper than the innermost {, because the } should be before it. */
static void watch_indent(CcParser *p, const CcToken *token)
{
    CcTokenQueue *q = p->queue;
    CcBracket *innermost = q->n_open ? &q->open[q->n_open - 1] : NULL;
    if (!innermost || innermost->sign != '{' || innermost->left_line || innermost->indent == UINT_MAX ||
        token->loc.line == q->previous.loc.line || token->kind == '}' || token->kind == '{' || token->kind == 0)
        return;
    int word = keyword_of(p, token);
    bool first = false;
    if (word == CASE || word == DEFAULT || (token->kind == RAW_NAME && cc_token_peek(p, 0)->kind == ':'))
        return; /* labels are often at the depth of their switch */
    unsigned indent = cc_bracket_indent(p, token, &first);
    if (first && indent <= innermost->indent)
        innermost->left_line = token->loc.line;
}

/* A } at file scope, which closes nothing: it is left out. */
static bool mend_extra(CcParser *p, CcToken *token)
{
    CcTokenQueue *q = p->queue;
    if (token->kind != '}' || q->n_open || !token->length || p->function)
        return true;
    if (!q->mend.outside && !q->mend.told_unclosed) {
        cc_front_error(p, token->loc, "this '}' closes nothing: there is one '}' too many");
        if (q->mend.last_end.line && q->mend.last_end.file == token->loc.file)
            cc_front_note(p, q->mend.last_end, "the function before it ends here");
    }
    return false;
}

/* Statements at file scope: the function has ended before them. They are recognised by words and names that cannot
 * begin a declaration. */
static bool mend_outside(CcParser *p, CcToken *token)
{
    static const int words[] = {IF, FOR, WHILE, DO, SWITCH, RETURN, BREAK, CONTINUE, GOTO, CASE, DEFAULT, ELSE};
    CcTokenQueue *q = p->queue;
    int before = q->previous.kind, word = keyword_of(p, token);
    if (q->n_open || p->function || token->kind != RAW_NAME || (before != ';' && before != '}' && before != 0))
        return true;
    bool outside = false;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        outside |= word == words[i];
    if (!outside && word == 0 && cc_token_peek(p, 0)->kind == '(') {
        int inside = cc_token_peek(p, 1)->kind;
        outside = inside == STRING || inside == RAW_NUMBER || inside == '&' || inside == RAW_CHARACTER;
    }
    int next = cc_token_peek(p, 0)->kind;
    if (!outside && word == 0 &&
        (next == ADD_ASSIGN || next == SUBTRACT_ASSIGN || next == INCREMENT || next == DECREMENT || next == ARROW ||
         next == '.' || (next == '=' && (q->mend.outside || q->mend.end_suspect))))
        outside = true;
    if (!outside)
        return true;
    if (!q->mend.outside) {
        if (q->mend.end_suspect)
            cc_front_error(p, q->mend.last_end,
                           "this '}' ends the function, though it stands deeper than its '{': "
                           "there is one '}' too many here or before");
        else
            cc_front_error(p, token->loc, "'%.*s' outside of a function", (int)MIN(token->length, 40), token->text);
        if (q->mend.end_suspect)
            cc_front_note(p, token->loc, "so this stands outside of any function");
        else if (q->mend.last_end.line && q->mend.last_end.file == token->loc.file)
            cc_front_note(p, q->mend.last_end, "the function before it ends here");
        q->mend.outside = true;
    }
    for (unsigned depth = 0; token->kind && (depth || token->kind != ';');) { /* skip to the end of the statement */
        depth += token->kind == '{' || token->kind == '(';
        if ((token->kind == '}' || token->kind == ')') && depth)
            depth--;
        if (token->kind == '}' && !depth)
            break;
        cc_token_next(p, token);
    }
    if (token->kind == 0)
        (void)cc_token_put_back(p, token);
    return false;
}

/* Whether the word is a keyword or declared, so that it cannot be the name of a macro. */
static bool means_something(void *parser, const char *word, size_t size)
{
    CcParser *p = parser;
    const CcIdent *ident = cc_scope_ident(p, word, size);
    return ident->keyword || ident->ordinary;
}

/* -- macros that end in ; ---------------------------------------------------------------------- */

static bool tell_macro(CcParser *p, const CcToken *token, char sign)
{
    CcTokenQueue *q = p->queue;
    CcLoc place, use;
    const char *name = cc_macro_with_sign(p->unit, token->loc, sign, means_something, p, &place, &use);
    if (!name)
        return false;
    if (!q->mend.macros)
        q->mend.macros = g_hash_table_new(g_str_hash, g_str_equal);
    if (g_hash_table_add(q->mend.macros, (gpointer)name)) {
        cc_front_error(p, place,
                       sign == ';' ? "the definition of macro '%s' ends in ';', which becomes part of each use"
                                   : "the definition of macro '%s' begins with '=', which becomes part of each use",
                       name);
        cc_report_fix(p->unit, place, "");
        cc_front_note(p, use, "in expansion of macro '%s'", name);
    }
    return true;
}

/* A ; within brackets other than those of a for, or before a token that continues an expression; or a = that cannot
 * follow the token before it. Both come from the definition of a macro. */
static bool mend_macro(CcParser *p, CcToken *token)
{
    const CcTokenQueue *q = p->queue;
    const CcBracket *innermost = cc_bracket_innermost(q);
    if (token->kind == '=') {
        int before = q->previous.kind;
        bool never = before == '[' || before == '(' || before == '=' || before == RETURN || before == ',' ||
                     before == '<' || before == LESS_EQUAL || before == '+' || before == '-' || before == '*' ||
                     before == '/';
        return !never || !tell_macro(p, token, '=');
    }
    if (token->kind != ';' || !token->length || !innermost)
        return true;
    int next = cc_token_peek(p, 0)->kind;
    bool continues = next == ')' || next == ']' || next == ',' || next == '/' || next == '%' || next == '<' ||
                     next == '>' || next == LESS_EQUAL || next == GREATER_EQUAL || next == EQUAL || next == NOT_EQUAL ||
                     next == '?' || next == LOGICAL_AND || next == LOGICAL_OR;
    bool within = innermost->sign != '{' && innermost->role != CC_IN_FOR_HEAD;
    bool twice = innermost->role == CC_IN_FOR_HEAD && (next == ';' || next == ')');
    return (!continues && !within && !twice) || !tell_macro(p, token, ';');
}

/* -- signs of other languages ------------------------------------------------------------------ */

static const struct Pair {
    int first; /* kind of the first token */
    char second;
    int meant;
    const char *written, *text;
} pairs[] = {
    {'=', '>', GREATER_EQUAL, ">=", "'=>' is no operator; did you mean '>='?"},
    {'=', '<', LESS_EQUAL, "<=", "'=<' is no operator; did you mean '<='?"},
    {'<', '>', NOT_EQUAL, "!=", "'<>' is no operator of C; did you mean '!='?"},
    {EQUAL, '=', EQUAL, "==", "'===' is no operator of C; did you mean '=='?"},
    {NOT_EQUAL, '=', NOT_EQUAL, "!=", "'!==' is no operator of C; did you mean '!='?"},
    {':', '=', '=', "=", "':=' is no operator of C; did you mean '='?"},
};

/* Operators of other languages: no expression of C has these two signs side by side. */
static bool mend_pair(CcParser *p, CcToken *token)
{
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (token->kind != pairs[i].first)
            continue;
        const CcToken *next = cc_token_peek(p, 0);
        if (!cc_mend_touches(token, next) || !is_sign(next, pairs[i].second) ||
            (pairs[i].first == ':' && p->queue->previous.kind != IDENTIFIER))
            continue;
        CcToken second;
        cc_token_next(p, &second);
        CcLoc loc = cc_mend_joined(token->loc, &second);
        cc_front_error(p, loc, "%s", pairs[i].text);
        cc_report_fix(p->unit, loc, pairs[i].written);
        token->kind = pairs[i].meant;
        token->length += second.length;
        return true;
    }
    return true;
}

/* -- names that are none ----------------------------------------------------------------------- */

static bool ends_declarator(int kind)
{
    return kind == '=' || kind == ';' || kind == ',' || kind == '[' || kind == ')';
}

/* int default = 1; int 2nd = 1: between a type and one of = ; , [ ) only a name is possible. */
static bool mend_declared(CcParser *p, CcToken *token)
{
    const CcTokenQueue *q = p->queue;
    int before = q->previous.kind, word = keyword_of(p, token);
    if (!is_type_word(before) || cc_bracket_is_within(q, CC_IN_GROUP))
        return true;
    int next = cc_token_peek(p, 0)->kind;
    bool statement = word == IF || word == ELSE || word == WHILE || word == FOR || word == DO || word == SWITCH ||
                     word == CASE || word == DEFAULT || word == BREAK || word == CONTINUE || word == RETURN ||
                     word == GOTO || word == SIZEOF || word == TYPEDEF || word == STATIC || word == EXTERN ||
                     word == AUTO || word == REGISTER || word == VOLATILE || word == CONST || word == INLINE;
    bool specifier = word == TYPEDEF || word == STATIC || word == EXTERN || word == AUTO || word == REGISTER ||
                     word == VOLATILE || word == CONST || word == INLINE;
    if (statement && (specifier ? next == '=' || next == '[' || next == ';' : ends_declarator(next) || next == '(')) {
        if (specifier && next == ';')
            return true; /* int static; is valid C */
        cc_front_error(p, token->loc, "'%.*s' is a keyword of C and cannot be a name", (int)token->length, token->text);
    } else if (token->kind == RAW_NUMBER && g_ascii_isalpha(token->text[token->length - 1]) && ends_declarator(next)) {
        cc_front_error(p, token->loc, "a name cannot begin with a digit");
    } else {
        return true;
    }
    char *name = g_strdup_printf("'%.*s'", (int)MIN(token->length, 60), token->text); /* no other name has quotes */
    token->text = cc_arena_strdup(p->arena, name, strlen(name));
    token->length = strlen(name);
    token->kind = RAW_NAME;
    g_free(name);
    return true;
}

/* int my-count = 1: a minus cannot follow a type and a name. */
static bool mend_minus(CcParser *p, CcToken *token)
{
    const CcTokenQueue *q = p->queue;
    if (token->kind != '-' || q->previous.kind != IDENTIFIER || !is_type_word(q->before) ||
        !cc_mend_touches(&q->previous, token))
        return true;
    const CcToken *name = cc_token_peek(p, 0);
    if (name->kind != RAW_NAME || !cc_mend_touches(token, name) || !ends_declarator(cc_token_peek(p, 1)->kind))
        return true;
    CcLoc loc = cc_mend_joined(cc_front_join_locs(q->previous.loc, token->loc), name);
    CcToken dropped;
    cc_token_next(p, &dropped);
    cc_front_error(p, loc, "a name cannot contain '-'; '_' can stand in it");
    return false;
}

/* int[3] a: a [ can follow a type only within brackets, in casts and sizeof. */
static bool mend_java(CcParser *p, CcToken *token)
{
    CcTokenQueue *q = p->queue;
    const CcBracket *innermost = cc_bracket_innermost(q);
    if (token->kind != '[' || !is_type_word(q->previous.kind) || (innermost && innermost->sign != '{'))
        return true;
    CcToken group[4] = {*token};
    unsigned n = 1;
    for (; n < G_N_ELEMENTS(group) - 1 && group[n - 1].kind != ']'; n++)
        group[n] = *cc_token_peek(p, n - 1);
    const CcToken *name = cc_token_peek(p, n - 1);
    if (group[n - 1].kind != ']' || name->kind != RAW_NAME)
        return true;
    CcToken found = *name;
    for (unsigned i = 0; i < n; i++)
        cc_token_next(p, &(CcToken){0});
    cc_front_error(p, token->loc, "the brackets of an array stand behind its name: '%.*s%s'",
                   (int)MIN(found.length, 60), found.text, n == 2 ? "[]" : "[...]");
    for (unsigned i = n; i > 0; i--)
        (void)cc_token_put_back(p, &group[i - 1]);
    *token = found;
    return true;
}

/* -- commas and semicolons that are missing ---------------------------------------------------- */

static bool begins_operand(CcParser *p, const CcToken *token)
{
    return token->kind == RAW_NUMBER || token->kind == RAW_CHARACTER || token->kind == STRING ||
           (token->kind == RAW_NAME && keyword_of(p, token) == 0);
}

static bool insert(CcParser *p, CcToken *token, const char *sign, const char *text)
{
    CcLoc place = p->queue->previous.loc;
    place.column = (uint16_t)MIN(place.column + place.length, UINT16_MAX);
    place.length = 1;
    cc_front_error(p, place, "%s before '%.*s'", text, (int)MIN(token->length, 40), token->text);
    place.length = 0;
    cc_report_fix(p->unit, place, sign);
    (void)cc_token_put_back(p, token);
    *token = (CcToken){(unsigned char)sign[0], token->loc, sign, 0};
    return true;
}

/* A missing comma: two operands side by side in a call or list, two parameters, two enumerators, two declared names. */
static bool mend_comma(CcParser *p, CcToken *token)
{
    const CcTokenQueue *q = p->queue;
    int before = q->previous.kind;
    const CcBracket *innermost = cc_bracket_innermost(q);
    if (q->attribute || !innermost || !cc_mend_has_operand(q) || p->damaged || q->count + 2 > G_N_ELEMENTS(q->items))
        return true;
    bool values = innermost->role == CC_IN_ARGUMENTS || innermost->role == CC_IN_LIST;
    bool names = innermost->role == CC_IN_ENUMERATORS && before == IDENTIFIER;
    bool same_line = token->loc.line == q->previous.loc.line;
    if (begins_operand(p, token) && (values || names)) {
        const CcIdent *ident = token->kind == RAW_NAME ? cc_scope_ident(p, token->text, token->length) : NULL;
        if (before == STRING_LITERAL && ident && !cc_scope_lookup(ident) && cc_token_peek(p, 0)->kind == STRING) {
            char *hint = cc_hint_unknown_name(p, ident->text, false);
            cc_front_error(p, token->loc, "'%s' undeclared%s", ident->text, hint);
            g_free(hint);
            cc_token_next(p, token); /* skip the string, which belongs to the unknown name */
            return false;
        }
        if (values && before == IDENTIFIER && token->kind == STRING && !q->previous_ident->ordinary)
            return true; /* the name may be an undefined macro that expands to a string */
        return insert(p, token, ",", "expected ','");
    }
    if (innermost->role == CC_IN_ARGUMENTS && before == IDENTIFIER && is_type_start(keyword_of(p, token)))
        return insert(p, token, ",", "expected ','");
    if (innermost->sign == '{' && innermost->role != CC_IN_LIST && before == IDENTIFIER && is_type_word(q->before) &&
        token->kind == RAW_NAME && keyword_of(p, token) == 0 && same_line) {
        int next = cc_token_peek(p, 0)->kind;
        if (next == ';' || next == ',' || next == '=')
            return insert(p, token, ",", "expected ',' or ';'");
    }
    return true;
}

/* A missing ; behind the } of a struct, union or enum: the next line begins with a type. */
static bool mend_record_end(CcParser *p, CcToken *token)
{
    const CcTokenQueue *q = p->queue;
    int word = keyword_of(p, token);
    if (q->previous.kind != '}' || !q->mend.record_end || !is_type_start(word) ||
        token->loc.line == q->previous.loc.line)
        return true;
    return insert(p, token, ";", "expected ';'");
}

bool cc_mend_behind_head(CcParser *p, const CcIdent *function)
{
    CcTokenQueue *q = p->queue;
    bool first = false, body = false;
    if (q->last_name.kind != RAW_NAME || q->count + 2 > G_N_ELEMENTS(q->items))
        return false;
    unsigned indent = cc_bracket_indent(p, &q->last_name, &first);
    body = first && indent != UINT_MAX && indent > 0 && !begins_function(p, &q->last_name);
    if (body)
        cc_front_error(p, cc_front_behind_previous(p), "expected '{' to begin the body of '%s'", function->text);
    else
        cc_front_error(p, cc_front_behind_previous(p), "expected ';' after the declaration of '%s'", function->text);
    CcLoc place = cc_front_behind_previous(p);
    place.length = 0;
    cc_report_fix(p->unit, place, body ? " {" : ";");
    (void)cc_token_put_back(p, &q->last_name);
    cc_token_push_front(p, body ? '{' : ';', q->last_name.loc);
    if (!body)
        cc_front_hush(p);
    return true;
}

/* -- the table --------------------------------------------------------------------------------- */

/* Each returns false if the token must be left out. */
static bool (*const mends[])(CcParser *p, CcToken *token) = {
    mend_unclosed, mend_extra, mend_outside, mend_macro, mend_pair,
    mend_declared, mend_minus, mend_java,    mend_comma, mend_record_end,
};

bool cc_mend(CcParser *p, CcToken *token)
{
    CcTokenQueue *q = p->queue;
    if (p->stop || q->attribute)
        return true;
    if (q->mend.to_close) {
        q->mend.to_close--;
        (void)cc_token_put_back(p, token);
        *token = (CcToken){'}', token->loc, "}", 0};
        return true;
    }
    watch_indent(p, token);
    for (size_t i = 0; i < G_N_ELEMENTS(mends); i++)
        if (!mends[i](p, token))
            return false;
    return true;
}
