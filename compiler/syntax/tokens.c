/* tokens.c - raw tokens: functions that the scanner calls, line markers, and the queue of tokens that were read ahead.
 */
#include "compiler/syntax/tokens.h"

#include "compiler/arena/arena.h"
#include "compiler/compiler.h"
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/sema/sema.h"
#include "compiler/syntax/token_queue.h"
#include "compiler/tree/tree.h"
#include "grammar.h"

#include <string.h>

#define YY_NO_UNISTD_H
#include "lexer.h"

/* Whether the word is reserved. Earlier standards, and -std=c.. unlike -std=gnu.., leave some words to the program. */
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
    cc_lexer_lex_init_extra(p, &p->scanner);
    YY_BUFFER_STATE buffer = cc_lexer__scan_bytes(text, (int)size, p->scanner);
    p->text_start = p->line_start = buffer->yy_ch_buf;
    static const struct {
        const char *text;
        int token;
    } keywords[] = {
#define KEYWORD(text, token) {text, token},
#include "compiler/syntax/keywords.def"
#undef KEYWORD
    };
    for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++)
        if (is_reserved(p->unit->options, keywords[i].text))
            cc_scope_ident(p, keywords[i].text, strlen(keywords[i].text))->keyword = keywords[i].token;
}

void cc_tokens_close(CcParser *p)
{
    if (p->scanner)
        cc_lexer_lex_destroy(p->scanner);
    if (p->queue->replay)
        g_array_free(p->queue->replay, TRUE);
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

void cc_token_count_lines(CcParser *p, const char *text, size_t length)
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
    char *copy = cc_arena_strdup(p->arena, name, strlen(name));
    g_ptr_array_add(p->unit->files, copy);
    index = p->unit->files->len;
    g_hash_table_insert(p->file_names, copy, GUINT_TO_POINTER(index));
    guint8 ordinary = 0;
    g_byte_array_append(p->unit->seen->system, &ordinary, 1);
    g_array_set_size(p->unit->seen->includers, p->unit->files->len);
    return index - 1;
}

/* Notes in p->cut that a marker continues the line before it. Columns then count from the start of the first piece. */
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

/* Follows a line marker like # 12 "file.c" 1 3: the next line is line 12 of file.c. Flag 1: the file begins; flag 3: it
 * is a system header. */
static void follow_marker(CcParser *p, const char *digits, const char *end)
{
    uint64_t line = 0;
    GArray *markers = p->unit->seen->markers;
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
        CcIncluder *includer = &g_array_index(p->unit->seen->includers, CcIncluder, p->file);
        if (entered && includer->line == 0 && p->file != before.file)
            *includer = before;
        p->unit->seen->system->data[p->file] |= entered && is_system; /* a macro of such a header sets only flag 3 */
    }
    note_cut(p, before.file == p->file ? p->file : UINT32_MAX, (uint32_t)line);
    p->line = (uint32_t)line - 1; /* the newline that ends the marker increments it */
    CcMarker marker = {(size_t)(end - p->text_start) + 1, p->file, (uint32_t)line, 0};
    g_array_append_val(markers, marker);
}

bool cc_token_directive(CcParser *p, const char *text, size_t length)
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

int cc_token_stray(CcParser *p, const CcToken *token, const char *text)
{
    CcLoc loc = token->loc;
    loc.length = 1;
    if (g_ascii_isprint(*text))
        cc_front_error(p, loc, "stray '%c' in program", *text);
    else
        cc_front_error(p, loc, "stray byte 0x%02x in program", (unsigned char)*text);
    cc_front_hush(p);
    return p->stop ? 0 : RAW_BAD;
}

/* -- directives of OpenMP --------------------------------------------------------------------- */

size_t cc_token_begins_directive(CcParser *p, const char *text, size_t length)
{
    static const char *const words[] = {"#", "pragma", "omp"};
    const char *at = text, *end = text + length;
    for (const char *before = p->line_start; before < text; before++)
        if (!g_ascii_isspace(*before))
            return 0;
    if (!p->unit->options->openmp)
        return 0;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        while (at < end && g_ascii_isspace(*at))
            at++;
        size_t n = strlen(words[i]);
        if ((size_t)(end - at) < n || memcmp(at, words[i], n) != 0)
            return 0;
        at += n;
    }
    if (at < end && !g_ascii_isspace(*at))
        return 0;
    p->queue->scans_directive = true;
    return (size_t)(at - text);
}

bool cc_token_ends_directive(CcParser *p)
{
    bool ends = p->queue->scans_directive;
    p->queue->scans_directive = false;
    return ends;
}

/* -- signs of word processors ------------------------------------------------------------------ */

/* Reports text in curly quotes and makes it the string that was meant. */
int cc_token_curly(CcParser *p, CcToken *token)
{
    enum { CURLY = 3 };
    size_t end = token->length >= 2 * CURLY && token->text[token->length - 1] != '"' ? CURLY : 1;
    cc_front_error(p, token->loc, "these are the curly quotes of a word processor; C wants '\"'");
    if (token->length < CURLY + end)
        return RAW_BAD;
    GString *text = g_string_new("\"");
    g_string_append_len(text, token->text + CURLY, (gssize)(token->length - CURLY - end));
    g_string_append_c(text, '"');
    token->text = cc_arena_strdup(p->arena, text->str, text->len);
    token->length = text->len;
    g_string_free(text, TRUE);
    return STRING;
}

/* Reports a no-break space, a dash in place of a minus, or another such character. Returns the token meant, or 0. */
int cc_token_typographic(CcParser *p, CcToken *token)
{
    bool dash = memcmp(token->text, "\xe2\x80\x93", 3) == 0 || memcmp(token->text, "\xe2\x88\x92", 3) == 0;
    if (dash)
        cc_front_error(p, token->loc, "this is the dash of a word processor; C wants '-'");
    else if (token->text[0] == '\xc2' || memcmp(token->text, "\xe2\x80\x8b", 3) == 0)
        cc_front_error(p, token->loc, "this is a special blank of a word processor; C wants an ordinary one");
    else
        cc_front_error(p, token->loc, "stray '%.3s' in program", token->text);
    return dash ? '-' : 0;
}

/* -- the queue --------------------------------------------------------------------------------- */

/* Scans a token. Skips stray characters, because the text around them is usually right. */
static void scan(CcParser *p, CcToken *token)
{
    CcTokenQueue *q = p->queue;
    if (q->replay && q->replayed < q->replay->len) {
        *token = g_array_index(q->replay, CcToken, q->replayed++);
        return;
    }
    do {
        token->kind = p->stop ? 0 : cc_lexer_scan(token, p->scanner);
    } while (token->kind == RAW_BAD && token->text[0] != '"' && token->text[0] != '\'' && !p->stop &&
             token->text[0] != 'L' && token->text[0] != 'u' && token->text[0] != 'U');
    if (token->kind == 0 && cc_token_ends_directive(p))
        *token = (CcToken){OMP_END, token->loc, "\n", 1};
}

void cc_token_next(CcParser *p, CcToken *token)
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

const CcToken *cc_token_peek(CcParser *p, unsigned ahead)
{
    CcTokenQueue *q = p->queue;
    g_assert(ahead < G_N_ELEMENTS(q->items));
    while (q->count <= ahead) {
        scan(p, &q->items[(q->head + q->count) % G_N_ELEMENTS(q->items)]);
        q->count++;
    }
    return &q->items[(q->head + ahead) % G_N_ELEMENTS(q->items)];
}

void cc_token_replay(CcParser *p, const CcToken *tokens, unsigned n)
{
    CcTokenQueue *q = p->queue;
    if (!q->replay)
        q->replay = g_array_new(FALSE, FALSE, sizeof(CcToken));
    g_array_remove_range(q->replay, 0, q->replayed);
    q->replayed = 0;
    while (q->count > 0) { /* they were read ahead, and come behind the others */
        unsigned last = (q->head + --q->count) % G_N_ELEMENTS(q->items);
        g_array_prepend_val(q->replay, q->items[last]);
    }
    g_array_prepend_vals(q->replay, tokens, n);
}

void cc_token_keep_end(CcParser *p, const CcToken *end)
{
    p->queue->items[p->queue->head] = *end;
    p->queue->count = 1;
}

void cc_token_skip_group(CcParser *p, char open, char close)
{
    CcToken token;
    for (unsigned depth = 1; depth > 0 && !p->stop;) {
        cc_token_next(p, &token);
        if (token.kind == 0) {
            cc_token_keep_end(p, &token);
            return;
        }
        depth += token.kind == open;
        depth -= token.kind == close;
    }
}

/* Returns the spelling of a token that is inserted. */
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

bool cc_token_put_back(CcParser *p, const CcToken *token)
{
    return put_back(p->queue, token);
}

void cc_token_push_front(CcParser *p, int kind, CcLoc loc)
{
    const char *text = text_of(kind);
    (void)put_back(p->queue, &(CcToken){kind, loc, text, kind == RAW_NAME ? strlen(text) : 0});
}

void cc_token_unread_semicolon(CcParser *p, CcLoc loc)
{
    cc_bracket_drop(p, '{');
    cc_token_push_front(p, ';', loc);
}

bool cc_token_end_before_name(CcParser *p)
{
    CcTokenQueue *q = p->queue;
    if (q->last_name.kind != RAW_NAME || q->count + 2 > G_N_ELEMENTS(q->items) || !put_back(q, &q->last_name))
        return false;
    cc_token_push_front(p, ';', q->last_name.loc);
    return true;
}

void cc_token_skip_braces(CcParser *p)
{
    cc_bracket_drop(p, '{');
    cc_token_skip_group(p, '{', '}');
}
