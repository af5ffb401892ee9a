"""random_features.py - the features of random programs. Each function takes dice and a name and answers the text of
`static void NAME(void)` with everything it needs; names that it declares begin with NAME.
"""
from random_core import (BOOL, CHAR, DOUBLE, FLOAT, FLOATING, INT, INTEGERS, LONG, SHORT, UCHAR, UINT, ULLONG, Expressions, Scope,
                         constant, show)


def declare(dice, scope, count, prefix="v", floats=True, qualifier=""):
    lines = []
    for i in range(count):
        kind = dice.pick(FLOATING if floats and dice.chance(30) else INTEGERS)
        lines.append("    %s%s %s%d = %s;\n" % (qualifier, kind.name, prefix, i, constant(dice, kind)))
        scope.add("%s%d" % (prefix, i), kind)
    return "".join(lines)


def assignment(dice, scope, depth=3):
    """A statement that changes one variable."""
    name, kind = dice.pick(scope.targets())
    expressions = Expressions(dice, scope, effects=False)
    if kind.floating:
        return "%s %s %s;" % (name, dice.pick(["=", "=", "+=", "-=", "*="]), expressions.any(depth)[0])
    if dice.chance(15):
        return dice.pick(["%s++;", "--%s;", "++%s;", "%s--;"]) % name if kind is not BOOL else name + " = !%s;" % name
    operator = dice.pick(["=", "=", "=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="])
    value = expressions.integer(depth)[0]
    if operator in ("<<=", ">>="):
        value = "%s & %d" % (value, max(kind.bits(), 32) - 1)
    if operator in ("/=", "%="):
        value = "(%s & 31) + 1" % value
    return "%s %s %s;" % (name, operator, value)


def show_all(scope):
    return "".join("    %s\n" % show(name, kind) for name, kind in scope.variables)


def function(name, body, before=""):
    return "%sstatic void %s(void)\n{\n%s}\n" % (before, name, body)


def arithmetic(dice, name):
    scope = Scope()
    body = declare(dice, scope, dice.between(3, 9), qualifier=dice.pick(["", "", "volatile ", "register "]))
    for _ in range(dice.between(5, 25)):
        body += "    %s\n" % assignment(dice, scope, dice.between(1, 4))
    return function(name, body + show_all(scope))


def folding(dice, name):
    """The same expression over constants, in a static initialiser, and over variables."""
    kinds = [dice.pick(INTEGERS) for _ in range(4)]
    values = [constant(dice, kind) for kind in kinds]
    state = dice.state
    text, kind = Expressions(dice, Scope([("(%s)" % v, k) for v, k in zip(values, kinds)]), floats=False).integer(4)
    dice.state = state
    again, _ = Expressions(dice, Scope([("v%d" % i, k) for i, k in enumerate(kinds)]), floats=False).integer(4)
    body = "".join("    volatile %s v%d = %s;\n" % (k.name, i, v) for i, (v, k) in enumerate(zip(values, kinds)))
    body += '    static %s folded = %s;\n    %s computed = %s;\n' % (kind.name, text, kind.name, again)
    body += "    %s\n    %s\n    puts(folded == computed ? \"same\" : \"different\");\n" % (show("folded", kind), show("computed", kind))
    return function(name, body)


def conversions(dice, name):
    body = ""
    for i in range(dice.between(4, 10)):
        source, target = dice.pick(INTEGERS + FLOATING), dice.pick(INTEGERS + FLOATING)
        value = constant(dice, source)
        if source.floating and not target.floating:
            bound = {1: "100", 2: "30000", 4: "2e9", 8: "9e18"}[target.size]
            value = "clamp(%s, %s, %s)" % (value, "-" + bound if target.signed else "0", bound)
        body += "    volatile %s s%d = %s;\n    %s t%d = s%d;\n    %s\n" % (source.name, i, value, target.name, i, i,
                                                                       show("t%d" % i, target))
    return function(name, body)


def loops(dice, name):
    """Nested loops over arrays with affine indices, invariants and induction variables of several types."""
    n, m = dice.between(3, 12), dice.between(2, 9)
    kind, counter = dice.pick([INT, UINT, LONG, SHORT, UCHAR, ULLONG, DOUBLE, FLOAT]), dice.pick([INT, UINT, LONG, SHORT, UCHAR])
    scope = Scope([("i", counter), ("j", counter), ("a[i][j]", kind), ("b[j]", kind), ("invariant", INT)])
    expressions = Expressions(dice, scope, floats=kind.floating)
    value = (expressions.floating(3) if kind.floating else expressions.integer(3))[0]
    body = "    static %s a[%d][%d], b[%d];\n    int invariant = %s;\n    %s sum = 0;\n" % (kind.name, n, m, m, constant(dice, INT), kind.name)
    body += "    for (int i = 0; i < %d; i++)\n        b[i] = i * %d - %d;\n" % (m, dice.between(1, 9), dice.below(20))
    body += "    for (%s i = 0; i < %d; i++)\n        for (int k = %d; k >= 0; k--)\n            a[i][k] = i * %d + k;\n" % (
        counter.name, n, m - 1, dice.between(1, 7))
    step = dice.pick(["i++", "i += 2", "i = i + 1"])
    body += "    for (%s i = 0; i < %d; %s) {\n        %s j = 0;\n" % (counter.name, n, step, counter.name)
    leave = dice.pick(["if (invariant & 1) continue;", "if (i == %d) break;" % dice.below(n), "if (j > i) { sum += 1; continue; }", ";"])
    body += "        do {\n            a[i][j] = %s;\n            sum += a[i][j];\n            b[(i * %d + j) %% %d] ^= 0;\n" % (
        value, dice.between(1, 5), m) if not kind.floating else "        do {\n            a[i][j] = %s;\n            sum += a[i][j] * 0.5;\n" % value
    body += "            %s\n        } while (++j < %d);\n    }\n    %s\n" % (leave, m, show("sum", kind))
    body += "    unsigned long hash = 0;\n    for (int i = 0; i < %d; i++)\n        for (int j = 0; j < %d; j++)\n            hash = hash * 31 + %s;\n" % (
        n, m, "(long)clamp(a[i][j], -1e15, 1e15)" if kind.floating else "(unsigned long)a[i][j]")
    return function(name, body + '    printf("hash = %lu\\n", hash);\n')


FIELDS = INTEGERS + FLOATING


def structures(dice, name):
    """A structure of random members, some bit-fields, taken and returned by value."""
    members, fields = "", []
    for i in range(dice.between(1, 7)):
        if dice.chance(30):
            kind = dice.pick([INT, UINT, LONG, ULLONG, UCHAR, SHORT, BOOL])
            members += "    %s f%d : %d;\n" % (kind.name, i, 1 if kind is BOOL else dice.between(1, kind.bits()))
            if dice.chance(15):
                members += "    int : 0;\n"
        else:
            kind = dice.pick(FIELDS)
            array = "[%d]" % dice.between(1, 5) if dice.chance(25) else ""
            members += "    %s f%d%s;\n" % (kind.name, i, array)
            if array:
                fields.append(("f%d[0]" % i, kind))
                continue
        fields.append(("f%d" % i, kind))
    tag = "struct %s_s" % name
    packed = dice.pick(["", "", "", " __attribute__((packed))"])
    before = "%s {\n%s}%s;\n" % (tag, members, packed)
    scope = Scope([("s." + f, k) for f, k in fields] + [("x", INT)])
    change = "".join("    %s\n" % assignment(dice, scope, 2) for _ in range(dice.between(1, 5)))
    before += "static %s %s_change(int x, %s s, double y)\n{\n%s    return y > 1 ? s : s;\n}\n" % (tag, name, tag, change)
    body = "    %s s = {0}, t;\n" % tag
    for field, kind in fields:
        body += "    s.%s = %s;\n" % (field, constant(dice, kind))
    body += "    t = %s_change(%d, %s_change(%d, s, 0.5), 2.5);\n    s = t;\n" % (name, dice.below(99), name, dice.below(99))
    body += '    printf("size %%zu\\n", sizeof s);\n' % ()
    for field, kind in fields:
        if kind.floating:
            body += '    show("%s", t.%s);\n' % (field, field)
        else:
            body += '    printf("%s %%lld %%d\\n", (long long)t.%s, s.%s == t.%s);\n' % (field, field, field, field)
    return function(name, body, before)


def bit_fields(dice, name):
    widths = [(dice.pick([INT, UINT, LONG, ULLONG]), dice.between(1, 31)) for _ in range(dice.between(2, 6))]
    members = " ".join("%s f%d : %d;" % (kind.name, i, width) for i, (kind, width) in enumerate(widths))
    body = "    struct { %s } s = {0};\n" % members
    for _ in range(dice.between(4, 14)):
        i, j = dice.below(len(widths)), dice.below(len(widths))
        body += "    " + dice.pick(["s.f%d = s.f%d * 3 + 1;", "s.f%d++, s.f%d--;", "s.f%d += s.f%d;", "s.f%d ^= ~s.f%d;",
                                    "s.f%d = -s.f%d - 5;", "s.f%d <<= s.f%d & 3;"]) % (i, j) + "\n"
        body += '    printf("%%lld ", (long long)(s.f%d = %s));\n' % (i, constant(dice, dice.pick(INTEGERS)))
    body += "".join('    printf("f%d = %%lld\\n", (long long)s.f%d);\n' % (i, i) for i in range(len(widths)))
    return function(name, body)


def unions(dice, name):
    body = "    union { unsigned long long whole; unsigned words[2]; unsigned short halves[4]; unsigned char bytes[8]; double real; float single[2]; } u;\n"
    body += "    u.whole = %s;\n" % constant(dice, ULLONG)
    for _ in range(dice.between(2, 8)):
        body += "    " + dice.pick(["u.bytes[%d] ^= %d;" % (dice.below(8), dice.below(256)), "u.halves[%d] += %d;" % (dice.below(4), dice.below(70000)),
                                    "u.words[%d] *= %du;" % (dice.below(2), dice.below(1 << 20)),
                                    "u.whole = u.whole >> %d | u.whole << %d;" % (8, 56)]) + "\n"
        body += '    printf("%llx %x %x %d\\n", u.whole, u.words[1], u.halves[2], u.bytes[5]);\n'
    body += "    u.real = %s;\n    printf(\"%%llx %%x\\n\", u.whole, u.words[0]);\n" % constant(dice, DOUBLE)
    return function(name, body)


def variable_arrays(dice, name):
    rows, columns = dice.between(1, 7), dice.between(1, 7)
    before = """static long %s_sum(int n, int m, int a[n][m], long (*weight)[m])
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum = sum * 3 + a[i][j] * weight[0][j] + (long)sizeof a[0];
    return sum;
}
""" % name
    body = """    for (int n = %d; n < %d; n++) {
        int m = %d + n %% 3, a[n][m];
        long weight[m];
        char text[n + 1][2 * m];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = i * %d - j;
        for (int j = 0; j < m; j++)
            weight[j] = j * j - %d;
        memset(text, n, sizeof text);
        text[n][m] += 1;
        int (*row)[m] = a + n / 2;
        printf("%%zu %%zu %%ld %%d %%d %%td\\n", sizeof a, sizeof text, %s_sum(n, m, a, &weight), row[0][m - 1], text[n][m], row - a);
        if (n %% 4 == 3)
            continue;
    }
""" % (rows, rows + dice.between(2, 8), columns, dice.between(1, 50), dice.below(30), name)
    return function(name, body, before)


def variable_arguments(dice, name):
    codes, arguments = "", []
    for _ in range(dice.between(1, 12)):
        code = dice.pick("iuldLcp")
        codes += code
        kind = {"i": INT, "u": UINT, "l": LONG, "d": DOUBLE, "L": ULLONG, "c": CHAR}.get(code)
        arguments.append('(struct %s_p){%d, %d.5}' % (name, dice.below(50), dice.below(9)) if kind is None else constant(dice, kind))
    before = """struct %s_p { int a; double b; };
static double %s_add(const char *codes, ...)
{
    va_list list, copy;
    va_start(list, codes);
    va_copy(copy, list);
    double sum = 0;
    for (const char *c = codes; *c; c++)
        switch (*c) {
        case 'i': case 'c': sum += va_arg(list, int); break;
        case 'u': sum += va_arg(list, unsigned); break;
        case 'l': sum -= va_arg(list, long) / 3; break;
        case 'L': sum += va_arg(list, unsigned long long) %% 1000; break;
        case 'd': sum += va_arg(list, double) * 2; break;
        case 'p': { struct %s_p p = va_arg(list, struct %s_p); sum += p.a * p.b; break; }
        }
    if (*codes == 'i')
        sum += va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return sum;
}
""" % (name, name, name, name)
    body = '    show("sum", %s_add("%s", %s));\n' % (name, codes, ", ".join(arguments))
    return function(name, body, before)


def switches(dice, name):
    kind = dice.pick([INT, UINT, LONG, CHAR, UCHAR, ULLONG])
    labels, text = set(), ""
    base = dice.pick([0, 0, -5 if kind.signed else 250, 100, 1000 if kind.size > 1 else 60])
    for i in range(dice.between(2, 14)):
        label = base + dice.below(12) if dice.chance(70) else dice.below(120)
        if label in labels:
            continue
        labels.add(label)
        span = ""
        if dice.chance(15) and not labels & set(range(label + 1, label + 4)):
            labels |= set(range(label + 1, label + 4))
            span = " ... %d" % (label + 3)
        text += "    case %d%s: r += %d; %s\n" % (label, span, i * 7 + 1, dice.pick(["break;", "break;", "return r;", "", "if (r & 1) break;"]))
        if dice.chance(12) and "default" not in text:
            text += "    default: r ^= 64; %s\n" % dice.pick(["break;", ""])
    before = "static int %s_choose(%s x, int r)\n{\n    switch (x) {\n%s    }\n    return r * 2;\n}\n" % (name, kind.name, text)
    body = '    for (int i = %d; i < %d; i++)\n        printf("%%d ", %s_choose((%s)i, i & 3));\n    puts("");\n' % (base - 6, base + 40, name, kind.name)
    return function(name, body, before)


def gotos(dice, name):
    count = dice.between(2, 7)
    body = "    unsigned state = %du, steps = 0;\n" % dice.below(1 << 30)
    computed = dice.chance(40)
    if computed:
        body += "    static void *const table[] = {%s};\n" % ", ".join("&&l%d" % i for i in range(count))
    for i in range(count):
        move = "goto *table[state %% %du];" % count if computed else "if (state %% %du) goto l%d;" % (dice.between(2, 5), dice.below(count))
        body += "l%d:\n    state = state * 1103515245u + %du;\n    if (++steps > %d) goto out;\n    %s\n" % (i, dice.below(99999), dice.between(5, 60), move)
    body += "    for (int i = 0; i < 5; i++)\n        for (int j = 0; j < 5; j++)\n            if (i * j == %d) goto out;\n            else if (i + j == 7) goto again;\n" % dice.below(17)
    body += "again:\n    state ^= 5;\n"
    return function(name, body + 'out:\n    printf("%u %u\\n", state, steps);\n')


WORDS = ["alpha", "beta", "gamma", "delta", "", "x", "orrery", "a,b;c", "  lead", "12345", "-77 rest", "0x1fz", "3.25e2q"]


def strings(dice, name):
    body = "    char buffer[200] = \"%s\", other[200];\n    int n; double d; char *end;\n" % dice.pick(WORDS)
    for _ in range(dice.between(4, 12)):
        word, k = dice.pick(WORDS), dice.between(1, 6)
        body += "    " + dice.pick([
            'if (strlen(buffer) < 100) strcat(buffer, "%s");' % word,
            'strcpy(other, "%s"); memmove(other + %d, other, strlen(other) + 1); other[0] = \'<\';' % (word, 1) + ' if (strlen(buffer) < 100) strcat(buffer, other);',
            'n = strcmp(buffer, "%s"); printf("%%d\\n", (n > 0) - (n < 0));' % word,
            'end = strchr(buffer, \'%s\'); printf("%%td\\n", end ? end - buffer : -1);' % dice.pick("abcx,"),
            'end = strstr(buffer, "%s"); printf("%%td\\n", end ? end - buffer : -1);' % word[:2],
            '{ long l = strtol("%s", &end, %d); printf("%%ld %%s\\n", l, end); }' % (word, dice.pick([0, 10, 16, 36])),
            'd = strtod("%s", &end); printf("%%a %%s\\n", d, end);' % word,
            'printf("%%d [%%s]\\n", snprintf(other, %d, "%%s-%%d", buffer, %d), other);' % (k * 3, k * 37),
            'n = -1; { int r = sscanf("%s", "%%d", &n); printf("%%d %%d\\n", r, n); }' % word,
            'memset(other, 0, sizeof other); strncpy(other, buffer, %d); puts(other);' % k,
            'printf("%%zu %%zu\\n", strspn(buffer, "abcdefg"), strcspn(buffer, ",;<"));',
            'strcpy(other, buffer); for (char *t = strtok(other, ",<-"); t; t = strtok(NULL, ",<-")) printf("{%s}", t); puts("");',
        ]).replace("%%zu", "%zu") + "\n"
    return function(name, body + "    puts(buffer);\n")


def jumps(dice, name):
    depth = dice.between(1, 9)
    before = """static jmp_buf %s_place;
static int %s_dive(int depth, int value)
{
    if (depth == 0)
        longjmp(%s_place, value);
    int local = depth * value;
    return %s_dive(depth - 1, value + local) + local;
}
""" % (name, name, name, name)
    body = """    volatile int count = 0;
    int kept = %d;
    int got = setjmp(%s_place);
    printf("%%d %%d %%d\\n", got, count, kept);
    if (count++ < %d)
        %s_dive(%d, count);
    switch (setjmp(%s_place)) {
    case 0: %s_dive(2, %d);
    default: puts("back");
    }
""" % (dice.below(1000), name, dice.between(1, 5), name, depth, name, name, dice.between(0, 3))
    return function(name, body, before)


def initialisers(dice, name):
    n = dice.between(4, 12)
    marks = ", ".join("[%d%s] = %d" % (i, " ... %d" % (i + 1) if dice.chance(25) and i + 1 < n else "", dice.between(-99, 99))
                      for i in sorted(dice.below(n) for _ in range(3)))
    before = """struct %(n)s_in { short a; union { int i; float f; } u; char name[6]; };
struct %(n)s_out { struct %(n)s_in in[3]; int x, *p; const char *s; struct { int c, d; }; };
static int %(n)s_array[%(k)d] = {%(marks)s, };
static struct %(n)s_out %(n)s_global = {.x = %(x)d, .in[1] = {.name = "abc", .u.f = 1.5f}, .in[2].a = %(y)d, .in[0] = {1, {2}, "xyz"},
    .p = &%(n)s_array[%(z)d], .s = "tail" + 1, .d = 5, .in[0].a = 9};
static int %(n)s_take(const struct %(n)s_in *p, int k) { return p->a * k + p->u.i + p->name[0]; }
""" % {"n": name, "k": n, "marks": marks, "x": dice.below(99), "y": dice.below(99), "z": dice.below(n)}
    body = """    for (int i = 0; i < %(k)d; i++)
        printf("%%d ", %(n)s_array[i]);
    printf("%%d %%d %%s %%s %%d %%d %%d %%td\\n", %(n)s_global.x, %(n)s_global.in[2].a, %(n)s_global.in[1].name, %(n)s_global.s, %(n)s_global.d,
           %(n)s_global.in[0].a, *%(n)s_global.p, %(n)s_global.p - %(n)s_array);
    int x = %(x)d;
    struct %(n)s_out local = {.in = {[1] = {x, .name = {'q', [3] = 'z'}}}, .c = x++};
    printf("%%d %%d %%d %%d %%d\\n", local.in[1].a, local.in[1].name[3], local.c, x, local.in[2].u.i);
    for (int i = 0; i < 3; i++)
        printf("%%d ", %(n)s_take(&(struct %(n)s_in){.a = i, .u = {x + i}}, (int[]){3, 1, i, [5] = 2}[i + 2]));
    printf("%%zu\\n", sizeof (int[]){1, 2, [%(z)d] = 3});
""" % {"n": name, "k": n, "x": dice.below(50), "z": dice.between(2, 20)}
    return function(name, body, before)


def complex_numbers(dice, name):
    kind = dice.pick(["double", "double", "float"])
    body = "".join("    %s _Complex z%d = %d + %d * I;\n" % (kind, i, dice.between(-9, 9), dice.between(1, 9)) for i in range(3))
    for _ in range(dice.between(3, 9)):
        a, b, c = dice.below(3), dice.below(3), dice.below(3)
        body += "    z%d = %s;\n" % (a, dice.pick(["z%d + z%d", "z%d - z%d", "z%d * z%d * 0.125", "conj(z%d) + 2 * z%d", "-z%d + z%d * I", "z%d * 0.5 + creal(z%d)",
                                                "(z%d == z%d) + 1.5"]) % (b, c))
    body += "".join("    printf(\"%%a %%a\\n\", (double)creal(z%d), (double)cimag(z%d));\n" % (i, i) for i in range(3))
    return function(name, body)


def function_pointers(dice, name):
    before = ""
    count = dice.between(2, 5)
    for i in range(count):
        text, _ = Expressions(dice, Scope([("a", LONG), ("b", LONG)]), floats=False).integer(2)
        before += "static long %s_f%d(long a, long b) { return %s; }\n" % (name, i, text)
    before += "typedef long (*%s_op)(long, long);\nstatic %s_op %s_get(int i)\n{\n    static const %s_op table[] = {%s};\n    return table[i %% %d];\n}\n" % (
        name, name, name, name, ", ".join("%s%s_f%d" % (dice.pick(["", "&"]), name, i) for i in range(count)), count)
    before += "static long (*(*%s_deep)(int))(long, long) = %s_get;\n" % (name, name)
    before += "static int %s_order(const void *a, const void *b) { long x = *(const long *)a, y = *(const long *)b; return (x > y) - (x < y); }\n" % name
    body = "    long values[%d];\n    for (int i = 0; i < %d; i++)\n        values[i] = %s_deep(i)(i * %dL, (*%s_get(i + 1))(i, 7));\n" % (
        dice.between(12, 20), 12, name, dice.between(-50, 9999), name)
    body += "    qsort(values, 12, sizeof *values, %s_order);\n    for (int i = 0; i < 12; i++)\n        printf(\"%%ld \", values[i]);\n    puts(\"\");\n" % name
    body += "    printf(\"%%d\\n\", bsearch(&values[5], values, 12, sizeof *values, %s_order) != NULL);\n" % name
    return function(name, body, before)


def pointers(dice, name):
    n = dice.between(6, 20)
    body = "    int a[%d], *p = a, *q = a + %d;\n    unsigned char *bytes = (unsigned char *)a;\n    int (*pair)[2] = (int (*)[2])a;\n" % (n, n - 1)
    body += "    for (int i = 0; i < %d; i++)\n        *p++ = i * %d - %d;\n" % (n, dice.between(1, 99999), dice.below(500))
    body += "    p = a;\n    while (p < q) {\n        int t = *p;\n        *p++ = *q;\n        *q-- = t;\n    }\n"
    body += '    printf("%td %d %d %d %d\\n", q - a, p[-1], *(q + 1), pair[1][1], 1[pair][0]);\n'
    body += "    for (unsigned i = 0; i < sizeof a; i += %d)\n        bytes[i] += i;\n" % dice.between(1, 7)
    body += "    struct node { struct node *next; int value; } *list = NULL;\n    for (int i = 0; i < %d; i++) {\n        struct node *node = malloc(sizeof *node);\n        *node = (struct node){list, a[i]};\n        list = node;\n    }\n" % n
    body += "    unsigned sum = 0;\n    for (struct node *node = list, *next; node; node = next) {\n        next = node->next;\n        sum = sum * 17 + node->value;\n        free(node);\n    }\n    printf(\"%u\\n\", sum);\n"
    return function(name, body)


def recursion(dice, name):
    scope = Scope([("n", INT), ("x", LONG)])
    first, second = (Expressions(dice, scope, floats=False).integer(2)[0] for _ in range(2))
    before = "static long %s_b(int n, long x);\nstatic long %s_a(int n, long x)\n{\n    static int calls;\n    calls++;\n    return n <= 0 ? x + calls : %s_b(n - 1, %s) + n;\n}\n" % (
        name, name, name, first)
    before += "static long %s_b(int n, long x)\n{\n    if (n <= 0)\n        return x;\n    long left = %s_a(n - 1, %s);\n    return left ^ %s_a(n - 2, x);\n}\n" % (name, name, second, name)
    return function(name, '    for (int i = 0; i < 10; i++)\n        printf("%%ld ", %s_a(i, %s));\n    puts("");\n' % (name, constant(dice, LONG)), before)


def formats(dice, name):
    body = ""
    for _ in range(dice.between(5, 15)):
        flags = "".join(f for f in "-+ 0#" if dice.chance(20))
        width = dice.pick(["", "", str(dice.between(1, 25)), "*"])
        precision = dice.pick(["", "", ".%d" % dice.below(12), ".*"])
        stars = "".join("%d, " % dice.between(-9 if star == "*" else 0, 20) for star in (width, precision) if "*" in star)
        if dice.chance(50):
            kind = dice.pick([INT, UINT, LONG, ULLONG])
            letter = dice.pick("diuxXo") if kind in (INT, UINT) else dice.pick(["ld", "li", "lu", "lx", "lo"]) if kind is LONG else dice.pick(["llu", "llx", "llo"])
        else:
            kind, letter = DOUBLE, dice.pick("feEgGaAF")
        body += '    printf("[%%%s%s%s%s]\\n", %s%s);\n' % (flags, width, precision, letter, stars, constant(dice, kind))
    return function(name, body)


def constants(dice, name):
    """sizeof, _Alignof, offsetof, enumerations, _Generic and other constant expressions, where only constants may stand."""
    kinds = [dice.pick(INTEGERS + FLOATING) for _ in range(4)]
    members = " ".join("%s m%d%s;" % (k.name, i, "[%d]" % dice.between(1, 9) if dice.chance(30) else "") for i, k in enumerate(kinds))
    before = "struct %s_t { %s };\nenum %s_e { %s_A = %d, %s_B, %s_C = %s_B * 2 - sizeof(struct %s_t), %s_D };\n" % (
        name, members, name, name, dice.between(-99, 99), name, name, name, name, name)
    text, kind = Expressions(dice, Scope([("(%s)" % constant(dice, k), k) for k in (INT, UINT, LONG)]), floats=False).integer(3)
    before += "#define %s_NAME(x) _Generic((x), int: \"int\", unsigned: \"unsigned\", long: \"long\", unsigned long: \"ulong\", long long: \"llong\", unsigned long long: \"ullong\", double: \"double\", float: \"float\", default: \"other\")\n" % name
    body = '    printf("%%zu %%zu %%zu %%zu\\n", sizeof(struct %s_t), _Alignof(struct %s_t), offsetof(struct %s_t, m2), offsetof(struct %s_t, m3));\n' % (name, name, name, name)
    body += '    printf("%%d %%d %%d\\n", (int)%s_B, (int)%s_C, (int)%s_D);\n' % (name, name, name)
    body += '    puts(%s_NAME(%s));\n    puts(%s_NAME(%s));\n' % (name, text, name, Expressions(dice, Scope([("v", kind)])).any(2)[0])
    body = "    %s v = %s;\n    (void)v;\n" % (kind.name, text) + body
    body += "    int statement = ({ int t = %d; t * t; });\n    printf(\"%%d %%d\\n\", statement, statement ?: 3);\n" % dice.below(40)
    return function(name, body, before)


def mathematics(dice, name):
    """What IEEE 754 or the C standard gives exactly."""
    body = ""
    for i in range(dice.between(3, 9)):
        a, b = constant(dice, DOUBLE), constant(dice, DOUBLE)
        call = dice.pick(["sqrt(fabs(%s) + %s * 0)", "fmod(%s, (%s) != 0 ? 3.7 : 2.0)", "ldexp(%s, (int)clamp(%s, -1e9, 1e9) %% 20)", "copysign(%s, %s)", "fmax(%s, %s)",
                          "hypot(%s * 0, %s)", "nextafter(%s, %s)", "rint(%s) + %s", "(double)lround(clamp(%s, -1e9, 1e9)) + %s", "fma(%s, %s, 1.0)",
                          "remainder(%s, 2.5) + 0 * %s", "scalbn(%s, 3) + logb(fabs(%s) + 1)", "(float)(%s) * (float)(%s)", "fdim(%s, %s)"]) % (a, b)
        body += "    show(\"m%d\", %s);\n" % (i, call)
    return function(name, body)


def threads_of_control(dice, name):
    """Statements nested at random: if, for, while, do, switch, break, continue, over a few variables."""
    scope = Scope()
    body = declare(dice, scope, dice.between(3, 6), floats=dice.chance(40))

    def statement(depth, loop):
        indent = "    " * (6 - depth)
        form = dice.below(9) if depth else 0
        condition = Expressions(dice, scope).integer(2)[0]
        counter = "c%d" % depth
        if form <= 2:
            return "%s%s\n" % (indent, assignment(dice, scope, 2))
        inner = "".join(statement(depth - 1, form != 8 and (loop or form >= 5)) for _ in range(dice.between(1, 3)))
        if form == 3:
            return "%sif (%s) {\n%s%s} else {\n%s%s}\n" % (indent, condition, inner, indent, statement(depth - 1, loop), indent)
        if form == 4 and loop:
            return "%sif (%s) %s;\n" % (indent, condition, dice.pick(["break", "continue"]))
        if form == 5:
            return "%sfor (int %s = 0; %s < %d; %s++) {\n%s%s}\n" % (indent, counter, counter, dice.between(1, 6), counter, inner, indent)
        if form == 6:
            return "%s{ int %s = %d; while (%s-- > 0) {\n%s%s} }\n" % (indent, counter, dice.between(1, 6), counter, inner, indent)
        if form == 7:
            return "%s{ int %s = 0; do {\n%s%s} while (++%s < %d && %s); }\n" % (indent, counter, inner, indent, counter, dice.between(1, 5), condition)
        return "%sswitch ((%s) & 3) {\n%scase 0:\n%s%sdefault:\n%s%s}\n" % (indent, condition, indent, inner, indent, statement(depth - 1, False), indent)

    for _ in range(dice.between(2, 5)):
        body += statement(4, False)
    return function(name, body + show_all(scope))


ALL = [arithmetic, arithmetic, folding, conversions, loops, loops, structures, structures, bit_fields, unions, variable_arrays,
       variable_arguments, switches, gotos, strings, jumps, initialisers, complex_numbers, function_pointers, pointers, recursion,
       formats, constants, mathematics, threads_of_control, threads_of_control]
