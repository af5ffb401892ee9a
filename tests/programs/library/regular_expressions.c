/* POSIX regular expressions (XBD chapter 9): matches and groups of basic and extended ones, flags, errors. */
#include <regex.h>
#include <stdio.h>
#include <string.h>

static void try(const char *pattern, const char *text, int flags)
{
    regex_t expression;
    regmatch_t groups[6];
    char message[80];
    int error = regcomp(&expression, pattern, flags);
    if (error) {
        regerror(error, &expression, message, sizeof message);
        printf("/%s/ %d: error %d %s\n", pattern, flags, error, message);
        return;
    }
    printf("/%s/ %d on \"%s\": %zu groups:", pattern, flags, text, expression.re_nsub);
    if (regexec(&expression, text, 6, groups, 0) != 0)
        printf(" none");
    else
        for (size_t i = 0; i < 6 && i <= expression.re_nsub; i++)
            printf(" (%d,%d)", groups[i].rm_so, groups[i].rm_eo);
    printf("\n");
    regfree(&expression);
}

static const char *const extended[][2] = {
    {"abc", "xabcy"},
    {"a*", "baaac"},
    {"a+", "baaac"},
    {"a?b", "aab"},
    {"(a|ab)(c|bcd)(d*)", "abcd"},
    {"(a+)(b+)?", "xaac"},
    {"^(.*)=(.*)$", "key=value"},
    {"[0-9]+\\.[0-9]*", "pi is 3.14159"},
    {"[[:alpha:]_][[:alnum:]_]*", "12 x_9+"},
    {"[^a-c]+", "abcxyzabc"},
    {"[]x]+", "a]x]b"},
    {"[a-]+", "x-a-y"},
    {"x{2,3}", "xxxxx"},
    {"x{2}", "xxxxx"},
    {"x{2,}", "xxxxx"},
    {"(ab){2}", "ababab"},
    {"(a|b)*c", "ababc"},
    {"(a*)*", "b"},
    {"(a*)+", "aa"},
    {"(a*)(a*)", "aaa"},
    {"()", "x"},
    {"a||b", "b"},
    {"(foo|foobar)(bar)?", "foobarbar"},
    {"^$", ""},
    {"^a|b$", "cb"},
    {"a.c", "abc"},
    {"a\\.c", "abc a.c"},
    {"\\bword\\b", "a word here"},
    {"\\w+\\W\\w+", "  ab cd"},
    {"(.)\\1", "abccd"},
    {"(a)(b)(c)(d)", "abcd"},
    {"a{0}b", "aab"},
    {"(a{1,2}){2}", "aaaa"},
    {"((a)|(b))*", "ab"},
    {"(a|ab|abc)(bc|c)?$", "abc"},
    {"x*y*z*", "xxyyzz"},
    {"([a-z]+)@([a-z]+)\\.com", "me: joe@example.com"},
    {"*a", "a"},
    {"a**", "aa"},
    {"(a", "a"},
    {"a)", "a)"},
    {"[a", "a"},
    {"a{1", "a"},
    {"a{2,1}", "a"},
    {"[z-a]", "a"},
    {"[[:foo:]]", "a"},
    {"a\\", "a"},
    {"(a)\\2", "a"},
    {"a{99999}", "a"},
    {"+", "a"},
    {"a|*b", "a"},
    {"[[=a=]b]+", "abba"},
    {"[[.-.]]", "a-b"},
};

static const char *const basic[][2] = {
    {"a*b", "aaab"},
    {"\\(ab\\)*c", "ababc"},
    {"a\\{2,3\\}", "aaaa"},
    {"*a", "*a"},
    {"^*a", "*a"},
    {"a+b", "a+b"},
    {"a\\+b", "aab"},
    {"a\\?b", "b"},
    {"a\\|b", "xb"},
    {"a^b", "a^b"},
    {"a$b", "a$b"},
    {"\\(^a\\)", "ba"},
    {"\\(a\\)\\1", "aa"},
    {"a{2}", "a{2}"},
    {"\\(", "("},
    {"\\)", ")"},
    {"a\\{1", "a"},
    {"\\(a*\\)b\\1", "aabaa"},
    {"x\\(a*\\)\\1y", "xaaaay"},
    {"(a|b)", "(a|b)"},
};

int main(void)
{
    for (size_t i = 0; i < sizeof extended / sizeof *extended; i++)
        try(extended[i][0], extended[i][1], REG_EXTENDED);
    for (size_t i = 0; i < sizeof basic / sizeof *basic; i++)
        try(basic[i][0], basic[i][1], 0);
    try("HeLLo [w]", "say hello WORLD", REG_EXTENDED | REG_ICASE);
    try("(x)\\1", "aXxb", REG_EXTENDED | REG_ICASE);
    try("^b$", "a\nb\nc", REG_EXTENDED | REG_NEWLINE);
    try("a.b", "a\nb", REG_EXTENDED | REG_NEWLINE);
    try("a[^x]b", "a\nb", REG_EXTENDED | REG_NEWLINE);
    try("a.b", "a\nb", REG_EXTENDED);
    regex_t expression;
    regmatch_t group[1];
    printf("%d ", regcomp(&expression, "^a", REG_EXTENDED));
    printf("%d %d ", regexec(&expression, "abc", 1, group, REG_NOTBOL), regexec(&expression, "abc", 1, group, 0));
    regfree(&expression);
    printf("%d ", regcomp(&expression, "c$", REG_EXTENDED | REG_NOSUB));
    printf("%d %d\n", regexec(&expression, "abc", 0, NULL, REG_NOTEOL), regexec(&expression, "abc", 0, NULL, 0));
    regfree(&expression);
    /* all matches of a line */
    regcomp(&expression, "[a-z]+", REG_EXTENDED);
    const char *at = "one, two; three";
    while (regexec(&expression, at, 1, group, 0) == 0) {
        printf("<%.*s>", group[0].rm_eo - group[0].rm_so, at + group[0].rm_so);
        at += group[0].rm_eo;
    }
    regfree(&expression);
    char text[8];
    size_t needed = regerror(REG_NOMATCH, NULL, text, sizeof text);
    printf("\n%zu %s\n", needed, text);
    /* linear where backtracking would take 2^30 steps */
    regcomp(&expression, "(a|aa)+$", REG_EXTENDED);
    printf("%d\n", regexec(&expression, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", 1, group, 0));
    regfree(&expression);
    return 0;
}
