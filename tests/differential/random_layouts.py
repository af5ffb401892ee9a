"""random_layouts.py - random structs and unions of the kinds whose layout is hard: bit-fields of mixed types, packed, aligned,
ms_struct, gcc_struct, #pragma pack, zero widths, inside one another. Each is described by what it shows: size, alignment, the
bytes that each member changes, and values written and read.
"""
KINDS = [("char", 8), ("signed char", 8), ("unsigned char", 8), ("short", 16), ("unsigned short", 16), ("int", 32), ("unsigned", 32),
         ("int", 32), ("long", 64), ("unsigned long", 64), ("long long", 64), ("unsigned long long", 64), ("_Bool", 1)]
PLAIN = ["char", "short", "int", "long", "float", "double", "char *", "unsigned short"]

BEFORE = """#ifndef LAYOUTS
#define LAYOUTS
static void show_bytes(const char *what, const void *object, size_t size)
{
    const unsigned char *bytes = object;
    printf("%s:", what);
    for (size_t i = 0; i < size; i++)
        printf(" %02x", bytes[i]);
    puts("");
}
#endif
"""


def attribute(dice, choices):
    return dice.pick(choices) if dice.chance(20) else ""


def bit_field(dice, name):
    kind, bits = dice.pick(KINDS)
    if dice.chance(10):
        return None, "%s : %d;" % (kind, dice.pick([0, 0, 0, min(3, bits), bits]))
    width = dice.pick([1, bits, dice.between(1, bits), dice.between(1, bits), min(bits, dice.pick([8, 16, 32, 64]))])
    more = attribute(dice, [" __attribute__((packed))", " __attribute__((packed))", " __attribute__((aligned(4)))",
                            " __attribute__((aligned(2)))", " __attribute__((aligned(16)))"])
    return name, "%s %s : %d%s;" % (kind, name, width, more)


def plain(dice, name, inner):
    more = attribute(dice, [" __attribute__((packed))", " __attribute__((aligned(8)))", " __attribute__((packed, aligned(2)))"])
    if inner and dice.chance(15):
        return name + "." + inner[1], "struct %s %s%s;" % (inner[0], name, more)
    kind = dice.pick(PLAIN)
    if dice.chance(15):
        return name + "[1]", "%s %s[%d]%s;" % (kind, name, dice.between(2, 3), more)
    return name, "%s %s%s;" % (kind, name, more)


def record(dice, tag, inner):
    """Text of the definition and names of the members that can be set."""
    members, names = [], []
    for i in range(dice.between(1, 9)):
        name, text = bit_field(dice, "m%d" % i) if dice.chance(75) else plain(dice, "m%d" % i, inner)
        members.append("    %s\n" % text)
        if name:
            names.append(name)
    if not names:
        members.append("    int last : 5;\n")
        names.append("last")
    choices = ["packed", "packed", "ms_struct", "ms_struct", "gcc_struct", "packed, ms_struct", "packed, aligned(4)", "aligned(8)",
               "ms_struct, aligned(2)"]
    chosen = " __attribute__((%s))" % dice.pick(choices) if dice.chance(65) else ""
    front = dice.chance(50)
    what = dice.pick(["struct"] * 5 + ["union"]) if inner else "struct"
    text = "%s%s %s {\n%s}%s;\n" % (what, chosen if front else "", tag, "".join(members), "" if front else chosen)
    if dice.chance(20):
        text = "#pragma pack(push, %d)\n%s#pragma pack(pop)\n" % (dice.pick([1, 2, 4, 8]), text)
    return text, names, what


def layouts(dice, name):
    before, body, inner = BEFORE, "", None
    for i in range(dice.between(2, 4)):
        tag = "%s_%d" % (name, i)
        text, names, what = record(dice, tag, inner)
        before += text
        kind = "%s %s" % (what, tag)
        body += "    {\n        %s s, array[2];\n" % kind
        body += '        printf("%s: %%zu %%zu\\n", sizeof(%s), _Alignof(%s));\n' % (tag, kind, kind)
        for member in names:
            body += "        memset(&s, 0, sizeof s);\n        s.%s = (__typeof__(s.%s + 0))-1;\n" % (member, member)
            body += '        show_bytes("%s", &s, sizeof s);\n' % member
        body += "        memset(array, 0x5a, sizeof array);\n"
        for member in names:
            body += "        array[1].%s = (__typeof__(s.%s + 0))%d;\n" % (member, member, dice.between(-1000, 100000))
        body += '        show_bytes("all", array, sizeof array);\n'
        for member in names:
            body += "        printf(\"%%d %%lld\\n\", (int)sizeof(s.%s + 0), (long long)(__typeof__(s.%s + 0))array[1].%s);\n" % (
                member, member, member)
        if what == "struct":
            member = dice.pick(names)
            value = dice.between(0, 60)
            body += "        static %s fixed = {.%s = (__typeof__(s.%s + 0))%d};\n" % (kind, member, member, value)
            body += '        show_bytes("static", &fixed, sizeof fixed);\n'
            body += "        volatile int v = %d;\n        %s local = {.%s = (__typeof__(s.%s + 0))v};\n" % (value, kind, member, member)
            body += '        printf("%lld\\n", (long long)(__typeof__(s.%s + 0))local.%s);\n' .replace("%s", member)
        body += "    }\n"
        if what == "struct":
            inner = (tag, names[0])
    return "%sstatic void %s(void)\n{\n%s}\n" % (before, name, body)
