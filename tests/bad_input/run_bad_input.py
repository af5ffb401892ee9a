#!/usr/bin/env python3
"""Gives `orrery` what nobody should give it: any bytes, endless lines, bottomless nesting, includes that never end,
damaged objects and archives, a full disk.

Whatever comes in, four things must hold: the exit status is 1 with an error message that is not longer than a reader
can bear (or 0 where the input is odd but right), no signal and no sanitizer report ends the command, it takes seconds
and less memory than LIMIT, and nothing is left in the directory that was not there before.

    run_bad_input.py --orrery build/release/bin/orrery [--list] [PART.NAME or PART...]
"""
import argparse
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

DEEP = 100000
MIB = 1 << 20
CASES = {}


def case(part):
    """Registers a function as a test; it gets a Bench."""
    def register(function):
        CASES["%s.%s" % (part, function.__name__)] = function
        return function
    return register


class Failure(Exception):
    pass


class Bench:
    def __init__(self, orrery, directory):
        self.orrery, self.directory = orrery, directory
        self.sanitized = bool(os.environ.get("ASAN_OPTIONS"))
        self.seconds = 120 if self.sanitized else 30
        self.kilobytes = (6 << 20) if self.sanitized else (1 << 20)

    def put(self, name, content):
        with open(os.path.join(self.directory, name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return name

    def before_start(self, file_size):
        def prepare():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if file_size is not None: # EFBIG instead of a signal: what a full disk looks like, as far as write() is concerned
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
        return prepare

    def run(self, *arguments, statuses=(1,), says=None, stdin=None, stdout=None, file_size=None, leaves=()):
        """Runs orrery in the directory and holds it to the four rules; answers what it wrote to stderr."""
        before = set(os.listdir(self.directory))
        # Messages come through a pipe: a limit on the size of files must not silence them.
        with open(stdin or os.devnull, "rb") as given, open(stdout or os.devnull, "wb") as out:
            process = subprocess.Popen([self.orrery] + list(arguments), stdin=given, stdout=out, stderr=subprocess.PIPE,
                                       cwd=self.directory, preexec_fn=self.before_start(file_size), start_new_session=True)
            messages = []
            reader = threading.Thread(target=lambda: messages.append(process.stderr.read()))
            reader.start()
            try:
                status, used = self.wait(process, arguments)
            finally:
                reader.join()
                process.stderr.close()
        text = messages[0].decode("utf-8", "replace")
        self.check(arguments, status, used, text, statuses, says)
        left = set(os.listdir(self.directory)) - before - set(leaves)
        if left:
            raise Failure("%s left %s behind" % (" ".join(arguments), ", ".join(sorted(left))))
        return text

    def wait(self, process, arguments):
        end = time.time() + self.seconds
        while time.time() < end:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                return process.returncode, used
            time.sleep(0.005)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise Failure("%s does not end within %d s" % (" ".join(arguments)[:200], self.seconds))

    def check(self, arguments, status, used, text, statuses, says):
        command, shown = " ".join(arguments)[:200], text[:300] + (" ... " + text[-300:] if len(text) > 600 else "")
        if "Sanitizer" in text or "runtime error" in text:
            raise Failure("%s: %s" % (command, text[:3000]))
        if status not in statuses:
            raise Failure("%s: exit status %d: %s" % (command, status, shown or "without a word"))
        if status and "error" not in text and "orrery:" not in text:
            raise Failure("%s: no error message: %s" % (command, shown))
        if says and not any(part in text for part in ([says] if isinstance(says, str) else says)):
            raise Failure("%s: does not say %r: %s" % (command, says, shown))
        if len(text) > 64 * 1024:
            raise Failure("%s: %d bytes of messages: %s" % (command, len(text), shown))
        if used.ru_maxrss > self.kilobytes:
            raise Failure("%s: took %d MiB" % (command, used.ru_maxrss >> 10))

    def compile(self, content, name="bad.c", **expected):
        """`orrery cc -c` of a text."""
        self.put(name, content)
        leaves = ("bad.o",) if 0 in expected.get("statuses", (1,)) else ()
        text = self.run("cc", "-w", "-c", "-o", "bad.o", name, leaves=leaves, **expected)
        if os.path.exists(os.path.join(self.directory, "bad.o")):
            os.remove(os.path.join(self.directory, "bad.o"))
        return text


EITHER = (0, 1)
WRONG = (1, 2)  # other commands than cc call it wrong use to be given a file of another kind

# -- any bytes --------------------------------------------------------------------------------------------------------


@case("bytes")
def random_bytes(bench):
    dice = random.Random(1)
    for size in (1, 2, 3, 10, 100, 1000, 10000, 200000):
        bench.compile(bytes(dice.getrandbits(8) for _ in range(size)))


@case("bytes")
def every_byte_alone(bench):
    for byte in (0, 1, 7, 8, 11, 12, 13, 26, 27, 34, 35, 39, 63, 64, 92, 96, 127, 128, 192, 239, 254, 255):
        bench.compile(bytes([byte]), statuses=EITHER)
        bench.compile(b"int x" + bytes([byte]) + b"= 1;\n", statuses=EITHER)


@case("bytes")
def nothing_but_zeros(bench):
    bench.compile(bytes(100000), statuses=EITHER)
    bench.compile(b"int a;" + bytes(3) + b"int b = \"" + bytes(3) + b"\";\n")


@case("bytes")
def other_encodings(bench):
    bench.compile("int main(void) { return 0; }\n".encode("utf-16"))
    bench.compile(b"\xef\xbb\xbfint main(void) { return 0; }\n", statuses=(0,))
    bench.compile(b"int caf\xe9 = 1;\n", statuses=EITHER)
    bench.compile(b"char *s = \"\xff\xfe\xc0\x80\";\n", statuses=(0,))
    bench.compile(b"const int *s = L\"\xff\xfe\xc0\x80\";\n", statuses=EITHER)


@case("bytes")
def line_ends_of_others(bench):
    bench.compile(b"int a;\r\nint b;\r\n", statuses=(0,))
    bench.compile(b"int a;\rint b;\r", statuses=EITHER)
    bench.compile(b"int a; \\", statuses=EITHER)
    bench.compile(b"#define A 1\\\n", statuses=EITHER)


@case("bytes")
def ends_too_early(bench):
    for text in ("/* never closed", "char *s = \"never closed", "char c = 'n", "#include \"never", "#if 1\n", "int main(void) {",
                 "struct s {", "int a[", "int f(", "#define f(a", "int x = (", "_Static_assert(", "__attribute__((", "_Pragma(\"", "asm(",
                 "int x = sizeof", "_Generic(", "typeof(", "enum e {", "switch", "#line", "# 1 \"", "\\u", "'\\", "\"\\x"):
        bench.compile(text)
    for text in ("#pragma pack(", "#pragma", "#", "_Pragma(\"\")", ";", "#define", "#if 0", "#line 0"):
        bench.compile(text, statuses=EITHER)


@case("bytes")
def preprocessed_text_is_no_safer(bench):
    dice = random.Random(2)
    for size in (1, 10, 1000, 100000):
        bench.compile(bytes(dice.getrandbits(8) for _ in range(size)), name="bad.i")
    bench.compile(b"# 4294967295 \"x\"\nint a\n", name="bad.i")
    bench.compile(b"# 99999999999999999999 \"" + b"x" * 5000 + b"\" 1 2 3 4 5\nint a\n", name="bad.i")


@case("bytes")
def standard_input(bench):
    path = os.path.join(bench.directory, bench.put("input", bytes(range(256)) * 100))
    bench.run("cc", "-x", "c", "-c", "-o", "bad.o", "-", stdin=path)
    bench.run("run", "-", stdin=path, statuses=WRONG)


# -- long lines -------------------------------------------------------------------------------------------------------


@case("lines")
def names_and_numbers_of_a_mebibyte(bench):
    bench.compile("int " + "x" * MIB + " = 1;\n", statuses=(0,))
    bench.compile("int a = " + "y" * MIB + ";\n")
    bench.compile("int a = " + "9" * MIB + ";\n", statuses=EITHER)
    bench.compile("double a = 0." + "1" * MIB + ";\n", statuses=EITHER)
    bench.compile("double a = 1e" + "9" * MIB + ";\n", statuses=EITHER)
    bench.compile("int a = '" + "c" * MIB + "';\n", statuses=EITHER)
    bench.compile("int a = 0x" + "f" * MIB + "uuu;\n")


@case("lines")
def strings_and_comments_of_a_mebibyte(bench):
    bench.compile("char s[] = \"" + "s" * MIB + "\";\n", statuses=(0,))
    bench.compile("char s[] = \"" + "\\377" * (MIB // 4) + "\";\n", statuses=(0,))
    bench.compile("/*" + "c" * MIB + "*/ int a;\n", statuses=(0,))
    bench.compile("//" + "c" * MIB + "\nint a;\n", statuses=(0,))
    bench.compile(" " * MIB + "int a;", statuses=(0,))
    bench.compile("\\\n" * (MIB // 2) + "int a;", statuses=(0,))


@case("lines")
def an_error_far_to_the_right(bench):
    text = bench.compile("int a; " * (MIB // 7) + "int b = undeclared; " + "int a; " * 1000 + "\n")
    if len(text) > 4000:
        raise Failure("the whole line is shown: %d bytes" % len(text))
    bench.compile("int a" + " = 1, a" * (MIB // 8) + ";\n")
    bench.compile("#error " + "e" * MIB + "\n")
    bench.compile("#pragma " + "e" * MIB + "\nint a;\n", statuses=(0,))
    bench.compile("#include \"" + "e" * MIB + "\"\n")


@case("lines")
def long_sums_and_lists_compile(bench):
    bench.compile("int a = " + "1+" * (MIB // 2) + "1;\n", statuses=EITHER)
    bench.compile("int f(int x) { return " + "x+" * DEEP + "1; }\n", statuses=EITHER)
    bench.compile("int a[] = {" + "1," * (MIB // 2) + "};\n", statuses=(0,))
    bench.compile("char *s = " + "\"x\" " * DEEP + ";\n", statuses=(0,))
    bench.compile("int f(void) { return " + "1," * DEEP + "1; }\n", statuses=EITHER)


# -- nesting ----------------------------------------------------------------------------------------------------------

NESTED = {
    "parentheses": ("int x = ", "(", "1", ")", ";"),
    "parentheses_without_end": ("int x = ", "(", "", "", ""),
    "braces": ("int main(void) ", "{", "", "}", ""),
    "brackets": ("int a[2]; int f(void) { return ", "a[", "0", "]", "; }"),
    "dimensions": ("int a", "[1]", ";", "", ""),
    "initialisers": ("int a[] = ", "{", "1", "}", ";"),
    "pointers": ("int ", "*", "p;", "", ""),
    "declarators": ("int ", "(", "x", ")", ";"),
    "function_declarators": ("int ", "(*", "f", ")(void)", ";"),
    "parameters": ("int f", "(int g", "(void)", ")", ";"),
    "calls": ("int f(int); int g(void) { return ", "f(", "1", ")", "; }"),
    "casts": ("int x = ", "(int)", "1;", "", ""),
    "minus": ("int x = ", "- ", "1;", "", ""),
    "not": ("int x = ", "!", "1;", "", ""),
    "dereferences": ("int v; int x(void) { return ", "*&", "v; }", "", ""),
    "sizes": ("int x = ", "sizeof ", "1;", "", ""),
    "conditionals": ("int f(int x) { return ", "x ? 1 : ", "2; }", "", ""),
    "conditionals_in_the_middle": ("int f(int x) { return ", "x ? ", "2", " : 1", "; }"),
    "assignments": ("int f(int x) { return ", "x = ", "2; }", "", ""),
    "ifs": ("int f(int x) { ", "if (x) ", "return 1; return 0; }", "", ""),
    "else_ifs": ("int f(int x) { ", "if (x == 7) return 1; else ", "return 0; }", "", ""),
    "loops": ("int f(int x) { ", "for (;;) ", "return 1; }", "", ""),
    "switches": ("int f(int x) { ", "switch (x) case 1: ", "return 1; return 0; }", "", ""),
    "labels": ("int f(int x) { ", "case 1: ", "return 1; }", "", ""),
    "structures": ("", "struct { ", "int a; ", "} b;", ""),
    "enumerators": ("enum { A = ", "(", "1", ")", " };"),
    "typeofs": ("int v; ", "typeof(", "v", ")", " w;"),
    "generics": ("int x = ", "_Generic(1, default: ", "1", ")", ";"),
    "statement_expressions": ("int f(void) { return ", "({ ", "1; ", "}); ", "}"),
    "compound_literals": ("int x = ", "(int){", "1", "}", ";"),
    "attributes": ("int x __attribute__((aligned", "(", "8", ")", "));"),
    "strings": ("char *s = ", "(\"x\" ", "\"y\"", ")", ";"),
    "ifdefs": ("", "#ifdef A\n", "", "#endif\n", "int x;\n"),
    "ifs_of_the_preprocessor": ("#if ", "(", "1", ")", "\nint x;\n#endif\n"),
    "macro_calls": ("#define f(x) x\nint x = ", "f(", "1", ")", ";\n"),
    "commas_in_designators": ("int a[2] = {", "[0] = ", "1};", "", ""),
    "static_asserts": ("", "_Static_assert(1, \"\"); ", "", "", "int x;"),
    "logical_and": ("int f(int x) { return ", "x && ", "1; }", "", ""),
    "subtractions": ("int f(int x) { return 1", " - x", "; }", "", ""),
    "right_shifts_in_parentheses": ("int f(int x) { return ", "(x >> ", "1", ")", "; }"),
    "members": ("struct s { struct s *n; } v; struct s *f(void) { return v.n", "->n", "; }", "", ""),
}


def nested_case(name):
    before, opening, middle, closing, after = NESTED[name]

    def nested(bench):
        bench.compile(before + opening * DEEP + middle + closing * DEEP + after + "\n", statuses=EITHER)
    nested.__name__ = name
    return nested


for _name in NESTED:
    case("nesting")(nested_case(_name))


@case("nesting")
def chains_of_types(bench):
    lines = ["typedef int t0;"] + ["typedef t%d *t%d;" % (i, i + 1) for i in range(DEEP // 5)]
    bench.compile("\n".join(lines) + "\nt%d v;\n" % (DEEP // 5), statuses=EITHER)
    lines = ["struct s0 { int a; };"] + ["struct s%d { struct s%d in; };" % (i + 1, i) for i in range(DEEP // 10)]
    bench.compile("\n".join(lines) + "\nstruct s%d v;\n" % (DEEP // 10), statuses=EITHER)


@case("nesting")
def sizes_beyond_the_address_space(bench):
    for text in ("int a[0x7fffffffffffffff];", "char a[0xffffffffffffffff];", "char a[1ul << 47]; char b[1ul << 47];", "int a[-1];",
                 "struct { char a[1l << 62]; char b[1l << 62]; } s;", "struct s { struct s in; };", "struct s a;",
                 "int f(void) { char a[1ul << 40]; return a[5]; }", "struct { int a : 65; } s;", "_Alignas(1 << 30) int a;"):
        bench.compile(text, statuses=EITHER)
    bench.compile("int a[1000000000000] = {[999999999999] = 1};", statuses=EITHER)


# -- the preprocessor -------------------------------------------------------------------------------------------------


@case("includes")
def a_file_includes_itself(bench):
    bench.compile("#include \"bad.c\"\n", says="bad.c")


@case("includes")
def two_files_include_each_other(bench):
    bench.put("other.h", "#include \"bad.c\"\n")
    bench.compile("#include \"other.h\"\n")


@case("includes")
def a_file_includes_itself_twice(bench):
    bench.put("twice.h", "#include \"twice.h\"\n#include \"twice.h\"\n")
    bench.compile("#include \"twice.h\"\n")
    bench.compile("#include __FILE__\nint x;\n#include __FILE__\n")


@case("includes")
def what_is_no_file(bench):
    for name in ("/", ".", "/dev/zero", "/dev/full", "", "nowhere.h", "\\0", "a" * 5000):
        bench.compile("#include \"%s\"\n" % name)
    bench.compile("#include\n")
    bench.compile("#include <\n")


@case("includes")
def macros_that_explode(bench):
    lines = ["#define a0 " + ("x" * 200 + " ") * 10] + ["#define a%d %s" % (i + 1, ("a%d " % i) * 10) for i in range(9)]
    bench.compile("\n".join(lines) + "\nint b = a9;\n")


@case("includes")
def macros_that_call_themselves(bench):
    bench.compile("#define f(x) f(f(x)) f\nint a = f(f(f(f(f(f(1))))));\n", statuses=EITHER)
    bench.compile("#define a b\n#define b a\nint a = b;\n", statuses=EITHER)


# -- objects, archives, programs --------------------------------------------------------------------------------------

GOOD = "#include <stdio.h>\nstatic int table[] = {1, 2, 3};\nint add(int a, int b) { return a + b + table[a & 1]; }\n" \
       "int main(void) { switch (add(1, 2)) { case 1: puts(\"x\"); case 6: puts(\"y\"); default: return 0; } }\n"


def made(bench, *flags):
    """The bytes of what `orrery cc` makes of GOOD."""
    bench.put("good.c", GOOD)
    bench.run("cc", *flags, "-o", "good", "good.c", statuses=(0,), leaves=("good",))
    with open(os.path.join(bench.directory, "good"), "rb") as file:
        content = file.read()
    os.remove(os.path.join(bench.directory, "good"))
    return content


def link(bench, content, name="bad.o", **expected):
    bench.put(name, content)
    bench.run("cc", "-o", "program", name, **expected)


@case("objects")
def files_that_are_no_objects(bench):
    for content in (b"", b"\0", b"text", b"\x7fELF" + bytes(100), b"#!/bin/sh\nexit 0\n", b"#!" + b"x" * 5000, bytes(100000),
                    b"\x8fvCode\r\n", b"\x8fvCode\r\n" + b"\xff" * 1000, b"!<arch>\n"):
        link(bench, content)
        bench.run("dis", "bad.o", statuses=WRONG)
        bench.run("run", "bad.o", statuses=WRONG)


@case("objects")
def truncated_everywhere(bench):
    content = made(bench, "-c")
    for size in list(range(0, 64, 4)) + list(range(64, len(content), max(8, len(content) // 25))):
        link(bench, content[:size])
    bench.put("bad.o", content + b"tail")
    bench.run("cc", "-o", "program", "bad.o")


@case("objects")
def damaged_everywhere(bench):
    content = made(bench, "-c")
    dice = random.Random(3)
    for _ in range(25):
        damaged = bytearray(content)
        for _ in range(dice.randrange(1, 4)):
            damaged[dice.randrange(len(damaged))] ^= 1 << dice.randrange(8)
        link(bench, bytes(damaged), says=("damaged", "not a vCode", "malformed", "version", "truncated"))


@case("objects")
def damaged_programs_do_not_run(bench):
    content = made(bench)
    start = content.index(b"\x8fvCode")
    dice = random.Random(4)
    for _ in range(15):
        damaged = bytearray(content)
        damaged[dice.randrange(start, len(damaged))] ^= 1 << dice.randrange(8)
        bench.put("bad", bytes(damaged))
        bench.run("run", "bad", statuses=WRONG)


@case("objects")
def other_versions_are_refused(bench):
    content = bytearray(made(bench, "-c"))
    current = struct.unpack_from("<I", content, 8)[0]
    for version in (0, current - 1, current + 1, 0xffffffff):
        if version != current:
            struct.pack_into("<I", content, 8, version)
            link(bench, bytes(content), says="version")


@case("objects")
def an_object_where_a_program_should_be(bench):
    bench.put("bad.o", made(bench))
    bench.run("cc", "-o", "program", "bad.o", says="linked program")
    bench.put("bad.a", made(bench))
    bench.run("cc", "-o", "program", "bad.a")


def archive(*members):
    out = b"!<arch>\n"
    for name, size, content in members:
        out += ("%-16s%-12s%-6s%-6s%-8s%-10s`\n" % (name, "0", "0", "0", "644", size)).encode()[:60] + content
        out += b"\n" if len(content) % 2 else b""
    return out


@case("objects")
def archives(bench):
    content = made(bench, "-c")
    whole = archive(("good.o/", len(content), content))
    for bad in (b"", b"!<arch>", whole[:30], whole[:100], whole[:-9], archive(("good.o/", 10 ** 9, content)),
                archive(("good.o/", -1, content)), archive(("good.o/", "abc", content)), archive(("/99999", len(content), content)),
                archive(("a/", 5, b"hello")), whole[:66] + b"xx" + whole[68:], b"!<thin>\n" + whole[8:], b"!<arch>\n" + b"\xff" * 200):
        link(bench, bad, name="bad.a", statuses=(1,))


@case("objects")
def missing_and_odd_inputs(bench):
    os.mkdir(os.path.join(bench.directory, "folder.o"))
    os.mkdir(os.path.join(bench.directory, "folder.c"))
    for name in ("nowhere.o", "nowhere.c", "nowhere.a", "folder.o", "folder.c", "/dev/zero", "/dev/null", "/"):
        bench.run("cc", "-o", "program", name)
        bench.run("run", name, statuses=WRONG)
        bench.run("dis", name, statuses=WRONG)


# -- arguments from files -------------------------------------------------------------------------------------------------


@case("arguments")
def response_files(bench):
    bench.put("good.c", GOOD)
    bench.put("self", "@self")
    bench.put("one", "@two")
    bench.put("two", "@one @one")
    bench.put("open", "-c 'good.c")
    bench.put("zeros", bytes(1000))
    bench.put("long", "-D" + "x" * MIB + " nowhere.c")
    bench.put("random", bytes(random.Random(5).getrandbits(8) for _ in range(5000)))
    for name in ("@self", "@one", "@zeros", "@long", "@random", "@nowhere", "@", "@/", "@open"):
        bench.run("cc", "-o", "program", name, statuses=EITHER, leaves=("good.o", "program"))


@case("arguments")
def options_without_sense(bench):
    bench.put("good.c", GOOD)
    for arguments in (["-o"], ["-O", "good.c", "-I"], ["-o", "", "good.c"], ["-x"], ["-x", "pascal", "good.c"], ["-D"], ["-D=", "good.c"],
                      ["-D1x", "good.c"], ["-include", "nowhere.h", "good.c"], ["-o", "folder/none/x", "good.c"], ["-L"], ["-lnowhere", "good.c"],
                      ["-Xlinker"], ["-MF"], ["-c", "-o", "x.o", "good.c", "good.c"]):
        bench.run("cc", *arguments, statuses=(0, 1, 2), leaves=("x.o", "a.out", "good.o"))


# -- machine files ------------------------------------------------------------------------------------------------------


@case("machines")
def machine_files(bench):
    bench.put("good.c", GOOD)
    dice = random.Random(6)
    texts = [bytes(dice.getrandbits(8) for _ in range(n)) for n in (1, 10, 1000, 100000)]
    texts += [bytes(1000), b"[", b"[network", b"[network]\ntopology", b"=", b"[network]\n" + b"x" * MIB, b"[network]\ntopology=" + b"x" * MIB,
              b"[cpu]\nclock = 99999999999999999999999 GHz\n", b"[cpu]\nclock = 0 Hz\n", b"[cpu]\nclock = -1 GHz\n", b"[cpu]\nclock = nan GHz\n",
              b"[network]\ntopology = torus\ndims = 100000 100000 100000\n", b"[network]\ntopology = full\nnodes = 4294967295\n",
              b"[network]\ntopology = hypercube\ndims = 64\n", b"[process]\nstack = 16 EiB\n", b"\xef\xbb\xbf[cpu]\n", b"[a]\n" * DEEP]
    for text in texts:
        bench.put("bad.machine", text)
        bench.run("run", "--machine", "./bad.machine", "good.c", statuses=(0, 1, 2))
        bench.run("topo", "./bad.machine", statuses=(0, 1, 2))
    for name in ("/dev/zero", "/", "nowhere", ""):
        bench.run("run", "--machine", name, "good.c", statuses=(1, 2))


# -- a full disk ----------------------------------------------------------------------------------------------------------


def big_program(bench):
    lines = ["int f%d(int x) { return x * %d + f%d(x); }" % (i, i, max(0, i - 1)) for i in range(300)]
    bench.put("big.c", "int f0(int);\n" + "\n".join(lines).replace("int f0(int x) { return x * 0 + f0(x); }", "int f0(int x) { return x; }")
              + "\nint main(void) { return f9(0); }\n")


@case("disk")
def full_while_writing(bench):
    big_program(bench)
    for size in (0, 1, 512, 4096):
        bench.run("cc", "-c", "-o", "big.o", "big.c", file_size=size, says=("File too large", "cannot write"))
        bench.run("cc", "-o", "big", "big.c", file_size=size, says=("File too large", "cannot write"))
        bench.run("cc", "-S", "-o", "big.s", "big.c", file_size=size)
        bench.run("cc", "-E", "-o", "big.i", "big.c", file_size=size)


@case("disk")
def an_old_file_survives(bench):
    """What was there before a failed write is there whole or, as with other compilers, gone; never half written."""
    big_program(bench)
    for flags in (["-c"], []):
        bench.put("old", "precious")
        bench.run("cc", *flags, "-o", "old", "big.c", file_size=100)
        path = os.path.join(bench.directory, "old")
        if os.path.exists(path):
            with open(path, "rb") as file:
                if file.read() != b"precious":
                    raise Failure("the old file is damaged")


@case("disk")
def device_full(bench):
    if not os.path.exists("/dev/full"):
        return
    identity = os.stat("/dev/full").st_rdev
    big_program(bench)
    for arguments in (["cc", "-c", "-o", "/dev/full", "big.c"], ["cc", "-o", "/dev/full", "big.c"], ["cc", "-E", "-o", "/dev/full", "big.c"],
                      ["cc", "-S", "-o", "/dev/full", "big.c"], ["run", "--json", "/dev/full", "big.c"],
                      ["topo", "--svg", "/dev/full", "ring-8"]):
        bench.run(*arguments, statuses=(1,) if arguments[0] == "cc" else WRONG)
    for arguments in (["cc", "-E", "big.c"], ["cc", "-S", "-o", "-", "big.c"], ["dis", "big.c"], ["machines"], ["mpi"]):
        bench.run(*arguments, stdout="/dev/full", leaves=("big.s",), statuses=(0, 1) if arguments[:2] == ["cc", "-S"] else WRONG)
    if os.stat("/dev/full").st_rdev != identity:
        raise Failure("a device was replaced by a file")


@case("disk")
def a_directory_that_cannot_be_written(bench):
    big_program(bench)
    os.mkdir(os.path.join(bench.directory, "closed"))
    for target in ("closed", "nowhere/x", "/proc/x", "big.c/x"):
        bench.run("cc", "-o", target, "big.c")
        bench.run("cc", "-c", "-o", target, "big.c")


# -- main -----------------------------------------------------------------------------------------------------------------


def run_case(name, orrery):
    directory = tempfile.mkdtemp(prefix="orrery-bad-input-")
    started = time.time()
    try:
        CASES[name](Bench(orrery, directory))
        print("ok   %-50s %5.1f s" % (name, time.time() - started), flush=True)
        return True
    except Failure as failure:
        print("FAIL %s: %s" % (name, failure), flush=True)
        return False
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery")
    parser.add_argument("--list", action="store_true", help="print the names and end")
    parser.add_argument("names", nargs="*", help="parts or cases; all if there is none")
    options = parser.parse_args()
    chosen = [name for name in CASES if not options.names or name in options.names or name.split(".")[0] in options.names]
    if options.list:
        print("\n".join(chosen))
        return 0
    if not chosen:
        parser.error("no such case; see --list")
    orrery = os.path.abspath(options.orrery)
    return 0 if all([run_case(name, orrery) for name in chosen]) else 1


if __name__ == "__main__":
    sys.exit(main())
