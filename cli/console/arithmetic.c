/* arithmetic.c - whole numbers and C's operators: for conditions of scripts while there is no program to ask. By
 * precedence climbing. Overflow wraps around. */
#include "cli/console/console.h"

#include <string.h>

enum { DEEPEST = 200 };

typedef struct Reader {
    const char *at;
    bool bad;
    int depth;
} Reader;

/* The longer of two that begin alike comes first. */
static const struct Operator {
    char text[3];
    int binds;
} operators[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<<", 8}, {">>", 8}, {"<=", 7}, {">=", 7}, {"|", 3},
                 {"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

static gint64 binary(Reader *reader, int least);

static void skip(Reader *reader)
{
    reader->at += strspn(reader->at, " \t");
}

static gint64 bad(Reader *reader)
{
    reader->bad = true;
    return 0;
}

static gint64 number(Reader *reader)
{
    char *end;
    guint64 value = g_ascii_strtoull(reader->at, &end, 0);
    if (end == reader->at || *end == '.' || g_ascii_isalnum(*end) || *end == '_' || value > G_MAXINT64)
        return bad(reader);
    reader->at = end;
    return (gint64)value;
}

static gint64 unary(Reader *reader)
{
    gint64 value;
    skip(reader);
    if (reader->bad || ++reader->depth > DEEPEST)
        return bad(reader);
    char c = *reader->at;
    if (c == '(') {
        reader->at++;
        value = binary(reader, 1);
        skip(reader);
        if (*reader->at != ')')
            return bad(reader);
        reader->at++;
    } else if (c == '-' || c == '+' || c == '!' || c == '~') {
        reader->at++;
        value = unary(reader);
        value = c == '-' ? (gint64)(0 - (guint64)value) : c == '!' ? !value : c == '~' ? ~value : value;
    } else {
        value = number(reader);
    }
    reader->depth--;
    return value;
}

static const struct Operator *next_operator(Reader *reader)
{
    skip(reader);
    for (size_t i = 0; i < G_N_ELEMENTS(operators); i++)
        if (strncmp(reader->at, operators[i].text, strlen(operators[i].text)) == 0)
            return &operators[i];
    return NULL;
}

static gint64 apply(Reader *reader, const char *text, gint64 a, gint64 b)
{
    guint64 x = (guint64)a, y = (guint64)b;
    switch (text[0]) {
    case '+': return (gint64)(x + y);
    case '-': return (gint64)(x - y);
    case '*': return (gint64)(x * y);
    case '/': return b == 0 ? bad(reader) : b == -1 ? (gint64)(0 - x) : a / b;
    case '%': return b == 0 ? bad(reader) : b == -1 ? 0 : a % b;
    case '|': return text[1] ? a || b : (gint64)(x | y);
    case '&': return text[1] ? a && b : (gint64)(x & y);
    case '^': return (gint64)(x ^ y);
    case '=': return a == b;
    case '!': return a != b;
    case '<': return text[1] == '<' ? (gint64)(y < 64 ? x << y : 0) : text[1] ? a <= b : a < b;
    default: return text[1] == '>' ? a >> MIN(y, 63) : text[1] ? a >= b : a > b;
    }
}

static gint64 binary(Reader *reader, int least)
{
    gint64 value = unary(reader);
    const struct Operator *operator;
    while (!reader->bad && (operator= next_operator(reader)) && operator->binds >= least) {
        reader->at += strlen(operator->text);
        value = apply(reader, operator->text, value, binary(reader, operator->binds + 1));
    }
    return value;
}

bool cli_console_arithmetic(const char *text, gint64 *value)
{
    Reader reader = {.at = text};
    *value = binary(&reader, 1);
    skip(&reader);
    return !reader.bad && *reader.at == '\0';
}
