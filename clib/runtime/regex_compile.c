/* regex_compile.c - compiles POSIX regular expressions (XBD chapter 9), basic and extended, to programs.
 *
 * The compiler is a recursive descent: alternatives, branches, pieces, atoms. Each writes its part of the program as it
 * goes; a part that turns out to be repeated is moved or copied. GNU's additions mean the same as in glibc: \w \W \s \S
 * \b \B \< \> \` \', in basic expressions \+ \? and \|, in extended ones back references.
 */
#include "classes.h"
#include "regex_program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 1 << 20, MOST_DEPTH = 2000, MOST_REPEATS = 0x7fff };

struct parser {
    const char *at;
    const char *start;
    struct orrery_regex *program;
    int extended, flags, error;
    int groups, depth;
    unsigned char *closed; /* per group: whether its end has been read */
    int closed_capacity;
};

/* -- writing the program ----------------------------------------------------------------------- */

static int room(struct parser *p, int more)
{
    struct orrery_regex *program = p->program;
    if (p->error)
        return 0;
    if (program->step_count + more > program->step_capacity) {
        int capacity = (program->step_count + more) * 2 + 16;
        struct step *steps = capacity > 2 * MOST_STEPS ? 0 : realloc(program->steps, (size_t)capacity * sizeof *steps);
        if (!steps) {
            p->error = REG_ESPACE;
            return 0;
        }
        program->steps = steps;
        program->step_capacity = capacity;
    }
    return 1;
}

static void put(struct parser *p, enum operation operation, int a, int b)
{
    if (!room(p, 1))
        return;
    struct step *step = &p->program->steps[p->program->step_count++];
    step->operation = (unsigned char)operation;
    step->a = a;
    step->b = b;
}

/* Inserts a step before what has been written since `from`. */
static void insert(struct parser *p, int from, enum operation operation, int a, int b)
{
    put(p, operation, a, b);
    if (p->error)
        return;
    struct step *steps = p->program->steps;
    struct step step = steps[p->program->step_count - 1];
    memmove(steps + from + 1, steps + from, (size_t)(p->program->step_count - 1 - from) * sizeof *steps);
    steps[from] = step;
}

/* Appends a copy of `count` steps from `from` on. */
static void copy(struct parser *p, int from, int count)
{
    if (!room(p, count))
        return;
    struct orrery_regex *program = p->program;
    memcpy(program->steps + program->step_count, program->steps + from, (size_t)count * sizeof *program->steps);
    program->step_count += count;
}

static int new_set(struct parser *p)
{
    struct orrery_regex *program = p->program;
    if (program->set_count == program->set_capacity) {
        int capacity = program->set_capacity * 2 + 4;
        unsigned char(*sets)[32] = realloc(program->sets, (size_t)capacity * sizeof *sets);
        if (!sets) {
            p->error = REG_ESPACE;
            return -1;
        }
        program->sets = sets;
        program->set_capacity = capacity;
    }
    memset(program->sets[program->set_count], 0, sizeof *program->sets);
    return program->set_count++;
}

static void add(unsigned char *set, int c)
{
    set[c >> 3] |= (unsigned char)(1 << (c & 7));
}

static int has(const unsigned char *set, int c)
{
    return set[c >> 3] >> (c & 7) & 1;
}

static void fold(struct parser *p, unsigned char *set)
{
    for (int c = 'a'; (p->flags & REG_ICASE) && c <= 'z'; c++)
        if (has(set, c) || has(set, c - 32)) {
            add(set, c);
            add(set, c - 32);
        }
}

/* -- brackets ---------------------------------------------------------------------------------- */

static void add_class(struct parser *p, unsigned char *set, const char *name, size_t length)
{
    wctype_t class = __orrery_class(name, length);
    if (!class)
        p->error = REG_ECTYPE;
    for (wint_t c = 0; c < 256; c++)
        if (iswctype(c, class))
            add(set, (int)c);
}

/* Parses "[:name:]", "[=c=]" or "[.c.]" at p->at, which is behind "[:". Returns -1 for a class, else the character. */
static int bracket_item(struct parser *p, unsigned char *set, char kind)
{
    const char *name = p->at;
    while (*p->at && !(p->at[0] == kind && p->at[1] == ']'))
        p->at++;
    if (!*p->at) {
        p->error = REG_EBRACK;
        return -1;
    }
    size_t length = (size_t)(p->at - name);
    p->at += 2;
    if (kind == ':')
        add_class(p, set, name, length);
    else if (length != 1)
        p->error = REG_ECOLLATE;
    return kind == ':' || p->error ? -1 : (unsigned char)*name;
}

/* Parses the next member of a bracket expression. Returns its character, or -1 for a class, which has been added to
 * `set`. */
static int bracket_member(struct parser *p, unsigned char *set)
{
    char c = *p->at;
    if (c == '[' && (p->at[1] == ':' || p->at[1] == '=' || p->at[1] == '.')) {
        p->at += 2;
        return bracket_item(p, set, p->at[-1]);
    }
    if (c)
        p->at++;
    return (unsigned char)c;
}

static void bracket_members(struct parser *p, unsigned char *set)
{
    const char *first = p->at;
    while (!p->error && (*p->at != ']' || p->at == first)) {
        int low = bracket_member(p, set), high = low;
        if (low == 0)
            p->error = REG_EBRACK;
        if (p->at[0] == '-' && p->at[1] != ']' && p->at[1] && !p->error) {
            p->at++;
            high = bracket_member(p, set);
            if (low < 0 || high < low)
                p->error = p->error ? p->error : REG_ERANGE;
        }
        for (int c = low; c >= 0 && c <= high && !p->error; c++)
            add(set, c);
    }
    if (!p->error)
        p->at++;
}

static void bracket(struct parser *p)
{
    int index = new_set(p);
    if (index < 0)
        return;
    unsigned char *set = p->program->sets[index];
    int inverted = *p->at == '^';
    p->at += inverted;
    bracket_members(p, set);
    fold(p, set);
    for (int i = 0; inverted && i < 32; i++)
        set[i] = (unsigned char)~set[i];
    if (inverted && (p->flags & REG_NEWLINE))
        set['\n' >> 3] &= (unsigned char)~(1 << ('\n' & 7));
    put(p, OP_SET, index, 0);
}

/* Compiles \w \W \s \S. */
static void word_set(struct parser *p, char kind)
{
    int index = new_set(p);
    for (int c = 0; c < 256 && index >= 0; c++) {
        int inside = kind == 'w' || kind == 'W' ? isalnum(c) || c == '_' : isspace(c);
        if (!inside == (kind == 'W' || kind == 'S'))
            add(p->program->sets[index], c);
    }
    put(p, OP_SET, index, 0);
}

/* -- atoms ------------------------------------------------------------------------------------- */

static void character(struct parser *p, int c)
{
    put(p, OP_CHARACTER, (p->flags & REG_ICASE) ? tolower(c) : c, 0);
}

static void alternatives(struct parser *p);

/* Whether the text at p->at is the operator `c`, written with a backslash in basic expressions. */
static int operator_at(const struct parser *p, const char *at, char c)
{
    return p->extended ? at[0] == c : at[0] == '\\' && at[1] == c;
}

static void mark_closed(struct parser *p, int group, int closed)
{
    if (group >= p->closed_capacity) {
        int capacity = group * 2 + 16;
        unsigned char *larger = realloc(p->closed, (size_t)capacity);
        if (!larger) {
            p->error = REG_ESPACE;
            return;
        }
        p->closed = larger;
        p->closed_capacity = capacity;
    }
    p->closed[group] = (unsigned char)closed;
}

static void group(struct parser *p)
{
    int number = ++p->groups;
    if (++p->depth > MOST_DEPTH)
        p->error = REG_ESPACE;
    mark_closed(p, number, 0);
    put(p, OP_SAVE, 2 * number, 0);
    if (!p->error)
        alternatives(p);
    if (!p->error && !operator_at(p, p->at, ')'))
        p->error = REG_EPAREN;
    p->at += p->extended ? 1 : 2;
    put(p, OP_SAVE, 2 * number + 1, 0);
    if (!p->error)
        p->closed[number] = 1;
    p->depth--;
}

static void back_reference(struct parser *p, int number)
{
    if (number > p->groups || !p->closed[number])
        p->error = REG_ESUBREG;
    p->program->has_back_reference = 1;
    put(p, OP_BACK_REFERENCE, number, 0);
}

/* Compiles what follows a backslash. Operators of basic expressions have been handled before. */
static void escaped(struct parser *p)
{
    char c = *p->at;
    if (!c) {
        p->error = REG_EESCAPE;
        return;
    }
    p->at++;
    switch (c) {
    case 'w':
    case 'W':
    case 's':
    case 'S': word_set(p, c); break;
    case 'b': put(p, OP_WORD_EDGE, 0, 0); break;
    case 'B': put(p, OP_WORD_EDGE, 1, 0); break;
    case '<': put(p, OP_WORD_EDGE, 2, 0); break;
    case '>': put(p, OP_WORD_EDGE, 3, 0); break;
    case '`': put(p, OP_BUFFER_BEGIN, 0, 0); break;
    case '\'': put(p, OP_BUFFER_END, 0, 0); break;
    default:
        if (c >= '1' && c <= '9')
            back_reference(p, c - '0');
        else
            character(p, (unsigned char)c);
    }
}

/* In basic expressions ^ and $ are anchors only at the ends of a branch. */
static int is_anchor(const struct parser *p, const char *branch)
{
    if (p->extended)
        return *p->at == '^' || *p->at == '$';
    if (*p->at == '^')
        return p->at == branch;
    return *p->at == '$' && (!p->at[1] || operator_at(p, p->at + 1, ')') || operator_at(p, p->at + 1, '|'));
}

/* Compiles an atom. Returns 1 if the atom may be repeated, 0 if it is an anchor of a basic expression. */
static int atom(struct parser *p, const char *branch)
{
    if (is_anchor(p, branch)) {
        put(p, *p->at == '^' ? OP_BEGIN : OP_END, 0, 0);
        p->at++;
        return p->extended;
    }
    if (operator_at(p, p->at, '(')) {
        p->at += p->extended ? 1 : 2;
        group(p);
        return 1;
    }
    char c = *p->at++;
    if (c == '\\')
        escaped(p);
    else if (c == '[')
        bracket(p);
    else if (c == '.')
        put(p, OP_ANY, 0, 0);
    else
        character(p, (unsigned char)c);
    return 1;
}

/* -- repetition -------------------------------------------------------------------------------- */

static void repeat_star(struct parser *p, int from)
{
    int count = p->program->step_count - from;
    insert(p, from, OP_SPLIT, 1, count + 2);
    put(p, OP_JUMP, -(count + 1), 0);
}

static void repeat_optional(struct parser *p, int from)
{
    insert(p, from, OP_SPLIT, 1, p->program->step_count - from + 1);
}

/* Compiles {low,high}; high < 0: no limit. */
static void repeat_between(struct parser *p, int from, int low, int high)
{
    int count = p->program->step_count - from;
    if (high == 0) {
        p->program->step_count = from;
        return;
    }
    for (int i = 1; i < low && !p->error; i++)
        copy(p, from, count);
    if (high < 0 && low > 0) {
        put(p, OP_SPLIT, -count, 1);
        return;
    }
    if (high < 0) {
        repeat_star(p, from);
        return;
    }
    int optional = high - low;
    if (low == 0) { /* the first optional copy is there already */
        insert(p, from, OP_SPLIT, 1, count + 1 + (optional - 1) * (count + 1));
        from++;
        optional--;
    }
    for (; optional > 0 && !p->error; optional--) {
        put(p, OP_SPLIT, 1, optional * (count + 1));
        copy(p, from, count);
    }
}

static int number(struct parser *p, int missing)
{
    if (!isdigit((unsigned char)*p->at))
        return missing;
    int value = 0;
    for (; isdigit((unsigned char)*p->at); p->at++)
        value = value > MOST_REPEATS ? value : value * 10 + (*p->at - '0');
    return value;
}

/* Parses an interval behind "{". */
static void interval(struct parser *p, int from)
{
    int low = number(p, -1), high = low;
    if (*p->at == ',') {
        p->at++;
        high = number(p, -1);
        if (low < 0)
            low = 0;
    } else if (low < 0) {
        p->error = *p->at ? REG_BADBR : REG_EBRACE;
    }
    if (p->error)
        return;
    if (!p->extended && p->at[0] == '\\' && p->at[1] == '}')
        p->at += 2;
    else if (p->extended && *p->at == '}')
        p->at++;
    else
        p->error = *p->at ? REG_BADBR : REG_EBRACE;
    if (!p->error && high >= 0 && high < low)
        p->error = REG_BADBR;
    if (!p->error && (low > MOST_REPEATS || high > MOST_REPEATS))
        p->error = REG_ESIZE;
    if (!p->error)
        repeat_between(p, from, low, high);
}

/* Returns the character of a repetition operator at p->at, or 0. */
static char repetition_at(const struct parser *p)
{
    if (*p->at == '*')
        return '*';
    if (operator_at(p, p->at, '+') || operator_at(p, p->at, '?') || operator_at(p, p->at, '{'))
        return p->extended ? p->at[0] : p->at[1];
    return 0;
}

static void repetitions(struct parser *p, int from)
{
    for (char c; !p->error && (c = repetition_at(p));) {
        p->at += c == '*' || p->extended ? 1 : 2;
        if (c == '*')
            repeat_star(p, from);
        else if (c == '?')
            repeat_optional(p, from);
        else if (c == '+')
            repeat_between(p, from, 1, -1);
        else
            interval(p, from);
    }
}

static void branch(struct parser *p)
{
    const char *start = p->at;
    int repeatable = 0;
    while (!p->error && *p->at && !operator_at(p, p->at, '|') && !(operator_at(p, p->at, ')') && p->depth > 0)) {
        if (!p->extended && operator_at(p, p->at, ')')) {
            p->error = REG_EPAREN;
            return;
        }
        char repetition = repeatable ? 0 : repetition_at(p);
        if (repetition && (p->extended || repetition != '*')) { /* there is nothing before it to repeat */
            if (p->extended || repetition == '{') {
                p->error = REG_BADRPT;
                return;
            }
            p->at++;
        }
        int from = p->program->step_count;
        repeatable = atom(p, start);
        if (repeatable)
            repetitions(p, from);
    }
}

/* Compiles left | right, where the rest of the alternatives is the right side. It is a loop, because lists of
 * alternatives can be long. */
static void alternatives(struct parser *p)
{
    int last_jump = -1; /* until the end is known, the jumps to it are chained through their targets */
    int from = p->program->step_count;
    branch(p);
    while (!p->error && operator_at(p, p->at, '|')) {
        p->at += p->extended ? 1 : 2;
        insert(p, from, OP_SPLIT, 1, p->program->step_count - from + 2);
        put(p, OP_JUMP, last_jump, 0);
        last_jump = p->program->step_count - 1;
        from = p->program->step_count;
        branch(p);
    }
    while (!p->error && last_jump >= 0) {
        struct step *jump = &p->program->steps[last_jump];
        int next = jump->a;
        jump->a = p->program->step_count - last_jump;
        last_jump = next;
    }
}

int regcomp(regex_t *expression, const char *pattern, int flags)
{
    struct orrery_regex *program = calloc(1, sizeof *program);
    if (!program)
        return REG_ESPACE;
    struct parser p = {.at = pattern, .start = pattern, .program = program, .extended = flags & REG_EXTENDED};
    p.flags = program->flags = flags;
    alternatives(&p);
    if (!p.error && *p.at)
        p.error = REG_EPAREN;
    put(&p, OP_MATCH, 0, 0);
    free(p.closed);
    expression->re_nsub = (size_t)p.groups;
    expression->orrery_program = program;
    if (p.error)
        regfree(expression);
    return p.error;
}

void regfree(regex_t *expression)
{
    struct orrery_regex *program = expression->orrery_program;
    if (!program)
        return;
    free(program->steps);
    free(program->sets);
    free(program);
    expression->orrery_program = 0;
}

size_t regerror(int error, const regex_t *expression, char *text, size_t size)
{
    static const char *const messages[] = {"Success",
                                           "No match",
                                           "Invalid regular expression",
                                           "Invalid collation character",
                                           "Invalid character class name",
                                           "Trailing backslash",
                                           "Invalid back reference",
                                           "Unmatched [, [^, [:, [., or [=",
                                           "Unmatched ( or \\(",
                                           "Unmatched \\{",
                                           "Invalid content of \\{\\}",
                                           "Invalid range end",
                                           "Memory exhausted",
                                           "Invalid preceding regular expression",
                                           "Premature end of regular expression",
                                           "Regular expression too big",
                                           "Unmatched ) or \\)"};
    (void)expression;
    const char *message =
        error >= 0 && error < (int)(sizeof messages / sizeof *messages) ? messages[error] : "Unknown error";
    size_t needed = strlen(message) + 1;
    if (size > 0) {
        size_t kept = needed < size ? needed : size;
        memcpy(text, message, kept);
        text[kept - 1] = '\0';
    }
    return needed;
}
