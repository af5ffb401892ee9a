/* inquiry.c - reads what a user of the debugger asks.
 *
 * Macros are expanded first, as text; the words of the text that the program knows are declared; then the grammar reads
 * it. Places in error texts are those of what was typed: a macro stands at its name.
 */
#include "compiler/inquiry.h"
#include "compiler/compiler.h"
#include "compiler/front/front.h"
#include "compiler/recall/recall.h"
#include "compiler/syntax/syntax.h"

#include <string.h>

enum { MOST_EXPANSIONS = 200 };

struct CcInquiry {
    CcUnit *unit;
    CcInquired asked;
    CcOptions options;
    CcDiagnostics *diagnostics;
    char *text; /* expanded */
};

/* The text that is read, and where its bytes were typed. */
typedef struct Reading {
    const char *typed;
    const CcInquiryNames *names;
    GString *text;
    GArray *columns; /* uint32_t for each byte: its column in what was typed */
    unsigned column, length;
    char *problem; /* the first one; NULL: none */
    CcType *alone; /* the text is the name of an enumerator, and this its enum, so that it prints as its name */
} Reading;

/* -- words ------------------------------------------------------------------------------------- */

static bool in_word(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$';
}

/* Finds the next word at or behind `at`, not in a number or a literal. Returns its length; 0: there is none. */
static size_t next_word(const char *text, size_t *at)
{
    for (size_t i = *at; text[i]; i++) {
        if (text[i] == '"' || text[i] == '\'') {
            char quote = text[i++];
            for (; text[i] && text[i] != quote; i++)
                i += text[i] == '\\' && text[i + 1];
            if (!text[i])
                return 0;
        } else if (in_word(text[i])) {
            size_t length = 1;
            while (in_word(text[i + length]))
                length++;
            if (!g_ascii_isdigit(text[i])) {
                *at = i;
                return length;
            }
            i += length - 1;
        }
    }
    return 0;
}

/* Whether the word names a member. */
static bool is_member(const char *text, size_t at)
{
    while (at > 0 && g_ascii_isspace(text[at - 1]))
        at--;
    return at > 0 && (text[at - 1] == '.' || (at > 1 && text[at - 1] == '>' && text[at - 2] == '-'));
}

/* -- macros ------------------------------------------------------------------------------------ */

/* What every program has by one header or another, unless something else has the name. */
static const char *usual_macro(const char *name)
{
    static const char *const usual[][2] = {
        {"NULL", "((void *)0)"}, {"bool", "_Bool"}, {"true", "1"}, {"false", "0"}, {"complex", "_Complex"}};
    for (size_t i = 0; i < G_N_ELEMENTS(usual); i++)
        if (strcmp(usual[i][0], name) == 0)
            return usual[i][1];
    return NULL;
}

static const char *macro(const CcInquiryNames *names, const char *name)
{
    if (names->variable(names->user, name) != VCODE_NONE || cc_recall_knows(names->module, name))
        return NULL;
    const char *body = names->macro ? names->macro(names->user, name) : NULL;
    return body ? body : usual_macro(name);
}

static void replace(Reading *reading, size_t at, size_t length, const char *body)
{
    size_t size = strlen(body);
    uint32_t column = g_array_index(reading->columns, uint32_t, at);
    g_autofree uint32_t *columns = g_new(uint32_t, size + 1);
    for (size_t i = 0; i < size; i++)
        columns[i] = column;
    g_string_erase(reading->text, (gssize)at, (gssize)length);
    g_string_insert(reading->text, (gssize)at, body);
    g_array_remove_range(reading->columns, (guint)at, (guint)length);
    g_array_insert_vals(reading->columns, (guint)at, columns, (guint)size);
}

static void expand(Reading *reading)
{
    size_t at = 0, length;
    unsigned expansions = 0;
    while ((length = next_word(reading->text->str, &at)) > 0) {
        g_autofree char *word = g_strndup(reading->text->str + at, length);
        const char *body = is_member(reading->text->str, at) ? NULL : macro(reading->names, word);
        if (!body || strcmp(body, word) == 0 || expansions == MOST_EXPANSIONS ||
            reading->text->len + strlen(body) > CC_INQUIRY_LONGEST) {
            at += length;
            continue;
        }
        expansions++;
        replace(reading, at, length, body);
    }
}

/* -- names ------------------------------------------------------------------------------------- */

/* Handles of MPI that no variable of the program has: their types are in no table, but macros cast to them. */
static bool is_handle_type(const char *name)
{
    static const char *const names[] = {"MPI_Comm",    "MPI_Datatype", "MPI_Op",      "MPI_Group",
                                        "MPI_Request", "MPI_Win",      "MPI_File",    "MPI_Errhandler",
                                        "MPI_Info",    "MPI_Message",  "MPI_Session", NULL};
    return g_strv_contains(names, name);
}

static void declare_handle(CcParser *p, const char *name)
{
    static const CcLoc nowhere = {0, 0, 0, 0};
    CcIdent *ident = cc_scope_ident(p, name, strlen(name));
    CcSymbol *symbol = cc_scope_new_symbol(p, CC_SYM_TYPEDEF, ident->text, cc_type_copy(p, p->void_pointer), nowhere);
    symbol->type->name = ident->text;
    cc_scope_bind(p, p->file_scope, ident, symbol);
}

static void declare(CcParser *p, void *user)
{
    Reading *reading = user;
    const CcInquiryNames *names = reading->names;
    CcRecall *recall = cc_recall_new(p, names->module);
    size_t at = 0, length;
    while ((length = next_word(reading->text->str, &at)) > 0) {
        g_autofree char *word = g_strndup(reading->text->str + at, length);
        cc_recall_name(recall, word, names->variable(names->user, word));
        if (is_handle_type(word) && !cc_scope_ident(p, word, length)->ordinary)
            declare_handle(p, word);
        if (length == reading->text->len)
            reading->alone = cc_recall_enum(recall, word);
        at += length;
    }
}

/* -- errors ------------------------------------------------------------------------------------ */

char *cc_inquiry_point(const char *what, const char *text, unsigned column, unsigned length)
{
    g_autoptr(GString) out = g_string_new(what);
    size_t size = strlen(text);
    unsigned at = MIN(MAX(column, 1) - 1, (unsigned)size);
    g_string_append_printf(out, "\n  %s\n  ", text);
    for (unsigned i = 0; i < at; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80) /* one sign of UTF-8, one column */
            g_string_append_c(out, text[i] == '\t' ? '\t' : ' ');
    g_string_append_c(out, '^');
    for (unsigned i = 1; i < length && at + i < size; i++)
        if (((unsigned char)text[at + i] & 0xc0) != 0x80)
            g_string_append_c(out, '~');
    return g_string_free(g_steal_pointer(&out), FALSE);
}

static void take_problem(const CcDiagnostic *diagnostic, const char *rendered, void *user)
{
    Reading *reading = user;
    (void)rendered;
    if (reading->problem || diagnostic->severity < CC_SEVERITY_ERROR)
        return;
    reading->problem = g_strdup(diagnostic->text);
    unsigned first = diagnostic->column > 0 ? diagnostic->column - 1 : 0;
    unsigned last = first + MAX(diagnostic->length, 1) - 1, end = reading->columns->len;
    unsigned behind = (unsigned)strlen(reading->typed) + 1;
    reading->column = first < end ? g_array_index(reading->columns, uint32_t, first) : behind;
    unsigned to = last < end ? g_array_index(reading->columns, uint32_t, last) : reading->column;
    reading->length = to >= reading->column ? to - reading->column + 1 : 1;
}

static void *refuse(GError **error, const char *what, const Reading *reading)
{
    g_autofree char *text = cc_inquiry_point(what, reading->typed, reading->column, reading->length);
    g_set_error_literal(error, CC_ERROR, CC_ERROR_SOURCE, text);
    return NULL;
}

/* -- reading ----------------------------------------------------------------------------------- */

static CcInquiry *read_text(Reading *reading, GError **error)
{
    CcInquiry *inquiry = g_new0(CcInquiry, 1);
    cc_options_default(&inquiry->options);
    inquiry->options.no_warnings = true;
    inquiry->diagnostics = cc_diagnostics_new(take_problem, reading, false);
    inquiry->asked = (CcInquired){.declare = declare, .user = reading};
    inquiry->text = g_strdup(reading->text->str);
    inquiry->unit =
        cc_unit_new(inquiry->text, strlen(inquiry->text), "expression", &inquiry->options, inquiry->diagnostics);
    bool read = cc_syntax_read_inquiry(inquiry->unit, &inquiry->asked);
    cc_diagnostics_flush(inquiry->diagnostics);
    if (read && inquiry->asked.expr && reading->alone)
        inquiry->asked.expr->type = reading->alone;
    if (read && !reading->problem && cc_inquiry_type(inquiry))
        return inquiry;
    cc_inquiry_free(inquiry);
    return refuse(error, reading->problem ? reading->problem : "this is no expression", reading);
}

CcInquiry *cc_inquiry_new(const char *text, const CcInquiryNames *names, GError **error)
{
    Reading reading = {.typed = text, .names = names, .column = 1, .length = 1};
    if (text[strspn(text, " \t")] == '\0') {
        g_set_error(error, CC_ERROR, CC_ERROR_SOURCE, "the expression is empty");
        return NULL;
    }
    if (strlen(text) > CC_INQUIRY_LONGEST || strpbrk(text, "\n\r#")) {
        g_set_error(error, CC_ERROR, CC_ERROR_SOURCE, "an expression is one line of at most %d bytes, without #",
                    CC_INQUIRY_LONGEST);
        return NULL;
    }
    reading.text = g_string_new(text);
    reading.columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = 1; i <= reading.text->len; i++)
        g_array_append_val(reading.columns, i);
    expand(&reading);
    CcInquiry *inquiry = read_text(&reading, error);
    g_array_free(reading.columns, TRUE);
    g_string_free(reading.text, TRUE);
    g_free(reading.problem);
    return inquiry;
}

void cc_inquiry_free(CcInquiry *inquiry)
{
    if (!inquiry)
        return;
    cc_unit_free(inquiry->unit);
    cc_diagnostics_free(inquiry->diagnostics);
    g_free(inquiry->text);
    g_free(inquiry);
}

const CcExpr *cc_inquiry_expr(const CcInquiry *inquiry)
{
    return inquiry->asked.expr;
}

const CcType *cc_inquiry_type(const CcInquiry *inquiry)
{
    return inquiry->asked.expr ? inquiry->asked.expr->type : inquiry->asked.type;
}
