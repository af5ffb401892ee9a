"""random_wide.py - random arithmetic with __int128: operators, conversions, calls, variable arguments, members, folding."""
KINDS = [("__int128", True), ("unsigned __int128", False), ("__int128_t", True), ("__uint128_t", False)]
NARROW = ["char", "unsigned char", "short", "int", "unsigned", "long", "unsigned long", "_Bool"]

BEFORE = """#ifndef WIDE
#define WIDE
#define SHOW_WIDE(e) \\
    do { \\
        unsigned __int128 w_ = (unsigned __int128)(e); \\
        printf("%s %016lx%016lx\\n", #e, (unsigned long)(w_ >> 64), (unsigned long)w_); \\
    } while (0)
static __int128 wide_sum(int n, ...)
{
    va_list list;
    __int128 sum = 0;
    va_start(list, n);
    while (n-- > 0) {
        sum = sum * 3 + va_arg(list, __int128);
        sum -= va_arg(list, int);
    }
    va_end(list);
    return sum;
}
#endif
"""


def number(dice):
    form = dice.below(6)
    if form == 0:
        return "%d" % dice.between(-3, 3)
    if form == 1:
        return "((__int128)1 << %d)" % dice.below(127)
    if form == 2:
        return "((unsigned __int128)-1 >> %d)" % dice.below(128)
    low, high = dice.bits() >> dice.below(64), dice.bits() >> dice.below(64)
    if form == 3:
        return "0x%xul" % low
    return "((unsigned __int128)0x%xul << 64 | 0x%xul)" % (high, low)


def expression(dice, names, depth, constant=False):
    if depth == 0 or dice.chance(10):
        return number(dice) if constant or dice.chance(20) else dice.pick(names)
    def inner():
        return expression(dice, names, depth - 1, constant)
    form = dice.below(17)
    if form < 5:
        return "(%s %s %s)" % (inner(), dice.pick(["+", "-", "*", "*", "&", "|", "^"]), inner())
    if form < 8:
        return "((%s)%s %s ((%s) | 1))" % (dice.pick(KINDS)[0], inner(), dice.pick(["/", "%"]),
                                           "(unsigned __int128)%s >> %d" % (inner(), dice.between(1, 127)))
    if form < 10:
        return "((%s)%s %s (%s & 127))" % (dice.pick(KINDS)[0], inner(), dice.pick(["<<", ">>"]), inner())
    if form == 10:
        return "(%s %s %s)" % (inner(), dice.pick(["<", "<=", ">", ">=", "==", "!="]), inner())
    if form == 11:
        return "(%s%s)" % (dice.pick(["-", "~", "!", "+"]), inner())
    if form == 12:
        return "((%s)%s)" % (dice.pick(NARROW), inner())
    if form == 13:
        return "((%s)%s)" % (dice.pick(KINDS)[0], inner())
    if form == 14:
        return "(%s ? %s : %s)" % (inner(), inner(), inner())
    if form == 15:
        return "(%s %s %s)" % (inner(), dice.pick(["&&", "||"]), inner())
    return "((__int128)(%s)(%s >> %d))" % (dice.pick(["double", "float"]), "(__int128)" + inner(), dice.between(60, 120))


def wide(dice, name):
    kinds = [dice.pick(KINDS)[0] if dice.chance(70) else dice.pick(NARROW) for _ in range(dice.between(3, 6))]
    names = ["v%d" % i for i in range(len(kinds))] + ["s.w", "p->w", "array[1]"]
    before = BEFORE + "struct %s_s { char c; %s w; int i; };\n" % (name, dice.pick(KINDS)[0])
    before += "static struct %s_s %s_change(struct %s_s s, __int128 by) { s.w += by; s.i--; return s; }\n" % (name, name, name)
    constant = expression(dice, [], 4, constant=True)
    before += "static const __int128 %s_folded = %s;\n" % (name, "(__int128)(%s)" % constant)
    body = "".join("    volatile %s w%d = %s;\n    %s v%d = w%d;\n" % (kind, i, number(dice), kind, i, i)
                   for i, kind in enumerate(kinds))
    body += "    struct %s_s s = {1, %s, 2}, *p = &s;\n    unsigned __int128 array[3] = {%s, [2] = 5};\n" % (name, number(dice), number(dice))
    body += "    SHOW_WIDE(%s_folded);\n" % name
    for _ in range(dice.between(6, 14)):
        target = dice.pick(names)
        form = dice.below(9)
        if form < 4:
            body += "    %s = %s;\n" % (target, expression(dice, names, dice.between(1, 4)))
        elif form < 6:
            body += "    %s %s= %s;\n" % (target, dice.pick(["+", "-", "*", "&", "|", "^"]), expression(dice, names, 2))
        elif form == 6:
            body += "    %s %s (%s & 7);\n" % (target, dice.pick(["<<=", ">>="]), expression(dice, names, 1))
        elif form == 7 and target[0] == "v" and "_Bool" in kinds[int(target[1:])]:
            body += "    %s = !%s;\n" % (target, target)
        elif form == 7:
            body += "    SHOW_WIDE(%s);\n" % dice.pick(["%s++", "--%s", "++%s", "%s--"]).replace("%s", target)
        else:
            body += "    s = %s_change(s, %s);\n    SHOW_WIDE(wide_sum(2, (__int128)%s, %d, (__int128)%s, 3));\n" % (
                name, expression(dice, names, 2), dice.pick(names), dice.below(9), dice.pick(names))
        body += "    SHOW_WIDE(%s);\n" % target
    value = dice.pick(names)
    body += '    printf("%%.17g %%.9g\\n", (double)(__int128)%s, (double)(float)(unsigned __int128)%s);\n' % (value, value)
    body += '    printf("%%d %%d\\n", (int)sizeof s, (int)_Alignof(__int128));\n'
    return "%sstatic void %s(void)\n{\n%s}\n" % (before, name, body)
