/* tokens.c - from raw tokens to what the grammar wants.
 *
 * Decides what names are (keyword, type, other), joins adjacent string literals (C11 5.1.1.2, phase 6), drops
 * __extension__ and the attributes of C23, and inside __attribute__((...)) returns names as such and skips the
 * arguments of attributes that mean nothing to us. Looks ahead through a small queue.
 *
 * A name that is no type but stands where only a type can stand (another name follows) is reported here and taken for
 * a type from then on, which saves the parser from losing its way.
 */
#include "compiler/macros.h"
#include "compiler/token_queue.h"

#include <string.h>

#define YY_NO_UNISTD_H
#include "lexer.h"

/* Words that earlier standards and -std=c.. (against -std=gnu..) leave to the program. */
static bool is_reserved(const CcOptions *options, const char *word)
{
    bool c89 = options->c_standard == 1989, strict = options->strict || options->no_gnu_words;
    if (strcmp(word, "asm") == 0 || strcmp(word, "typeof") == 0)
        return !strict;
    if (strcmp(word, "inline") == 0)
        return !(c89 && strict);
    return !(c89 && strcmp(word, "restrict") == 0);
}

void cc_tokens_open(CcParser *p, const char *text, size_t size)
{
    p->queue = CC_NEW(p->arena, CcTokenQueue);
    p->queue->pieces = g_array_new(FALSE, FALSE, sizeof(CcText));
    p->queue->locations = g_array_new(FALSE, FALSE, sizeof(CcLoc));
    cc_scan_lex_init_extra(p, &p->scanner);
    YY_BUFFER_STATE buffer = cc_scan__scan_bytes(text, (int)size, p->scanner);
    p->text_start = p->line_start = buffer->yy_ch_buf;
    static const struct {
        const char *text;
        int token;
    } keywords[] = {
#define KEYWORD(text, token) {text, token},
#include "compiler/keywords.def"
#undef KEYWORD
    };
    for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++)
        if (is_reserved(p->unit->options, keywords[i].text))
            cc_ident(p, keywords[i].text, strlen(keywords[i].text))->keyword = keywords[i].token;
}

void cc_tokens_close(CcParser *p)
{
    if (p->scanner)
        cc_scan_lex_destroy(p->scanner);
    if (p->queue->mend.macros)
        g_hash_table_destroy(p->queue->mend.macros);
    g_array_free(p->queue->pieces, TRUE);
    g_array_free(p->queue->locations, TRUE);
}

/* -- called by the scanner --------------------------------------------------------------------- */

void cc_token_place(CcParser *p, CcToken *token, const char *text, size_t length)
{
    size_t column = (size_t)(text - p->line_start) + 1;
    if (p->cut.length && p->cut.line == p->line && p->cut.file == p->file)
        column += p->cut.length;
    token->loc = (CcLoc){p->file, p->line, (uint16_t)MIN(column, UINT16_MAX), (uint16_t)MIN(length, UINT16_MAX)};
    token->text = text;
    token->length = length;
}

/* From the start of the first to the end of the last, or of the line if the last stands in another. */
CcLoc cc_loc_join(CcLoc first, CcLoc last)
{
    if (first.line == 0)
        return last;
    int length = last.column + last.length - first.column;
    if (first.file == last.file && first.line == last.line && length > first.length)
        first.length = (uint16_t)MIN(length, UINT16_MAX);
    else if (first.file == last.file && first.line < last.line)
        first.length = UINT16_MAX; /* all there is in the line */
    return first;
}

void cc_count_lines(CcParser *p, const char *text, size_t length)
{
    for (const char *end = text + length, *at = text; (at = memchr(at, '\n', (size_t)(end - at))); at++) {
        p->line++;
        p->line_start = at + 1;
    }
}

static uint32_t file_index(CcParser *p, const char *name)
{
    uint32_t index = GPOINTER_TO_UINT(g_hash_table_lookup(p->file_names, name));
    if (index)
        return index - 1;
    char *copy = cc_strdup(p->arena, name, strlen(name));
    g_ptr_array_add(p->unit->files, copy);
    index = p->unit->files->len;
    g_hash_table_insert(p->file_names, copy, GUINT_TO_POINTER(index));
    guint8 ordinary = 0;
    g_byte_array_append(p->unit->front->system, &ordinary, 1);
    g_array_set_size(p->unit->front->includers, p->unit->files->len);
    return index - 1;
}

/* A marker that goes on with the line before it: columns count from the start of its first piece. */
static void note_cut(CcParser *p, uint32_t file, uint32_t line)
{
    const char *end = p->line_start - 1, *start = end;
    if (file != p->file || line + 1 != p->line || p->line_start <= p->text_start + 1) {
        p->cut.length = 0;
        return;
    }
    while (start > p->text_start && start[-1] != '\n')
        start--;
    bool again = p->cut.file == file && p->cut.line == line;
    p->cut.length = (again ? p->cut.length : 0) + (size_t)(end - start);
    p->cut.file = file;
    p->cut.line = line;
}

/* # 12 "file.c" 1 3: the next line is line 12 of file.c; flag 3: a system header. */
static void follow_marker(CcParser *p, const char *digits, const char *end)
{
    uint64_t line = 0;
    GArray *markers = p->unit->front->markers;
    CcIncluder before = {p->file, p->line};
    if (markers->len)
        g_array_index(markers, CcMarker, markers->len - 1).last = p->line;
    for (; digits < end && g_ascii_isdigit(*digits); digits++)
        line = MIN(line * 10 + (uint64_t)(*digits - '0'), 1000000000);
    while (digits < end && *digits == ' ')
        digits++;
    if (digits < end && *digits == '"') {
        GString *name = g_string_new(NULL);
        for (digits++; digits < end && *digits != '"'; digits++) {
            if (*digits == '\\' && digits + 1 < end)
                digits++;
            g_string_append_c(name, *digits);
        }
        p->file = file_index(p, name->str);
        g_string_free(name, TRUE);
        bool entered = digits < end && memchr(digits, '1', (size_t)(end - digits));
        bool is_system = entered && memchr(digits, '3', (size_t)(end - digits));
        CcIncluder *includer = &g_array_index(p->unit->front->includers, CcIncluder, p->file);
        if (entered && includer->line == 0 && p->file != before.file)
            *includer = before;
        p->unit->front->system->data[p->file] |= entered && is_system; /* a header's macro is marked too */
    }
    note_cut(p, before.file == p->file ? p->file : UINT32_MAX, (uint32_t)line);
    p->line = (uint32_t)line - 1; /* the end of this line counts it up */
    CcMarker marker = {(size_t)(end - p->text_start) + 1, p->file, (uint32_t)line, 0};
    g_array_append_val(markers, marker);
}

/* A line that starts with #: a marker, or a pragma. */
bool cc_directive(CcParser *p, const char *text, size_t length)
{
    for (const char *before = p->line_start; before < text; before++)
        if (*before != ' ' && *before != '\t')
            return false;
    const char *at = text + 1, *end = text + length;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (end - at >= 4 && memcmp(at, "line", 4) == 0)
        for (at += 4; at < end && (*at == ' ' || *at == '\t'); at++)
            ;
    if (at < end && g_ascii_isdigit(*at))
        follow_marker(p, at, end);
    else if (end - at > 6 && memcmp(at, "pragma", 6) == 0 && !g_ascii_isalnum(at[6]))
        cc_pragma(p, at + 6, end, text);
    return true;
}

int cc_stray(CcParser *p, const CcToken *token, const char *text)
{
    CcLoc loc = token->loc;
    loc.length = 1;
    if (g_ascii_isprint(*text))
        cc_error(p, loc, "stray '%c' in program", *text);
    else
        cc_error(p, loc, "stray byte 0x%02x in program", (unsigned char)*text);
    cc_hush(p);
    return p->stop ? 0 : RAW_BAD;
}

/* -- signs of word processors ------------------------------------------------------------------ */

/* Text in curly quotes: the string that was meant. */
int cc_curly(CcParser *p, CcToken *token)
{
    enum { CURLY = 3 };
    size_t end = token->length >= 2 * CURLY && token->text[token->length - 1] != '"' ? CURLY : 1;
    cc_error(p, token->loc, "these are the curly quotes of a word processor; C wants '\"'");
    if (token->length < CURLY + end)
        return RAW_BAD;
    GString *text = g_string_new("\"");
    g_string_append_len(text, token->text + CURLY, (gssize)(token->length - CURLY - end));
    g_string_append_c(text, '"');
    token->text = cc_strdup(p->arena, text->str, text->len);
    token->length = text->len;
    g_string_free(text, TRUE);
    return STRING;
}

/* A blank that does not break, a dash that is no minus. */
int cc_typographic(CcParser *p, CcToken *token)
{
    bool dash = memcmp(token->text, "\xe2\x80\x93", 3) == 0 || memcmp(token->text, "\xe2\x88\x92", 3) == 0;
    if (dash)
        cc_error(p, token->loc, "this is the dash of a word processor; C wants '-'");
    else if (token->text[0] == '\xc2' || memcmp(token->text, "\xe2\x80\x8b", 3) == 0)
        cc_error(p, token->loc, "this is a special blank of a word processor; C wants an ordinary one");
    else
        cc_error(p, token->loc, "stray '%.3s' in program", token->text);
    return dash ? '-' : 0;
}

/* -- the queue --------------------------------------------------------------------------------- */

/* Stray characters are passed over; what they stood in is usually right otherwise. */
static void scan(CcParser *p, CcToken *token)
{
    do {
        token->kind = p->stop ? 0 : cc_scan(token, p->scanner);
    } while (token->kind == RAW_BAD && token->text[0] != '"' && token->text[0] != '\'' && !p->stop &&
             token->text[0] != 'L' && token->text[0] != 'u' && token->text[0] != 'U');
}

void cc_next_raw(CcParser *p, CcToken *token)
{
    CcTokenQueue *q = p->queue;
    if (q->count == 0) {
        scan(p, token);
        return;
    }
    *token = q->items[q->head];
    q->head = (q->head + 1) % G_N_ELEMENTS(q->items);
    q->count--;
}

const CcToken *cc_peek(CcParser *p, unsigned ahead)
{
    CcTokenQueue *q = p->queue;
    g_assert(ahead < G_N_ELEMENTS(q->items));
    while (q->count <= ahead) {
        scan(p, &q->items[(q->head + q->count) % G_N_ELEMENTS(q->items)]);
        q->count++;
    }
    return &q->items[(q->head + ahead) % G_N_ELEMENTS(q->items)];
}

/* Reads up to and including the bracket that closes the one just read. */
void cc_skip_group(CcParser *p, char open, char close)
{
    CcToken token;
    for (unsigned depth = 1; depth > 0 && !p->stop;) {
        cc_next_raw(p, &token);
        if (token.kind == 0) {
            p->queue->items[p->queue->head] = token; /* the parser must see the end too */
            p->queue->count = 1;
            return;
        }
        depth += token.kind == open;
        depth -= token.kind == close;
    }
}

/* Of signs that nobody wrote. */
static const char *text_of(int kind)
{
    static const struct {
        int kind;
        const char *text;
    } texts[] = {{';', ";"}, {'}', "}"}, {'{', "{"}, {',', ","}, {')', ")"}, {RAW_NAME, "if"}};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        if (texts[i].kind == kind)
            return texts[i].text;
    g_assert_not_reached();
}

static bool put_back(CcTokenQueue *q, const CcToken *token)
{
    if (q->count == G_N_ELEMENTS(q->items))
        return false;
    q->head = (q->head + G_N_ELEMENTS(q->items) - 1) % G_N_ELEMENTS(q->items);
    q->items[q->head] = *token;
    q->count++;
    return true;
}

bool cc_put_back(CcParser *p, const CcToken *token)
{
    return put_back(p->queue, token);
}

void cc_push_front(CcParser *p, int kind, CcLoc loc)
{
    const char *text = text_of(kind);
    (void)put_back(p->queue, &(CcToken){kind, loc, text, kind == RAW_NAME ? strlen(text) : 0});
}

void cc_unread_semicolon(CcParser *p, CcLoc loc)
{
    cc_bracket_drop(p->queue, '{');
    cc_push_front(p, ';', loc);
}

/* A declaration ends before the name that was read last, which the next one begins with. */
bool cc_end_before_name(CcParser *p)
{
    CcTokenQueue *q = p->queue;
    if (q->last_name.kind != RAW_NAME || q->count + 2 > G_N_ELEMENTS(q->items) || !put_back(q, &q->last_name))
        return false;
    cc_push_front(p, ';', q->last_name.loc);
    return true;
}

void cc_else_without_if(CcParser *p, const CcStmt *first, CcLoc loc)
{
    const CcStmt *last = NULL;
    unsigned behind = 0;
    for (const CcStmt *s = first; s; s = s->next, behind++)
        if (s->kind == CC_IF) {
            last = s;
            behind = 0;
        }
    const CcStmt *body = last ? last->body : NULL;
    if (!last)
        cc_error(p, loc, "'else' without 'if'");
    else if (last->otherwise)
        cc_error(p, loc, "'else' without 'if': the 'if' before it has its 'else' already");
    else if (body->kind == CC_EXPRESSION && !body->expr)
        cc_error(p, loc, "'else' without 'if': the ';' behind the condition ends the 'if'");
    else if (behind == 0)
        cc_error(p, loc, "'else' without 'if'");
    else if (body->kind == CC_BLOCK)
        cc_error(p, loc, "'else' without 'if': nothing may stand between the '}' of the 'if' and its 'else'");
    else
        cc_error(p, loc, "'else' without 'if': several statements belong to an 'if' only within { }");
    if (last)
        cc_note(p, last->loc, "this is the 'if'");
}

void cc_type_in_call(CcParser *p, const CcIdent *ident, CcLoc loc)
{
    if (!p->queue->damaged)
        cc_error(p, loc, "a type does not stand in a call: '%s' alone is the argument", ident->text);
}

void cc_body_without_head(CcParser *p, CcLoc loc)
{
    if (p->queue->before == ';')
        cc_error(p, p->last_token, "the ';' ends the declaration, so the body behind it belongs to no function");
    else
        cc_error(p, loc, "unexpected '{': a body without the head of a function");
    cc_skip_braces(p);
}

void cc_hush(CcParser *p)
{
    p->queue->damaged = 2;
}

void cc_missing_brace(CcParser *p, const char *function)
{
    if (!p->queue->damaged)
        cc_error(p, cc_behind_previous(p), "expected '{' to begin the body of '%s'", function);
    cc_bracket_assume(p);
    cc_hush(p);
}

/* After a literal without end the rest of the call is lost with it: end the call and the statement here. */
static void close_call(CcParser *p, CcLoc loc)
{
    CcTokenQueue *q = p->queue;
    if (cc_parentheses(q) == 0 || cc_parentheses(q) + 1 + q->count > G_N_ELEMENTS(q->items))
        return;
    cc_push_front(p, ';', loc);
    for (unsigned i = cc_parentheses(q); i > 0; i--)
        cc_push_front(p, ')', loc);
}

void cc_skip_braces(CcParser *p)
{
    cc_bracket_drop(p->queue, '{');
    cc_skip_group(p, '{', '}');
}

/* -- names ------------------------------------------------------------------------------------- */

/* A spelling with universal character names becomes UTF-8 (C11 6.4.3). */
static CcIdent *name_of(CcParser *p, const CcToken *token)
{
    if (!memchr(token->text, '\\', token->length))
        return cc_ident(p, token->text, token->length);
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
            cc_error(p, token->loc, "not a valid universal character name");
        i += 2 + digits;
    }
    CcIdent *ident = cc_ident(p, name->str, name->len);
    g_string_free(name, TRUE);
    return ident;
}

/* Whether `ident` must have been meant as a type: unknown, and a name (or, outside of functions, "*name") follows. */
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
        return false; /* a type came before, or an operand is due */
    const CcToken *next = cc_peek(p, 0);
    unsigned ahead = 0;
    if (next->kind == '*' && (!p->function || before == ';' || before == '{' || before == '}')) {
        while (ahead < 3 && cc_peek(p, ahead)->kind == '*')
            ahead++;
        next = cc_peek(p, ahead);
        if (p->function && p->scope->kind != CC_SCOPE_PROTOTYPE) { /* a * b; could be meant as a product */
            if (next->kind != RAW_NAME || cc_ident(p, next->text, next->length)->ordinary)
                return false;
            int after = cc_peek(p, ahead + 1)->kind;
            if (after != ';' && after != '=' && after != ',')
                return false;
        }
    }
    return next->kind == RAW_NAME && cc_ident(p, next->text, next->length)->keyword == 0;
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

/* The tag of a struct without that word. */
static CcType *tag_meant(CcParser *p, const CcIdent *ident, CcLoc loc)
{
    static const char *const words[] = {[CC_STRUCT] = "struct", [CC_UNION] = "union", [CC_ENUM] = "enum"};
    CcType *type = ident->tag ? ident->tag->type : NULL;
    if (!type)
        return NULL;
    g_autofree char *name = g_strdup_printf("%s %s", words[type->kind], ident->text);
    cc_error(p, loc, "unknown type name '%s'; did you mean '%s'?", ident->text, name);
    cc_fix(p->unit, loc, name);
    return type;
}

static int unknown_type(CcParser *p, CcIdent *ident, CcLoc loc)
{
    CcType *type = tag_meant(p, ident, loc);
    const char *header = type ? NULL : cc_header_of(ident->text);
    const char *like = header || type || cc_foreign_hint(ident->text) ? NULL : cc_suggest(p, ident->text, false);
    const CcIdent *near = like ? cc_ident(p, like, strlen(like)) : NULL;
    CcSymbol *meant = near ? cc_lookup(near) : NULL;
    if (!header && cc_mpi_has(p->unit, ident->text))
        header = "mpi.h";
    if (header) {
        if (!cc_told_header(p, header, true))
            cc_error(p, loc, "unknown type name '%s'; include <%s>", ident->text, header);
    } else if (near && (near->keyword || (meant && meant->kind == CC_SYM_TYPEDEF))) {
        cc_error(p, loc, "unknown type name '%s'; did you mean '%s'?", ident->text, like);
        cc_fix(p->unit, loc, like);
    } else if (!type) {
        const char *foreign = cc_foreign_hint(ident->text);
        cc_error(p, loc, "unknown type name '%s'%s", ident->text, foreign ? foreign : "");
    }
    if (near && is_specifier(near->keyword))
        return near->keyword;
    type = type ? type : meant && meant->kind == CC_SYM_TYPEDEF ? meant->type : p->error_type;
    CcSymbol *symbol = cc_symbol_new(p, CC_SYM_TYPEDEF, ident->text, type, loc);
    cc_bind(p, p->file_scope, ident, symbol);
    return TYPE_NAME;
}

static int classify_name(CcParser *p, CcIdent *ident, const CcToken *token)
{
    const CcSymbol *symbol = cc_lookup(ident);
    if (symbol)
        return symbol->kind == CC_SYM_TYPEDEF ? TYPE_NAME : IDENTIFIER;
    int meant = cc_mend_name(p, ident, token);
    if (meant)
        return meant;
    CcLoc loc = token->loc;
    return looks_like_type(p) ? unknown_type(p, ident, loc) : IDENTIFIER;
}

/* -- tokens with an inside --------------------------------------------------------------------- */

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
        if (cc_peek(p, 0)->kind != STRING)
            break;
        cc_next_raw(p, &token);
    }
    return cc_string_literal(p, (const CcText *)(void *)q->pieces->data, (const CcLoc *)(void *)q->locations->data,
                             q->pieces->len);
}

/* Attributes whose arguments we want to see; any other's are skipped. */
static bool has_known_arguments(const CcIdent *ident)
{
    static const char *const names[] = {"aligned",         "__aligned__", "alias",          "__alias__", "constructor",
                                        "__constructor__", "destructor",  "__destructor__", "weakref",   "__weakref__"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(ident->text, names[i]) == 0)
            return true;
    return false;
}

/* Attributes whose arguments are no expressions, mode(NAME), or matter for warnings only: they become part of the
 * attribute's name. */
static bool is_read_as_text(const CcIdent *ident)
{
    static const char *const names[] = {"mode",        "__mode__",   "format",         "__format__", "nonnull",
                                        "__nonnull__", "deprecated", "__deprecated__", "warning",    "__warning__"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(ident->text, names[i]) == 0)
            return true;
    return false;
}

/* "format(printf,1,2)", without the underscores that the name may have. */
static CcIdent *read_as_text(CcParser *p, const CcIdent *name)
{
    CcToken token;
    size_t edge = name->text[0] == '_' ? 2 : 0;
    GString *text = g_string_new_len(name->text + edge, (gssize)(name->length - 2 * edge));
    cc_next_raw(p, &token);
    g_string_append_c(text, '(');
    for (unsigned depth = 1; depth > 0 && !p->stop;) {
        cc_next_raw(p, &token);
        if (token.kind == 0) {
            p->queue->items[p->queue->head] = token; /* the parser must see the end too */
            p->queue->count = 1;
            break;
        }
        depth += token.kind == '(';
        depth -= token.kind == ')';
        if (text->len < 1000)
            g_string_append_len(text, token.text, (gssize)MIN(token.length, 400));
    }
    CcIdent *ident = cc_ident(p, text->str, text->len);
    g_string_free(text, TRUE);
    return ident;
}

static int attribute_name(CcParser *p, CcIdent **name)
{
    CcIdent *ident = *name;
    if (cc_peek(p, 0)->kind == '(' && is_read_as_text(ident)) {
        *name = read_as_text(p, ident);
        return ATTRIBUTE_NAME;
    }
    if (cc_peek(p, 0)->kind == '(' && !has_known_arguments(ident)) {
        CcToken open;
        cc_next_raw(p, &open);
        cc_skip_group(p, '(', ')');
    }
    return ATTRIBUTE_NAME;
}

/* Counts the brackets of an __attribute__ and tells whether a name here is an attribute's. */
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

/* Behind the brackets that open at `at`; strings in them may hold any. */
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

/* Whether a declarator begins here, and not a parameter: a *, or a name that is no type. */
static bool begins_declarator(CcParser *p, const char *at)
{
    size_t length = 0;
    while (g_ascii_isalnum(at[length]) || at[length] == '_')
        length++;
    if (length == 0 || g_ascii_isdigit(*at))
        return *at == '*';
    const CcIdent *ident = cc_ident(p, at, length);
    const CcSymbol *symbol = cc_lookup(ident);
    return !ident->keyword && !(symbol && symbol->kind == CC_SYM_TYPEDEF);
}

/* The number of attributes from this one on if they stand at the start of a declarator in parentheses, as in
 * int (__attribute__((cdecl)) *)(void), else 0. The grammar cannot tell them from those that begin a parameter. */
static unsigned attributes_of_declarator(CcParser *p, const CcToken *token)
{
    static const char word[] = "__attribute";
    unsigned n = 0;
    const char *at = p->unit->front->text + (token->text - p->text_start);
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

static int name_token(CcParser *p, CcToken *token, CC_YYSTYPE *value, bool attribute)
{
    CcIdent *ident = name_of(p, token);
    value->ident = ident;
    if (attribute)
        return attribute_name(p, &value->ident);
    int kind = ident->keyword;
    switch (kind) {
    case 0: kind = classify_name(p, ident, token); break;
    case ATOMIC: kind = cc_peek(p, 0)->kind == '(' ? ATOMIC_TYPE : ATOMIC; break; /* C11 6.7.2.4p4 */
    case ATTRIBUTE: kind = attribute_token(p, token); break;
    default: break;
    }
    if (kind == CONSTANT) /* of another language */
        value->expr = cc_error_expr(p, token->loc);
    return kind;
}

static int literal_token(CcParser *p, CcToken *token, CC_YYSTYPE *value)
{
    switch (token->kind) {
    case RAW_NUMBER: value->expr = cc_number_literal(p, token->text, token->length, token->loc); return CONSTANT;
    case RAW_CHARACTER: value->expr = cc_character_literal(p, token->text, token->length, token->loc); return CONSTANT;
    case STRING: value->expr = join_strings(p, token); return STRING_LITERAL;
    default: /* RAW_BAD: reported; stands for a literal */
        p->queue->damaged = 2;
        close_call(p, token->loc);
        value->expr = cc_error_expr(p, token->loc);
        if (memchr(token->text, '"', MIN(token->length, 3))) {
            CcText piece = {"\"\"", 2, NULL};
            value->expr = cc_string_literal(p, &piece, &token->loc, 1);
            return STRING_LITERAL;
        }
        return CONSTANT;
    }
}

/* [[...]], which C23 allows in many places: all of it is passed over. A [[noreturn]] that begins a declaration counts.
 */
static int standard_attribute(CcParser *p)
{
    CcTokenQueue *q = p->queue;
    CcToken token;
    cc_next_raw(p, &token);
    const CcToken *name = cc_peek(p, 0);
    int before = q->previous.kind;
    bool begins = before == 0 || before == ';' || before == '{' || before == '}';
    bool noreturn_ = name->kind == RAW_NAME && cc_ident(p, name->text, name->length)->keyword == 0 &&
                     ((name->length == 8 && memcmp(name->text, "noreturn", 8) == 0));
    cc_skip_group(p, '[', ']');
    if (cc_peek(p, 0)->kind == ']')
        cc_next_raw(p, &token);
    return begins && noreturn_ ? NORETURN : EXTENSION;
}

int cc_yylex(CC_YYSTYPE *value, CcLoc *loc, CcParser *p);
int cc_yylex(CC_YYSTYPE *value, CcLoc *loc, CcParser *p)
{
    CcToken token;
    int kind;
    do {
        cc_next_raw(p, &token);
        if (p->queue->damaged == 1 || (p->queue->damaged && token.kind == ';' && token.length > 0))
            p->queue->damaged--;
        if (!cc_mend(p, &token)) {
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
        else if (kind == '[' && cc_peek(p, 0)->kind == '[')
            kind = standard_attribute(p);
        else
            cc_bracket(p, &token);
    } while (kind == EXTENSION);
    p->queue->previous_ident = value->ident;
    p->queue->before = p->queue->previous.kind;
    p->last_token = p->queue->previous.loc;
    p->queue->previous = token;
    p->queue->previous.kind = kind;
    *loc = token.loc;
    return p->stop ? 0 : kind;
}

/* -- syntax errors ----------------------------------------------------------------------------- */

CcLoc cc_behind_previous(const CcParser *p)
{
    CcLoc place = p->last_token;
    place.column = (uint16_t)MIN(place.column + place.length, UINT16_MAX);
    place.length = 1;
    return place;
}

void cc_syntax_error(CcParser *p, CcLoc loc, bool at_end, const char *expected, bool after_previous)
{
    const CcToken *token = &p->queue->previous; /* the offending one: it was read last */
    if (p->stop || p->queue->damaged) { /* an unfinished literal was reported; what follows from it is not news */
        p->queue->damaged = 0;
        return;
    }
    CcLoc place = after_previous && p->last_token.line ? cc_behind_previous(p) : loc;
    const char *foreign = cc_foreign_syntax(p, token);
    if (foreign) {
        cc_error(p, loc, "%s", foreign);
        return;
    }
    if (at_end)
        cc_error(p, place, expected ? "%s at end of input" : "unexpected end of input", expected);
    else if (expected)
        cc_error(p, place, "%s before '%.*s'", expected, (int)MIN(token->length, 40), token->text);
    else
        cc_error(p, loc, "unexpected '%.*s'", (int)MIN(token->length, 40), token->text);
    static const char sign_expected[] = "expected ';'";
    if (expected && after_previous && strlen(expected) == strlen(sign_expected) && expected[9] == '\'') {
        char sign[2] = {expected[10], 0};
        place.length = 0;
        cc_fix(p->unit, place, sign);
    }
    const CcBracket *open = cc_bracket_innermost(p->queue);
    if (at_end && open)
        cc_note(p, open->loc, "to match this '%c'", open->sign);
}
