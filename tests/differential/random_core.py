"""random_core.py - what the generator of random C programs is made of: dice, types, and expressions without undefined
behaviour.

An expression comes with its C type, found by the usual arithmetic conversions, so that what would be undefined can be
written around: shift counts are masked by the width of the promoted type, divisors are made small and positive,
floating values go through clamp() before they become integers. Signed overflow is left in: both sides wrap (-fwrapv).
"""

MASK = (1 << 64) - 1


class Dice:
    """splitmix64: the same numbers in every version of Python."""

    def __init__(self, seed):
        self.state = (seed * 0x9E3779B97F4A7C15 + 0x1234567) & MASK

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, n):
        return self.bits() % n

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def pick(self, items):
        return items[self.below(len(items))]

    def chance(self, percent):
        return self.below(100) < percent


class Type:
    def __init__(self, name, size, signed, rank, letter, floating=False):
        self.name, self.size, self.signed, self.rank, self.letter, self.floating = name, size, signed, rank, letter, floating

    def bits(self):
        return 8 * self.size


CHAR = Type("char", 1, True, 1, "d")
SCHAR = Type("signed char", 1, True, 1, "d")
UCHAR = Type("unsigned char", 1, False, 1, "u")
SHORT = Type("short", 2, True, 2, "d")
USHORT = Type("unsigned short", 2, False, 2, "u")
INT = Type("int", 4, True, 3, "d")
UINT = Type("unsigned", 4, False, 3, "u")
LONG = Type("long", 8, True, 4, "ld")
ULONG = Type("unsigned long", 8, False, 4, "lu")
LLONG = Type("long long", 8, True, 5, "lld")
ULLONG = Type("unsigned long long", 8, False, 5, "llu")
BOOL = Type("_Bool", 1, False, 0, "d")
FLOAT = Type("float", 4, True, 8, "f", True)
DOUBLE = Type("double", 8, True, 9, "f", True)
INTEGERS = [CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, INT, INT, UINT, UINT, LONG, ULONG, LLONG, ULLONG, BOOL]
FLOATING = [FLOAT, DOUBLE, DOUBLE]


def promoted(kind):
    return INT if kind.rank < 3 else kind


def common(a, b):
    """C11 6.3.1.8."""
    if a.floating or b.floating:
        return a if a.rank >= b.rank else b
    a, b = promoted(a), promoted(b)
    if a is b:
        return a
    if a.signed == b.signed:
        return a if a.rank > b.rank else b
    unsigned, signed = (b, a) if a.signed else (a, b)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.size > unsigned.size:
        return signed
    return {4: ULONG, 5: ULLONG}[signed.rank]


INTERESTING = [0, 1, 2, 3, 5, 7, 8, 10, 15, 16, 31, 32, 63, 64, 100, 127, 128, 129, 255, 256, 257, 1000, 32767, 32768, 65535, 65536,
               0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF]


def constant(dice, kind):
    """A constant of exactly this type (as a cast where no suffix says it)."""
    if kind.floating:
        text = dice.pick(["0.0", "1.0", "-1.5", "0.1", "3.25", "1e10", "-2.5e-3", "123456.789", "0x1.8p3", "7.0", "1e-20",
                          "%d.%d" % (dice.between(-999, 999), dice.below(100))])
        text += "f" if kind is FLOAT else ""
        return "(%s)" % text if text.startswith("-") else text
    value = dice.pick(INTERESTING) if dice.chance(60) else dice.bits() >> dice.below(64)
    if dice.chance(25):
        value = -value
    value &= (1 << kind.bits()) - 1
    if kind is BOOL:
        return "(_Bool)%d" % (value & 1)
    if kind.signed and value >> (kind.bits() - 1):
        value -= 1 << kind.bits()
    suffix = {"int": "", "unsigned": "u", "long": "l", "unsigned long": "ul", "long long": "ll", "unsigned long long": "ull"}
    if kind.name in suffix:
        low = -(1 << (kind.bits() - 1))
        if kind.signed and value == low:
            return "(%d%s - 1)" % (value + 1, suffix[kind.name])
        text = "0x%X" % value if value >= 0 and dice.chance(20) and value < 1 << 31 else "%d" % value
        return "(%s%s)" % (text, suffix[kind.name]) if value < 0 else text + suffix[kind.name]
    return "(%s)%d" % (kind.name, value)


class Scope:
    """Variables that expressions may read: (name, type); assignable says which may be written to."""

    def __init__(self, variables=()):
        self.variables = list(variables)
        self.fixed = set()

    def add(self, name, kind, fixed=False):
        self.variables.append((name, kind))
        if fixed:
            self.fixed.add(name)

    def targets(self, floating=None):
        return [(n, k) for n, k in self.variables if n not in self.fixed and (floating is None or k.floating == floating)]


class Expressions:
    def __init__(self, dice, scope, floats=True, effects=False):
        self.dice, self.scope, self.floats, self.effects = dice, scope, floats, effects

    def leaf(self, floating=None):
        candidates = [(n, k) for n, k in self.scope.variables if floating is None or k.floating == floating]
        if candidates and self.dice.chance(70):
            return self.dice.pick(candidates)
        if floating is None:
            floating = self.floats and self.dice.chance(25)
        kind = self.dice.pick(FLOATING if floating else INTEGERS)
        return constant(self.dice, kind), kind

    def any(self, depth):
        if depth <= 0:
            return self.leaf(None if self.floats else False)
        return self.floating(depth) if self.floats and self.dice.chance(25) else self.integer(depth)

    def integer(self, depth):
        """An integer expression and its type."""
        if depth <= 0:
            return self.leaf(False)
        form = self.dice.pick([self.arithmetic, self.arithmetic, self.arithmetic, self.division, self.shift, self.comparison,
                               self.logical, self.unary, self.conditional, self.cast, self.comma])
        return form(depth - 1)

    def floating(self, depth):
        if depth <= 0 or self.dice.chance(10):
            return self.leaf(True)
        (a, left), (b, right) = self.floating(depth - 1), self.any(depth - 1)
        kind = common(left, right)
        form = self.dice.below(8)
        if form == 0:
            return "(-%s)" % a, left
        if form == 1:
            kind = self.dice.pick(FLOATING)
            return "((%s)%s)" % (kind.name, b), kind
        if form == 2:
            return "(%s ? %s : %s)" % (self.integer(depth - 1)[0], a, b), kind
        if form == 3:
            name = self.dice.pick(["fabs", "floor", "ceil", "trunc", "round"])
            return "%s(%s)" % (name, a), DOUBLE
        if form == 4:
            return "(%s / (%s != 0 ? %s : 1))" % (a, b, b), kind
        return "(%s %s %s)" % (a, self.dice.pick("+-*"), b), kind

    def arithmetic(self, depth):
        (a, left), (b, right) = self.integer(depth), self.integer(depth)
        return "(%s %s %s)" % (a, self.dice.pick(["+", "-", "*", "&", "|", "^", "+", "-"]), b), common(left, right)

    def division(self, depth):
        (a, left), (b, right) = self.integer(depth), self.integer(depth)
        divisor = self.dice.pick(["((%s & 15) + 1)" % b, "(%s | 1u)" % b if not promoted(right).signed else "((%s & 7) + 3)" % b,
                                  str(self.dice.pick([1, 2, 3, 4, 5, 7, 8, 10, 16, 100, 1000, 1024])),
                                  str(-self.dice.pick([2, 3, 4, 7, 10, 64]))])
        kind = INT if divisor.lstrip("-").isdigit() else common(right, UINT) if "|" in divisor else common(right, INT)
        return "(%s %s %s)" % (a, self.dice.pick("/%"), divisor), common(left, kind)

    def shift(self, depth):
        (a, left), (b, _) = self.integer(depth), self.integer(depth)
        left = promoted(left)
        count = str(self.dice.below(left.bits())) if self.dice.chance(50) else "(%s & %d)" % (b, left.bits() - 1)
        return "(%s %s %s)" % (a, self.dice.pick(["<<", ">>"]), count), left

    def comparison(self, depth):
        (a, _), (b, _) = self.any(depth), self.any(depth)
        return "(%s %s %s)" % (a, self.dice.pick(["<", ">", "<=", ">=", "==", "!="]), b), INT

    def logical(self, depth):
        (a, _), (b, _) = self.any(depth), self.any(depth)
        return ("(!%s)" % a if self.dice.chance(20) else "(%s %s %s)" % (a, self.dice.pick(["&&", "||"]), b)), INT

    def unary(self, depth):
        a, kind = self.integer(depth)
        operator = self.dice.pick(["-", "~", "+", "!"])
        return "(%s%s)" % (operator, a), INT if operator == "!" else promoted(kind)

    def conditional(self, depth):
        (a, _), (b, left), (c, right) = self.any(depth), self.integer(depth), self.integer(depth)
        return "(%s ? %s : %s)" % (a, b, c), common(left, right)

    def cast(self, depth):
        kind = self.dice.pick(INTEGERS)
        if self.floats and self.dice.chance(25):
            bounds = {1: "100", 2: "30000", 4: "2e9", 8: "9e18"}[kind.size]
            return "((%s)clamp(%s, %s, %s))" % (kind.name, self.floating(depth)[0], "-" + bounds if kind.signed else "0", bounds), kind
        return "((%s)%s)" % (kind.name, self.integer(depth)[0]), kind

    def comma(self, depth):
        targets = self.scope.targets(False)
        b, kind = self.integer(depth)
        if not self.effects or not targets:
            return b, kind
        name, _ = self.dice.pick(targets)
        return "(%s = %s, %s)" % (name, self.integer(depth)[0], b), kind


def show(name, kind):
    """A statement that prints a variable; doubles exactly, NaNs without their sign, which C leaves open."""
    if kind.floating:
        return 'show("%s", %s);' % (name, name)
    return 'printf("%s = %%%s\\n", %s);' % (name, kind.letter, name)
