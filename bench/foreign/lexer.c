/* lexer.c - tokens of a small language: a switch over characters, keywords by strcmp, numbers, strings, a symbol table.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { T_END, T_NAME, T_KEYWORD, T_NUMBER, T_STRING, T_OPERATOR, T_ERROR } kind;
typedef struct {
    kind kind;
    char text[64];
    long value;
    int line;
} token;
typedef struct {
    const char *at;
    int line;
} lexer;

static const char *const keywords[] = {"if", "else", "while", "return", "int", "char", "for", "struct"};

static token next(lexer *l)
{
    token t;
    size_t n = 0;
    for (;;) {
        while (isspace((unsigned char)*l->at)) {
            if (*l->at == '\n')
                l->line++;
            l->at++;
        }
        if (l->at[0] != '/' || l->at[1] != '/')
            break;
        while (*l->at && *l->at != '\n')
            l->at++;
    }
    t.line = l->line;
    t.value = 0;
    t.text[0] = 0;
    if (isalpha((unsigned char)*l->at) || *l->at == '_') {
        while (isalnum((unsigned char)*l->at) || *l->at == '_') {
            if (n < sizeof t.text - 1)
                t.text[n++] = *l->at;
            l->at++;
        }
        t.text[n] = 0;
        t.kind = T_NAME;
        for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
            if (strcmp(t.text, keywords[i]) == 0) {
                t.kind = T_KEYWORD;
                t.value = (long)i;
            }
        return t;
    }
    if (isdigit((unsigned char)*l->at)) {
        char *end;
        t.kind = T_NUMBER;
        t.value = strtol(l->at, &end, 0);
        l->at = end;
        return t;
    }
    switch (*l->at) {
    case 0: t.kind = T_END; break;
    case '"':
        for (l->at++; *l->at && *l->at != '"'; l->at++) {
            if (*l->at == '\\')
                l->at++;
            if (n < sizeof t.text - 1)
                t.text[n++] = *l->at;
        }
        t.text[n] = 0;
        t.kind = *l->at ? T_STRING : T_ERROR;
        if (*l->at)
            l->at++;
        break;
    case '=':
    case '<':
    case '>':
    case '!':
        t.text[n++] = *l->at++;
        if (*l->at == '=')
            t.text[n++] = *l->at++;
        t.text[n] = 0;
        t.kind = T_OPERATOR;
        break;
    case '+':
    case '-':
    case '*':
    case '/':
    case '(':
    case ')':
    case '{':
    case '}':
    case ';':
    case ',':
        t.text[n++] = *l->at++;
        t.text[n] = 0;
        t.kind = T_OPERATOR;
        break;
    default: l->at++; t.kind = T_ERROR;
    }
    return t;
}

static struct symbol {
    char name[64];
    int uses;
} symbols[64];
static int symbol_count;

static struct symbol *symbol(const char *name)
{
    for (int i = 0; i < symbol_count; i++)
        if (!strcmp(symbols[i].name, name))
            return &symbols[i];
    strcpy(symbols[symbol_count].name, name);
    symbols[symbol_count].uses = 0;
    return &symbols[symbol_count++];
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 50000;
    static const char text[] =
        "int gcd(int a, int b)\n{\n    // Euclid\n    while (b != 0) {\n        int rest = a - a / b * b;\n"
        "        a = b;\n        b = rest;\n    }\n    return a;\n}\nstruct pair { char *first; int second; };\n"
        "int main(int argc, char argv)\n{\n    if (argc >= 0x10) print(\"too \\\"many\\\" arguments\", argc);\n"
        "    for (int i = 0; i < 1000; i = i + 1) { total = total + gcd(i, 48); }\n    return total == 1234 ? 0 : "
        "1;\n}\n";
    long counts[7] = {0}, sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        lexer l = {text, 1};
        for (token t = next(&l); t.kind != T_END; t = next(&l)) {
            counts[t.kind]++;
            sum += t.value + t.line;
            if (t.kind == T_NAME)
                symbol(t.text)->uses++;
        }
    }
    printf("%ld %ld %ld %d\n", sum, counts[T_NAME], counts[T_ERROR], symbol("total")->uses);
    return 0;
}
