/* mend_words.c - words of other languages, and misspelt keywords.
 *
 * The table `words` has a row for each word of another language: where it can be, the token that it means, the report.
 */
#include "base/nearest.h"
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/syntax/mend.h"
#include "compiler/syntax/token_queue.h"
#include "compiler/syntax/tokens.h"

#include <string.h>

/* Returns the text behind the ) that closes the ( at `at`, or NULL. Sets *semicolon if there is a ; between them. */
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

typedef enum CcPlace { BEHIND_OPERAND, BEFORE_OPERAND, STATEMENT, BEHIND_CONDITION, OUTSIDE } CcPlace;

enum { LEAVE_OUT = -1, LEAVE_STATEMENT = -2, ELSE_IF = -3 };

/* Words of other languages: where they can be, the token that they mean, what to write, and the report. */
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

static bool stands(const CcParser *p, CcPlace place, const CcToken *next)
{
    const CcTokenQueue *q = p->queue;
    int before = q->previous.kind;
    bool operand = next->kind == RAW_NAME || next->kind == RAW_NUMBER || next->kind == '(' || next->kind == STRING ||
                   next->kind == '!' || next->kind == '-' || next->kind == '*' || next->kind == '&';
    switch (place) {
    case BEHIND_OPERAND:
        return operand && (cc_mend_has_operand(q) || before == ')' || before == ']') &&
               (next->kind != '(' || before != ')');
    case BEFORE_OPERAND: /* not in `static void *new(int size)`, which declares the name */
        return operand && !cc_mend_has_operand(q) && !cc_mend_begins_statement(q) && before != '*' &&
               (p->function || before == '=');
    case BEHIND_CONDITION: return before == ')' && next->kind != '(' && next->kind != '=';
    case STATEMENT:
        return cc_mend_begins_statement(q) && p->function && next->kind != '=' && next->kind != '.' &&
               next->kind != ARROW && next->kind != ':'; /* a label */
    case OUTSIDE:                                        /* a function without a type has a parenthesis */
        return q->n_open == 0 && !p->function && next->kind != '(' && (before == ';' || before == '}' || before == 0);
    }
    g_assert_not_reached();
}

/* Skips to the ; or } that ends the statement or definition. */
static void leave_statement(CcParser *p)
{
    CcToken token;
    for (unsigned depth = 0;;) {
        const CcToken *next = cc_token_peek(p, 0);
        if (next->kind == 0 || (depth == 0 && (next->kind == ';' || next->kind == '}')))
            return;
        cc_token_next(p, &token);
        depth += token.kind == '{' || token.kind == '(';
        depth -= (token.kind == '}' || token.kind == ')') && depth > 0;
        int after = cc_token_peek(p, 0)->kind;
        bool goes_on =
            after == RAW_NAME && cc_token_peek(p, 0)->length == 5 && memcmp(cc_token_peek(p, 0)->text, "catch", 5) == 0;
        if (token.kind == '}' && depth == 0 && !goes_on && after != ';') {
            cc_token_push_front(p, ';', token.loc);
            return;
        }
    }
}

static int meant_by(CcParser *p, const struct Word *word, const CcToken *token)
{
    cc_front_error(p, token->loc, "%s", word->text);
    if (word->written)
        cc_report_fix(p->unit, token->loc, word->written);
    switch (word->meant) {
    case ELSE_IF: cc_token_push_front(p, RAW_NAME, token->loc); return ELSE;
    case LEAVE_STATEMENT:
        leave_statement(p);
        if (word->place == BEFORE_OPERAND)
            cc_front_hush(p); /* its brackets are left out too, which would cause a syntax error */
        return word->place == BEFORE_OPERAND ? CONSTANT : EXTENSION;
    case LEAVE_OUT: return EXTENSION;
    default: return word->meant;
    }
}

/* Tells whether a goto goes to the name, or its address is taken, somewhere in the text. */
static bool is_gone_to(const CcParser *p, const CcIdent *ident)
{
    const char *begin = p->unit->seen->text, *end = cc_mend_text_end(p);
    size_t length = strlen(ident->text);
    for (const char *at = begin; (at = g_strstr_len(at, end - at, ident->text)); at += length) {
        const char *before = at;
        while (before > begin && g_ascii_isspace(before[-1]))
            before--;
        if ((before - begin >= 4 && before < at && memcmp(before - 4, "goto", 4) == 0) ||
            (before - begin >= 2 && memcmp(before - 2, "&&", 2) == 0))
            return true;
    }
    return false;
}

/* Tells whether there is a switch for which the name, before a colon, can be meant as `default`. */
static bool lacks_default(const CcParser *p, const CcIdent *ident)
{
    const CcContext *context = p->context;
    while (context && context->loop)
        context = context->outer;
    return context && !context->statement->default_case && !is_gone_to(p, ident);
}

/* Tells whether the text that follows the name fits the keyword. */
static bool follows_for(CcParser *p, int keyword, const CcIdent *ident)
{
    const CcTokenQueue *q = p->queue;
    const CcToken *next = cc_token_peek(p, 0);
    bool semicolon = false, start = cc_mend_begins_statement(q) && p->function;
    switch (keyword) {
    case FOR:
    case IF:
    case WHILE:
    case SWITCH: {
        const char *open = cc_mend_text_from(p, next), *end = cc_mend_text_end(p);
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
    case GOTO: return start && next->kind == RAW_NAME && cc_token_peek(p, 1)->kind == ';';
    case CASE: return start && (next->kind == RAW_NUMBER || next->kind == RAW_CHARACTER || next->kind == RAW_NAME);
    case DEFAULT: return start && next->kind == ':' && lacks_default(p, ident);
    case STRUCT:
    case UNION:
    case ENUM:
    case TYPEDEF: return next->kind == RAW_NAME;
    default: return false;
    }
}

/* Returns the keyword that an unknown word is a misspelling of, and reports it. Returns 0 if there is none. */
static int misspelt(CcParser *p, const CcIdent *ident, const CcToken *token)
{
    static const int keywords[] = {FOR,  IF,   WHILE,   SWITCH, RETURN, BREAK, CONTINUE, ELSE,
                                   GOTO, CASE, DEFAULT, STRUCT, UNION,  ENUM,  TYPEDEF};
    BaseNearest nearest = base_nearest_of(ident->text);
    for (const CcIdent *word = p->names.first; word; word = word->next)
        if (word->keyword)
            base_nearest_try(&nearest, word->text);
    if (!nearest.best)
        return 0;
    int keyword = cc_scope_ident(p, nearest.best, strlen(nearest.best))->keyword;
    for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++)
        if (keyword == keywords[i] && follows_for(p, keyword, ident)) {
            cc_front_error(p, token->loc, "'%s' is no word of C; did you mean '%s'?", ident->text, nearest.best);
            cc_report_fix(p->unit, token->loc, nearest.best);
            return keyword;
        }
    return 0;
}

/* Reports and skips a prefix like std:: in std::printf. C never has two colons side by side. */
static bool is_qualified(CcParser *p, CcToken *token)
{
    if (cc_token_peek(p, 0)->kind != ':' || cc_token_peek(p, 1)->kind != ':' ||
        !cc_mend_touches(cc_token_peek(p, 0), cc_token_peek(p, 1)) || !cc_mend_touches(token, cc_token_peek(p, 0)))
        return false;
    CcToken dropped;
    cc_token_next(p, &dropped);
    cc_token_next(p, &dropped);
    cc_front_error(p, cc_mend_joined(token->loc, &dropped), "'%.*s::' is C++; C has no namespaces",
                   (int)MIN(token->length, 40), token->text);
    return true;
}

int cc_mend_name(CcParser *p, CcIdent *ident, const CcToken *token)
{
    CcTokenQueue *q = p->queue;
    int before = q->previous.kind;
    if (!token->length || before == '.' || before == ARROW || before == STRUCT || before == UNION || before == ENUM ||
        before == GOTO || q->attribute || p->enumerating || p->stop)
        return 0;
    const CcToken *next = cc_token_peek(p, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(words[i].word, ident->text) == 0 && stands(p, words[i].place, next))
            return meant_by(p, &words[i], token);
    CcToken copy = *token;
    if (next->kind == ':' && is_qualified(p, &copy))
        return EXTENSION;
    bool could =
        cc_mend_begins_statement(q) && (next->kind == '(' || next->kind == RAW_NAME || next->kind == RAW_NUMBER ||
                                        next->kind == ';' || next->kind == '{' || next->kind == STRING ||
                                        next->kind == RAW_CHARACTER || next->kind == ':' || next->kind == '-');
    return could && p->suggestions++ < CC_MAX_SUGGESTIONS ? misspelt(p, ident, token) : 0;
}

const char *cc_mend_foreign(const CcParser *p, const CcToken *token)
{
    const CcTokenQueue *q = p->queue;
    if (token->kind == ':' && cc_bracket_is_within(q, CC_IN_FOR_HEAD))
        return "C has no 'for (x : a)'; a counter and an index go through an array";
    if (token->kind == CONSTANT && q->before == ',' && p->last_token.line == token->loc.line &&
        p->last_token.column + p->last_token.length == token->loc.column)
        return "expected identifier; a decimal point is written '.', not ','";
    return NULL;
}
