#!/usr/bin/env python3
"""Writes libFuzzer's dictionary of C: the keywords from keywords.def, built-ins and attributes from the compiler's
own sources, and pieces of syntax that random bytes would hardly make.

    make_dictionary.py COMPILER_DIRECTORY OUTPUT
"""
import glob
import os
import re
import sys

PIECES = ["...", "->", "++", "--", "<<=", ">>=", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=",
          "|=", "^=", "##", "<:", ":>", "<%", "%>", "?:", "({", "})", "{}", "[]", "()", "(*", "&&a", "[.]", "[...]",
          "0x1p-1074", "1e999", "0x7fffffffffffffff", "18446744073709551615u", "0x8000000000000000", "1.0f", "1i", "'\\0'",
          "L'a'", "u8\"a\"", "U\"a\"", "\"\\xff\"", "\"\\377\"", "\\u00e9", "# 1 \"a.c\"\n", "# 9 \"b.h\" 1 3\n",
          "#pragma pack(push,1)\n", "#pragma pack(pop)\n", "#pragma\n", "int main(void){", "return 0;}", "struct S{", "union U{",
          "enum E{", "typedef ", ":3;", "[n]", "__attribute__((", "))", "void *", "char *", "unsigned long long ",
          "long double ", "_Complex double ", "size_t ", "printf(", "malloc(", "case 1 ... 5:", "/*", "*/", "//"]


def words(folder):
    with open(os.path.join(folder, "syntax", "keywords.def"), encoding="utf-8") as file:
        yield from re.findall(r'^KEYWORD\("([^"]+)"', file.read(), re.MULTILINE)
    sources = os.path.join(folder, "**", "*.")
    for path in sorted(glob.glob(sources + "[ch]", recursive=True) + glob.glob(sources + "def", recursive=True)):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        yield from re.findall(r'"(__builtin_\w+)"', text)
        if "attribute" in text or "other languages" in text:
            yield from (word for word in re.findall(r'"([a-z_]{4,24})"', text) if word.count("_") < 4)


def quoted(word):
    return '"%s"' % "".join(c if 32 <= ord(c) < 127 and c not in '"\\' else "\\x%02x" % ord(c) for c in word)


def main():
    entries = sorted(set(words(sys.argv[1])) | set(PIECES))
    with open(sys.argv[2], "w", encoding="ascii") as file:
        file.write("".join(quoted(word) + "\n" for word in entries))


if __name__ == "__main__":
    main()
