/* mend.c - tokens that can be no C, and what was meant.
 *
 * Most syntax errors of beginners are a token too many, too few, or of another language, and they show in two or three
 * neighbouring tokens and the bracket around them, before the parser has lost its way. The table `mends` has a row for
 * each such mistake: it is reported once, by its real cause, and the tokens are changed to what was meant, so that
 * nothing else is said of it. Nothing here may fire on a valid program: each row says why its tokens are none.
 *
 * Braces are also watched by their indentation, as people do: a } that stands less deep than the line of its { most
 * likely closes another one.
 */
#include "compiler/macros.h"
#include "compiler/token_queue.h"

#include <string.h>

/* -- brackets ---------------------------------------------------------------------------------- */

static bool is_type_word(int kind)
{
    return kind == CHAR || kind == SHORT || kind == INT || kind == LONG || kind == FLOAT || kind == DOUBLE ||
           kind == SIGNED || kind == UNSIGNED || kind == VOID || kind == BOOL;
}

static bool is_type_start(int kind)
{
    return is_type_word(kind) || kind == STRUCT || kind == UNION || kind == ENUM;
}

/* The column of the first thing in the line of the token, tabs as in an editor; UINT_MAX: not known. */
static unsigned indent_of(const CcParser *p, const CcToken *token, bool *first)
{
    enum { LONGEST = 500 };
    const char *start = token->text;
    if (start < p->text_start || !token->length)
        return UINT_MAX; /* nobody wrote it */
    for (unsigned n = 0; start > p->text_start && start[-1] != '\n'; start--)
        if (n++ == LONGEST)
            return UINT_MAX;
    unsigned indent = 0;
    for (; *start == ' ' || *start == '\t'; start++)
        indent += *start == '\t' ? 8 - indent % 8 : 1;
    *first = start == token->text;
    return indent;
}

static CcBracketRole role_of(const CcTokenQueue *q, int sign)
{
    int before = q->previous.kind;
    const CcBracket *around = cc_bracket_innermost(q);
    bool named = before == IDENTIFIER || before == TYPE_NAME;
    int word = named ? q->before : before;
    switch (sign) {
    case '[': return CC_IN_SUBSCRIPT;
    case '(':
        return before == FOR                                            ? CC_IN_FOR_HEAD
               : before == IF || before == WHILE || before == SWITCH    ? CC_IN_CONDITION
               : before == IDENTIFIER || before == ')' || before == ']' ? CC_IN_ARGUMENTS
                                                                        : CC_IN_GROUP;
    default:
        if (before == '=' || (around && around->role == CC_IN_LIST))
            return CC_IN_LIST;
        return word == ENUM ? CC_IN_ENUMERATORS : word == STRUCT || word == UNION ? CC_IN_RECORD : CC_IN_BLOCK;
    }
}

static void open_bracket(CcParser *p, const CcToken *token)
{
    CcTokenQueue *q = p->queue;
    bool first;
    if (q->n_open >= CC_MAX_NESTING) {
        cc_fatal(p, token->loc, "brackets are nested deeper than %d", CC_MAX_NESTING);
        return;
    }
    if (q->n_open == 0 && token->kind == '{') {
        q->mend.suspect.sign = 0;
        q->mend.outside = q->mend.told_unclosed = false;
    }
    unsigned indent = token->kind == '{' ? indent_of(p, token, &first) : UINT_MAX;
    q->open[q->n_open] = (CcBracket){(char)token->kind, role_of(q, token->kind), token->loc, indent, 0};
    q->n_open++;
}

/* A } at the beginning of a line says by its indentation which { it was written for. */
static void judge_close(CcParser *p, const CcToken *token, const CcBracket *open)
{
    CcTokenQueue *q = p->queue;
    bool first = false;
    unsigned indent = indent_of(p, token, &first);
    bool known = first && indent != UINT_MAX && open->indent != UINT_MAX && open->loc.line != token->loc.line;
    if (known && indent < open->indent && !q->mend.suspect.sign) {
        q->mend.suspect = *open;
        q->mend.suspect_closed = token->loc.line;
    }
    if (open == &q->open[0] && p->function) {
        q->mend.last_end = token->loc;
        q->mend.end_suspect = known && indent > open->indent;
    }
}

static void close_bracket(CcParser *p, const CcToken *token)
{
    CcTokenQueue *q = p->queue;
    char sign = token->kind == ')' ? '(' : token->kind == ']' ? '[' : '{';
    unsigned n = q->n_open;
    while (n > 0 && q->open[n - 1].sign != sign && (sign == '{' || q->open[n - 1].sign != '{'))
        n--;
    if (n == 0 || q->open[n - 1].sign != sign)
        return; /* closes nothing */
    if (sign == '{') {
        q->mend.record_end = q->open[n - 1].role == CC_IN_RECORD || q->open[n - 1].role == CC_IN_ENUMERATORS;
        judge_close(p, token, &q->open[n - 1]);
    }
    q->n_open = n - 1;
}

void cc_bracket(CcParser *p, const CcToken *token)
{
    if (token->kind == '(' || token->kind == '[' || token->kind == '{')
        open_bracket(p, token);
    else if (token->kind == ')' || token->kind == ']' || token->kind == '}')
        close_bracket(p, token);
}

void cc_bracket_assume(CcParser *p)
{
    CcTokenQueue *q = p->queue;
    if (q->n_open == 0)
        open_bracket(p, &(CcToken){'{', q->previous.loc, "{", 0});
}

void cc_bracket_drop(CcTokenQueue *q, char sign)
{
    for (unsigned n = q->n_open; n > 0; n--)
        if (q->open[n - 1].sign == sign) {
            q->n_open = n - 1;
            return;
        }
}

const CcBracket *cc_bracket_innermost(const CcTokenQueue *q)
{
    return q->n_open ? &q->open[q->n_open - 1] : NULL;
}

unsigned cc_parentheses(const CcTokenQueue *q)
{
    unsigned n = 0, i = q->n_open;
    for (; i > 0 && q->open[i - 1].sign != '{'; i--)
        n += q->open[i - 1].sign == '(';
    return n;
}

static bool is_within(const CcTokenQueue *q, CcBracketRole role)
{
    return q->n_open && q->open[q->n_open - 1].role == role;
}

/* -- what stands around a token ---------------------------------------------------------------- */

static bool touches(const CcToken *first, const CcToken *second)
{
    return first->text + first->length == second->text;
}

static bool is_sign(const CcToken *token, char sign)
{
    return token->length == 1 && token->text[0] == sign;
}

static int keyword_of(CcParser *p, const CcToken *token)
{
    return token->kind == RAW_NAME && token->length ? cc_ident(p, token->text, token->length)->keyword : 0;
}

/* Whether the parser has just got a whole operand; the tag behind struct is none. */
static bool has_operand(const CcTokenQueue *q)
{
    int kind = q->previous.kind, before = q->before;
    return (kind == IDENTIFIER && before != STRUCT && before != UNION && before != ENUM && before != GOTO) ||
           kind == CONSTANT || kind == STRING_LITERAL;
}

static bool begins_statement(const CcTokenQueue *q)
{
    int before = q->previous.kind;
    return before == ';' || before == '{' || before == '}' || before == ELSE || before == DO || before == ':' ||
           before == ')' || before == 0;
}

static CcLoc joined(CcLoc first, const CcToken *second)
{
    return cc_loc_join(first, second->loc);
}

/* Up to where what stands in brackets from `at` on ends: behind its ), or NULL. */
static const char *behind_group(const char *at, const char *end, bool *semicolon)
{
    enum { LONGEST = 2000 };
    unsigned depth = 0;
    if (end - at > LONGEST)
        end = at + LONGEST;
    for (; at < end && *at != '{' && *at != '}'; at++) {
        depth += *at == '(';
        *semicolon |= *at == ';';
        if (*at == ')' && --depth == 0)
            return at + 1;
    }
    return NULL;
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && g_ascii_isspace(*at))
        at++;
    return at;
}

/* The text from the token on; the scanner's own copy of it is cut behind the token. NULL: nobody wrote it. */
static const char *text_from(const CcParser *p, const CcToken *token)
{
    const CcFront *front = p->unit->front;
    return token->text >= p->text_start && token->text < p->text_start + front->size
               ? front->text + (token->text - p->text_start)
               : NULL;
}

static const char *text_end(const CcParser *p)
{
    return p->unit->front->text + p->unit->front->size;
}

/* Whether a function's definition stands from the token on: T f(...) {. Old-style ones are not seen. */
static bool begins_function(const CcParser *p, const CcToken *token)
{
    enum { LONGEST = 2000 };
    const char *at = text_from(p, token);
    char last = 0;
    for (const char *stop = at ? at + MIN(LONGEST, text_end(p) - at) : at; at < stop; at++) {
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

/* Says which { is not closed, as far as its indentation tells. */
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
        cc_error(p, open->loc, "this '{' is never closed; by the indentation a '}' is missing before line %u", before);
    else
        cc_error(p, open->loc, "this '{' is never closed: a '}' is missing");
}

static void close_all(CcParser *p, const CcToken *token, bool semicolon)
{
    CcTokenQueue *q = p->queue;
    unsigned braces = 0;
    for (unsigned i = 0; i < q->n_open; i++)
        braces += q->open[i].sign == '{';
    (void)cc_put_back(p, token);
    if (semicolon)
        cc_push_front(p, ';', token->loc);
    q->mend.to_close = braces;
}

/* A function's definition at the beginning of a line, no deeper than the function or struct that is still open. */
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
        const CcSymbol *symbol = token->kind == RAW_NAME ? cc_lookup(cc_ident(p, token->text, token->length)) : NULL;
        bool type = is_type_start(word) || word == STATIC || word == INLINE || word == EXTERN || word == CONST ||
                    (symbol && symbol->kind == CC_SYM_TYPEDEF);
        unsigned indent = type && token->loc.line != q->previous.loc.line ? indent_of(p, token, &first) : UINT_MAX;
        if (!first || q->open[0].indent == UINT_MAX || indent > q->open[0].indent || (!p->function && !record) ||
            !begins_function(p, token))
            return true;
    }
    tell_unclosed(p);
    close_all(p, token, record);
    return false;
}

/* Lines that begin no deeper than a { around them: there its } should have been. */
static void watch_indent(CcParser *p, const CcToken *token)
{
    CcTokenQueue *q = p->queue;
    CcBracket *innermost = q->n_open ? &q->open[q->n_open - 1] : NULL;
    if (!innermost || innermost->sign != '{' || innermost->left_line || innermost->indent == UINT_MAX ||
        token->loc.line == q->previous.loc.line || token->kind == '}' || token->kind == '{' || token->kind == 0)
        return;
    int word = keyword_of(p, token);
    bool first = false;
    if (word == CASE || word == DEFAULT || (token->kind == RAW_NAME && cc_peek(p, 0)->kind == ':'))
        return; /* often at the depth of their switch */
    unsigned indent = indent_of(p, token, &first);
    if (first && indent <= innermost->indent)
        innermost->left_line = token->loc.line;
}

/* A } behind which the unit is not within anything: `extra`, or one that was written for another {. */
static bool mend_extra(CcParser *p, CcToken *token)
{
    CcTokenQueue *q = p->queue;
    if (token->kind != '}' || q->n_open || !token->length || p->function)
        return true;
    if (!q->mend.outside && !q->mend.told_unclosed) {
        cc_error(p, token->loc, "this '}' closes nothing: there is one '}' too many");
        if (q->mend.last_end.line && q->mend.last_end.file == token->loc.file)
            cc_note(p, q->mend.last_end, "the function before it ends here");
    }
    return false;
}

/* Statements at file scope: the function has ended before them. Only words and names that no declaration begins with.
 */
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
    if (!outside && word == 0 && cc_peek(p, 0)->kind == '(') {
        int inside = cc_peek(p, 1)->kind;
        outside = inside == STRING || inside == RAW_NUMBER || inside == '&' || inside == RAW_CHARACTER;
    }
    int next = cc_peek(p, 0)->kind;
    if (!outside && word == 0 &&
        (next == ADD_ASSIGN || next == SUBTRACT_ASSIGN || next == INCREMENT || next == DECREMENT || next == ARROW ||
         next == '.' || (next == '=' && (q->mend.outside || q->mend.end_suspect))))
        outside = true;
    if (!outside)
        return true;
    if (!q->mend.outside) {
        if (q->mend.end_suspect)
            cc_error(p, q->mend.last_end,
                     "this '}' ends the function, though it stands deeper than its '{': "
                     "there is one '}' too many here or before");
        else
            cc_error(p, token->loc, "'%.*s' outside of a function", (int)MIN(token->length, 40), token->text);
        if (q->mend.end_suspect)
            cc_note(p, token->loc, "so this stands outside of any function");
        else if (q->mend.last_end.line && q->mend.last_end.file == token->loc.file)
            cc_note(p, q->mend.last_end, "the function before it ends here");
        q->mend.outside = true;
    }
    for (unsigned depth = 0; token->kind && (depth || token->kind != ';');) { /* to the statement's end */
        depth += token->kind == '{' || token->kind == '(';
        if ((token->kind == '}' || token->kind == ')') && depth)
            depth--;
        if (token->kind == '}' && !depth)
            break;
        cc_next_raw(p, token);
    }
    if (token->kind == 0)
        (void)cc_put_back(p, token);
    return false;
}

/* -- macros that end in ; ---------------------------------------------------------------------- */

static bool tell_macro(CcParser *p, const CcToken *token, char sign)
{
    CcTokenQueue *q = p->queue;
    CcLoc place, use;
    const char *name = cc_macro_with_sign(p, token->loc, sign, &place, &use);
    if (!name)
        return false;
    if (!q->mend.macros)
        q->mend.macros = g_hash_table_new(g_str_hash, g_str_equal);
    if (g_hash_table_add(q->mend.macros, (gpointer)name)) {
        cc_error(p, place,
                 sign == ';' ? "the definition of macro '%s' ends in ';', which becomes part of each use"
                             : "the definition of macro '%s' begins with '=', which becomes part of each use",
                 name);
        cc_fix(p->unit, place, "");
        cc_note(p, use, "in expansion of macro '%s'", name);
    }
    return true;
}

/* A ; within brackets that is no for's, or before what continues an expression. */
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
    int next = cc_peek(p, 0)->kind;
    bool continues = next == ')' || next == ']' || next == ',' || next == '/' || next == '%' || next == '<' ||
                     next == '>' || next == LESS_EQUAL || next == GREATER_EQUAL || next == EQUAL || next == NOT_EQUAL ||
                     next == '?' || next == LOGICAL_AND || next == LOGICAL_OR;
    bool within = innermost->sign != '{' && innermost->role != CC_IN_FOR_HEAD;
    bool twice = innermost->role == CC_IN_FOR_HEAD && (next == ';' || next == ')');
    return (!continues && !within && !twice) || !tell_macro(p, token, ';');
}

/* -- signs of other languages ------------------------------------------------------------------ */

static const struct Pair {
    int first; /* token; 0: any beginning with the sign */
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

/* No expression of C has these signs side by side. */
static bool mend_pair(CcParser *p, CcToken *token)
{
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (token->kind != pairs[i].first)
            continue;
        const CcToken *next = cc_peek(p, 0);
        if (!touches(token, next) || !is_sign(next, pairs[i].second) ||
            (pairs[i].first == ':' && p->queue->previous.kind != IDENTIFIER))
            continue;
        CcToken second;
        cc_next_raw(p, &second);
        CcLoc loc = joined(token->loc, &second);
        cc_error(p, loc, "%s", pairs[i].text);
        cc_fix(p->unit, loc, pairs[i].written);
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

/* int default = 1; int 2nd = 1: behind a type, only a name can come before = ; , [. */
static bool mend_declared(CcParser *p, CcToken *token)
{
    const CcTokenQueue *q = p->queue;
    int before = q->previous.kind, word = keyword_of(p, token);
    if (!is_type_word(before) || is_within(q, CC_IN_GROUP))
        return true;
    int next = cc_peek(p, 0)->kind;
    bool statement = word == IF || word == ELSE || word == WHILE || word == FOR || word == DO || word == SWITCH ||
                     word == CASE || word == DEFAULT || word == BREAK || word == CONTINUE || word == RETURN ||
                     word == GOTO || word == SIZEOF || word == TYPEDEF || word == STATIC || word == EXTERN ||
                     word == AUTO || word == REGISTER || word == VOLATILE || word == CONST || word == INLINE;
    bool specifier = word == TYPEDEF || word == STATIC || word == EXTERN || word == AUTO || word == REGISTER ||
                     word == VOLATILE || word == CONST || word == INLINE;
    if (statement && (specifier ? next == '=' || next == '[' || next == ';' : ends_declarator(next) || next == '(')) {
        if (specifier && next == ';')
            return true; /* int static; is C */
        cc_error(p, token->loc, "'%.*s' is a keyword of C and cannot be a name", (int)token->length, token->text);
    } else if (token->kind == RAW_NUMBER && g_ascii_isalpha(token->text[token->length - 1]) && ends_declarator(next)) {
        cc_error(p, token->loc, "a name cannot begin with a digit");
    } else {
        return true;
    }
    char *name = g_strdup_printf("'%.*s'", (int)MIN(token->length, 60), token->text); /* no program can name it */
    token->text = cc_strdup(p->arena, name, strlen(name));
    token->length = strlen(name);
    token->kind = RAW_NAME;
    g_free(name);
    return true;
}

/* int my-count = 1: behind a type and a name comes no minus. */
static bool mend_minus(CcParser *p, CcToken *token)
{
    const CcTokenQueue *q = p->queue;
    if (token->kind != '-' || q->previous.kind != IDENTIFIER || !is_type_word(q->before) ||
        !touches(&q->previous, token))
        return true;
    const CcToken *name = cc_peek(p, 0);
    if (name->kind != RAW_NAME || !touches(token, name) || !ends_declarator(cc_peek(p, 1)->kind))
        return true;
    CcLoc loc = joined(cc_loc_join(q->previous.loc, token->loc), name);
    CcToken dropped;
    cc_next_raw(p, &dropped);
    cc_error(p, loc, "a name cannot contain '-'; '_' can stand in it");
    return false;
}

/* int[3] a: only within brackets, in casts and sizeof, can a type be followed by [. */
static bool mend_java(CcParser *p, CcToken *token)
{
    CcTokenQueue *q = p->queue;
    const CcBracket *innermost = cc_bracket_innermost(q);
    if (token->kind != '[' || !is_type_word(q->previous.kind) || (innermost && innermost->sign != '{'))
        return true;
    CcToken group[4] = {*token};
    unsigned n = 1;
    for (; n < G_N_ELEMENTS(group) - 1 && group[n - 1].kind != ']'; n++)
        group[n] = *cc_peek(p, n - 1);
    const CcToken *name = cc_peek(p, n - 1);
    if (group[n - 1].kind != ']' || name->kind != RAW_NAME)
        return true;
    CcToken found = *name;
    for (unsigned i = 0; i < n; i++)
        cc_next_raw(p, &(CcToken){0});
    cc_error(p, token->loc, "the brackets of an array stand behind its name: '%.*s%s'", (int)MIN(found.length, 60),
             found.text, n == 2 ? "[]" : "[...]");
    for (unsigned i = n; i > 0; i--)
        (void)cc_put_back(p, &group[i - 1]);
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
    cc_error(p, place, "%s before '%.*s'", text, (int)MIN(token->length, 40), token->text);
    place.length = 0;
    cc_fix(p->unit, place, sign);
    (void)cc_put_back(p, token);
    *token = (CcToken){(unsigned char)sign[0], token->loc, sign, 0};
    return true;
}

/* Two operands side by side in a call or list, two parameters, two enumerators, two declared names. */
static bool mend_comma(CcParser *p, CcToken *token)
{
    const CcTokenQueue *q = p->queue;
    int before = q->previous.kind;
    const CcBracket *innermost = cc_bracket_innermost(q);
    if (q->attribute || !innermost || !has_operand(q) || q->damaged || q->count + 2 > G_N_ELEMENTS(q->items))
        return true;
    bool values = innermost->role == CC_IN_ARGUMENTS || innermost->role == CC_IN_LIST;
    bool names = innermost->role == CC_IN_ENUMERATORS && before == IDENTIFIER;
    bool same_line = token->loc.line == q->previous.loc.line;
    if (begins_operand(p, token) && (values || names)) {
        const CcIdent *ident = token->kind == RAW_NAME ? cc_ident(p, token->text, token->length) : NULL;
        if (before == STRING_LITERAL && ident && !cc_lookup(ident) && cc_peek(p, 0)->kind == STRING) {
            char *hint = cc_unknown_name_hint(p, ident->text, false);
            cc_error(p, token->loc, "'%s' undeclared%s", ident->text, hint);
            g_free(hint);
            cc_next_raw(p, token); /* the rest of the string */
            return false;
        }
        if (values && before == IDENTIFIER && token->kind == STRING && !q->previous_ident->ordinary)
            return true; /* a macro that is missing, before a string */
        return insert(p, token, ",", "expected ','");
    }
    if (innermost->role == CC_IN_ARGUMENTS && before == IDENTIFIER && is_type_start(keyword_of(p, token)))
        return insert(p, token, ",", "expected ','");
    if (innermost->sign == '{' && innermost->role != CC_IN_LIST && before == IDENTIFIER && is_type_word(q->before) &&
        token->kind == RAW_NAME && keyword_of(p, token) == 0 && same_line) {
        int next = cc_peek(p, 0)->kind;
        if (next == ';' || next == ',' || next == '=')
            return insert(p, token, ",", "expected ',' or ';'");
    }
    return true;
}

/* } of a struct or enum, and then a line that begins with another type. */
static bool mend_record_end(CcParser *p, CcToken *token)
{
    const CcTokenQueue *q = p->queue;
    int word = keyword_of(p, token);
    if (q->previous.kind != '}' || !q->mend.record_end || !is_type_start(word) ||
        token->loc.line == q->previous.loc.line)
        return true;
    return insert(p, token, ";", "expected ';'");
}

/* The name that was read last begins a declaration behind the head of a function. */
bool cc_missing_behind_head(CcParser *p, const CcIdent *function)
{
    CcTokenQueue *q = p->queue;
    bool first = false, body = false;
    if (q->last_name.kind != RAW_NAME || q->count + 2 > G_N_ELEMENTS(q->items))
        return false;
    unsigned indent = indent_of(p, &q->last_name, &first);
    body = first && indent != UINT_MAX && indent > 0 && !begins_function(p, &q->last_name);
    if (body)
        cc_error(p, cc_behind_previous(p), "expected '{' to begin the body of '%s'", function->text);
    else
        cc_error(p, cc_behind_previous(p), "expected ';' after the declaration of '%s'", function->text);
    CcLoc place = cc_behind_previous(p);
    place.length = 0;
    cc_fix(p->unit, place, body ? " {" : ";");
    (void)cc_put_back(p, &q->last_name);
    cc_push_front(p, body ? '{' : ';', q->last_name.loc);
    if (!body)
        cc_hush(p);
    return true;
}

/* -- words ------------------------------------------------------------------------------------- */

typedef enum CcPlace { BEHIND_OPERAND, BEFORE_OPERAND, STATEMENT, BEHIND_CONDITION, OUTSIDE } CcPlace;

enum { LEAVE_OUT = -1, LEAVE_STATEMENT = -2, ELSE_IF = -3 };

/* Words of other languages: where they stand, which token is meant, what is said. */
static const struct Word {
    const char *word;
    CcPlace place;
    int meant;
    const char *written, *text;
} words[] = {
    {"and", BEHIND_OPERAND, LOGICAL_AND, "&&", "C writes '&&' for 'and', unless <iso646.h> is included"},
    {"or", BEHIND_OPERAND, LOGICAL_OR, "||", "C writes '||' for 'or', unless <iso646.h> is included"},
    {"not", BEFORE_OPERAND, '!', "!", "C writes '!' for 'not', unless <iso646.h> is included"},
    {"mod", BEHIND_OPERAND, '%', "%", "C writes '%' for 'mod'"},
    {"then", BEHIND_CONDITION, LEAVE_OUT, "", "C has no 'then': the statement follows the condition"},
    {"elif", STATEMENT, ELSE_IF, "else if", "C has no 'elif'; did you mean 'else if'?"},
    {"elsif", STATEMENT, ELSE_IF, "else if", "C has no 'elsif'; did you mean 'else if'?"},
    {"elseif", STATEMENT, ELSE_IF, "else if", "C has no 'elseif'; did you mean 'else if'?"},
    {"until", STATEMENT, WHILE, NULL, "C has no 'until'; 'while' with the opposite condition does it"},
    {"new", BEFORE_OPERAND, LEAVE_STATEMENT, NULL, "'new' is C++; C allocates memory with malloc() of <stdlib.h>"},
    {"delete", STATEMENT, LEAVE_STATEMENT, NULL, "'delete' is C++; C releases memory with free() of <stdlib.h>"},
    {"cout", STATEMENT, LEAVE_STATEMENT, NULL, "'cout' is C++; C prints with printf() of <stdio.h>"},
    {"cerr", STATEMENT, LEAVE_STATEMENT, NULL, "'cerr' is C++; C prints with fprintf(stderr, ...) of <stdio.h>"},
    {"cin", STATEMENT, LEAVE_STATEMENT, NULL, "'cin' is C++; C reads with scanf() of <stdio.h>"},
    {"try", STATEMENT, LEAVE_STATEMENT, NULL, "'try' is C++; C has no exceptions, functions return what went wrong"},
    {"throw", STATEMENT, LEAVE_STATEMENT, NULL, "'throw' is C++; C has no exceptions"},
    {"class", OUTSIDE, LEAVE_STATEMENT, NULL, "'class' is C++; C has 'struct', without functions in it"},
    {"using", OUTSIDE, LEAVE_STATEMENT, NULL, "'using' is C++; C has no namespaces, this line is not needed"},
    {"namespace", OUTSIDE, LEAVE_STATEMENT, NULL, "'namespace' is C++; C has no namespaces"},
    {"template", OUTSIDE, LEAVE_STATEMENT, NULL, "'template' is C++; C has a function for each type"},
    {"import", OUTSIDE, LEAVE_STATEMENT, NULL, "C has no 'import'; #include names a header"},
    {"program", OUTSIDE, LEAVE_STATEMENT, NULL, "this looks like Fortran; Orrery compiles C"},
};

const char *cc_foreign_hint(const char *name)
{
    static const struct {
        const char *name, *hint;
    } hints[] = {
        {"string", "; a string of C is an array of char, or a char *"},
        {"String", "; a string of C is an array of char, or a char *"},
        {"vector", "; this is C++, C has arrays"},
        {"boolean", "; C has 'bool' of <stdbool.h>"},
        {"Boolean", "; C has 'bool' of <stdbool.h>"},
        {"byte", "; C has 'unsigned char'"},
        {"nullptr", "; this is C++, C has 'NULL' of <stddef.h>"},
        {"None", "; C has 'NULL' of <stddef.h>"},
        {"null", "; C has 'NULL' of <stddef.h>"},
        {"endl", "; this is C++, C ends a line with \"\\n\""},
        {"std", "; this is C++, C has no namespaces"},
        {"cout", "; this is C++, C prints with printf() of <stdio.h>"},
        {"cin", "; this is C++, C reads with scanf() of <stdio.h>"},
        {"integer", "; C has 'int'"},
        {"Integer", "; C has 'int'"},
        {"real", "; C has 'double'"},
        {"static_cast", "; this is C++, a cast of C is (T)x"},
        {"println", "; C prints with printf() of <stdio.h>"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(hints); i++)
        if (strcmp(hints[i].name, name) == 0)
            return hints[i].hint;
    return NULL;
}

static bool stands(const CcParser *p, CcPlace place, const CcToken *next)
{
    const CcTokenQueue *q = p->queue;
    int before = q->previous.kind;
    bool operand = next->kind == RAW_NAME || next->kind == RAW_NUMBER || next->kind == '(' || next->kind == STRING ||
                   next->kind == '!' || next->kind == '-' || next->kind == '*' || next->kind == '&';
    switch (place) {
    case BEHIND_OPERAND:
        return operand && (has_operand(q) || before == ')' || before == ']') && (next->kind != '(' || before != ')');
    case BEFORE_OPERAND: return operand && !has_operand(q) && !begins_statement(q);
    case BEHIND_CONDITION: return before == ')' && next->kind != '(' && next->kind != '=';
    case STATEMENT:
        return begins_statement(q) && p->function && next->kind != '=' && next->kind != '.' && next->kind != ARROW;
    case OUTSIDE: return q->n_open == 0 && !p->function && (before == ';' || before == '}' || before == 0);
    }
    g_assert_not_reached();
}

/* Up to the ; or } that ends the statement or definition. */
static void leave_statement(CcParser *p)
{
    CcToken token;
    for (unsigned depth = 0;;) {
        const CcToken *next = cc_peek(p, 0);
        if (next->kind == 0 || (depth == 0 && (next->kind == ';' || next->kind == '}')))
            return;
        cc_next_raw(p, &token);
        depth += token.kind == '{' || token.kind == '(';
        depth -= (token.kind == '}' || token.kind == ')') && depth > 0;
        int after = cc_peek(p, 0)->kind;
        bool goes_on = after == RAW_NAME && cc_peek(p, 0)->length == 5 && memcmp(cc_peek(p, 0)->text, "catch", 5) == 0;
        if (token.kind == '}' && depth == 0 && !goes_on && after != ';') {
            cc_push_front(p, ';', token.loc);
            return;
        }
    }
}

static int meant_by(CcParser *p, const struct Word *word, const CcToken *token)
{
    cc_error(p, token->loc, "%s", word->text);
    if (word->written)
        cc_fix(p->unit, token->loc, word->written);
    switch (word->meant) {
    case ELSE_IF: cc_push_front(p, RAW_NAME, token->loc); return ELSE;
    case LEAVE_STATEMENT:
        leave_statement(p);
        if (word->place == BEFORE_OPERAND)
            cc_hush(p); /* brackets around it are left out too */
        return word->place == BEFORE_OPERAND ? CONSTANT : EXTENSION;
    case LEAVE_OUT: return EXTENSION;
    default: return word->meant;
    }
}

/* Whether what follows the name is written for the keyword. */
static bool follows_for(CcParser *p, int keyword)
{
    const CcTokenQueue *q = p->queue;
    const CcToken *next = cc_peek(p, 0);
    bool semicolon = false, start = begins_statement(q) && p->function;
    switch (keyword) {
    case FOR:
    case IF:
    case WHILE:
    case SWITCH: {
        const char *open = text_from(p, next), *end = text_end(p);
        if (!start || next->kind != '(' || !open)
            return false;
        const char *behind = behind_group(open, end, &semicolon);
        behind = behind ? skip_space(behind, end) : NULL;
        return keyword == FOR ? semicolon
                              : !semicolon && behind && behind < end &&
                                    (*behind == '{' || g_ascii_isalpha(*behind) || *behind == '_');
    }
    case RETURN:
        return start && (next->kind == RAW_NUMBER || next->kind == STRING || next->kind == ';' ||
                         next->kind == RAW_NAME || next->kind == RAW_CHARACTER || next->kind == '-');
    case BREAK:
    case CONTINUE: return start && next->kind == ';';
    case ELSE:
        return (q->previous.kind == ';' || q->previous.kind == '}') && p->function &&
               (next->kind == '{' || next->kind == RAW_NAME);
    case GOTO: return start && next->kind == RAW_NAME && cc_peek(p, 1)->kind == ';';
    case CASE: return start && (next->kind == RAW_NUMBER || next->kind == RAW_CHARACTER || next->kind == RAW_NAME);
    case DEFAULT: return start && next->kind == ':';
    case STRUCT:
    case UNION:
    case ENUM:
    case TYPEDEF: return next->kind == RAW_NAME;
    default: return false;
    }
}

/* The keyword that a word without meaning was meant to be, and is written as. */
static int misspelt(CcParser *p, const CcIdent *ident, const CcToken *token)
{
    static const int keywords[] = {FOR,  IF,   WHILE,   SWITCH, RETURN, BREAK, CONTINUE, ELSE,
                                   GOTO, CASE, DEFAULT, STRUCT, UNION,  ENUM,  TYPEDEF};
    CcNearest nearest = cc_nearest(ident->text);
    for (const CcIdent *word = p->names.first; word; word = word->next)
        if (word->keyword)
            cc_nearest_try(&nearest, word->text);
    if (!nearest.best)
        return 0;
    int keyword = cc_ident(p, nearest.best, strlen(nearest.best))->keyword;
    for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++)
        if (keyword == keywords[i] && follows_for(p, keyword)) {
            cc_error(p, token->loc, "'%s' is no word of C; did you mean '%s'?", ident->text, nearest.best);
            cc_fix(p->unit, token->loc, nearest.best);
            return keyword;
        }
    return 0;
}

/* std::printf: no two colons stand together in C. */
static bool is_qualified(CcParser *p, CcToken *token)
{
    if (cc_peek(p, 0)->kind != ':' || cc_peek(p, 1)->kind != ':' || !touches(cc_peek(p, 0), cc_peek(p, 1)) ||
        !touches(token, cc_peek(p, 0)))
        return false;
    CcToken dropped;
    cc_next_raw(p, &dropped);
    cc_next_raw(p, &dropped);
    cc_error(p, joined(token->loc, &dropped), "'%.*s::' is C++; C has no namespaces", (int)MIN(token->length, 40),
             token->text);
    return true;
}

int cc_mend_name(CcParser *p, CcIdent *ident, const CcToken *token)
{
    CcTokenQueue *q = p->queue;
    int before = q->previous.kind;
    if (!token->length || before == '.' || before == ARROW || before == STRUCT || before == UNION || before == ENUM ||
        before == GOTO || q->attribute || p->enumerating || p->stop)
        return 0;
    const CcToken *next = cc_peek(p, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(words[i].word, ident->text) == 0 && stands(p, words[i].place, next))
            return meant_by(p, &words[i], token);
    CcToken copy = *token;
    if (next->kind == ':' && is_qualified(p, &copy))
        return EXTENSION;
    bool could = begins_statement(q) && (next->kind == '(' || next->kind == RAW_NAME || next->kind == RAW_NUMBER ||
                                         next->kind == ';' || next->kind == '{' || next->kind == STRING ||
                                         next->kind == RAW_CHARACTER || next->kind == ':' || next->kind == '-');
    return could && p->suggestions++ < CC_MAX_SUGGESTIONS ? misspelt(p, ident, token) : 0;
}

bool cc_begins_for(const CcParser *p)
{
    return is_within(p->queue, CC_IN_FOR_HEAD) && p->queue->previous.kind == '=';
}

bool cc_within_subscript(const CcParser *p)
{
    return is_within(p->queue, CC_IN_SUBSCRIPT);
}

const char *cc_foreign_syntax(const CcParser *p, const CcToken *token)
{
    const CcTokenQueue *q = p->queue;
    if (token->kind == ':' && is_within(q, CC_IN_FOR_HEAD))
        return "C has no 'for (x : a)'; a counter and an index go through an array";
    if (token->kind == CONSTANT && q->before == ',' && p->last_token.line == token->loc.line &&
        p->last_token.column + p->last_token.length == token->loc.column)
        return "expected identifier; a decimal point is written '.', not ','";
    return NULL;
}

/* -- the table --------------------------------------------------------------------------------- */

/* False: the token is left out. */
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
        (void)cc_put_back(p, token);
        *token = (CcToken){'}', token->loc, "}", 0};
        return true;
    }
    watch_indent(p, token);
    for (size_t i = 0; i < G_N_ELEMENTS(mends); i++)
        if (!mends[i](p, token))
            return false;
    return true;
}
