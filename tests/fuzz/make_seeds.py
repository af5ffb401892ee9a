#!/usr/bin/env python3
"""Makes the fuzzers' first inputs from the test programs: for source and run the preprocessed text without what the
headers say, for object the objects and programs that `orrery cc` makes of small ones, for trace the traces of samples, for machine
the machine files.

    make_seeds.py --orrery build/release/bin/orrery DIRECTORY
"""
import argparse
import glob
import os
import re
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LARGEST = {"source": 12000, "run": 8000, "object": 6000, "program": 40000, "trace": 40000}
MARKER = re.compile(r'^# \d+ "([^"]*)"')
PRELUDE = """typedef unsigned long size_t; typedef int wchar_t; typedef long ptrdiff_t;
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned uint32_t; typedef unsigned long uint64_t;
"""


def own_text(preprocessed):
    """The lines that come from the program itself."""
    lines, own = [], True
    for line in preprocessed.splitlines():
        marker = MARKER.match(line)
        if marker:
            own = marker.group(1).endswith(".c")
        elif own and line.strip():
            lines.append(line)
    return "\n".join(lines) + "\n"


def put(folder, name, content):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)


def source_seeds(orrery, folder):
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/programs/*/*.c"))):
        done = subprocess.run([orrery, "cc", "-E", os.path.basename(path)], cwd=os.path.dirname(path), capture_output=True,
                              check=False)
        text = own_text(done.stdout.decode("latin-1"))
        if re.search(r"\b(u?int\d+_t|size_t|ptrdiff_t|wchar_t)\b", text):
            text = PRELUDE + text
        name = "%s-%s.i" % (os.path.basename(os.path.dirname(path)), os.path.basename(path)[:-2])
        for kind in ("source", "run"):
            if len(text) <= LARGEST[kind]:
                put(os.path.join(folder, kind), name, text.encode("latin-1"))


def object_seeds(orrery, folder):
    """A leading byte of 1 asks the fuzzer to put the header right, seven bytes keep the file aligned."""
    for path in sorted(glob.glob(os.path.join(folder, "run", "*.i"))):
        target = os.path.join(folder, "new.o")
        for level in ("-O0", "-O2"):
            done = subprocess.run([orrery, "cc", "-w", "-c", level, "-o", target, path], capture_output=True, check=False)
            if done.returncode == 0 and os.path.getsize(target) <= LARGEST["object"]:
                with open(target, "rb") as file:
                    put(os.path.join(folder, "object"), os.path.basename(path)[:-2] + level + ".bin", b"\1" + bytes(7) + file.read())
        if os.path.exists(target):
            os.remove(target)


def program_seeds(orrery, folder):
    """Linked programs with debug information, behind eight bytes of which the first says how they run."""
    paths = [path for part in ("mpi", "language", "library") for path in sorted(glob.glob(os.path.join(ROOT, "tests/programs", part, "*.c")))]
    target = os.path.join(folder, "new")
    for number, path in enumerate(paths):
        done = subprocess.run([orrery, "cc", "-w", "-g", "-O%d" % (number % 3), "-o", target, path, "-lm"], capture_output=True, check=False)
        if done.returncode == 0 and os.path.getsize(target) <= LARGEST["program"]:
            with open(target, "rb") as file:
                content = file.read()
            content = content[content.index(b"\x8fvCode\r\n"):]
            put(os.path.join(folder, "program"), os.path.basename(path)[:-2] + ".bin", bytes([number % 32]) + bytes(7) + content)
    if os.path.exists(target):
        os.remove(target)


def trace_seeds(orrery, folder):
    """Traces of samples with all that can be recorded, behind eight bytes of which the first asks for right checksums."""
    target = os.path.join(folder, "new.trace")
    for name, ranks in (("greetings", 3), ("jacobi", 2), ("ping_pong", 2), ("hybrid_jacobi", 2), ("checkpoint", 2)):
        program = os.path.join(ROOT, "samples", name + ".c")
        done = subprocess.run([orrery, "run", "-q", "-n", str(ranks), "--machine", "mesh-4x4", "--check", "--trace", target,
                               "--trace-detail", "all", program], cwd=folder, capture_output=True, check=False)
        if done.returncode == 0 and os.path.getsize(target) <= LARGEST["trace"]:
            with open(target, "rb") as file:
                put(os.path.join(folder, "trace"), name + ".bin", b"\1" + bytes(7) + file.read())
    if os.path.exists(target):
        os.remove(target)


def machine_seeds(folder):
    for path in sorted(glob.glob(os.path.join(ROOT, "configs", "*.machine"))):
        shutil.copy(path, os.path.join(folder, "machine"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", required=True)
    parser.add_argument("directory")
    options = parser.parse_args()
    for kind in ("source", "run", "object", "program", "trace", "machine"):
        os.makedirs(os.path.join(options.directory, kind), exist_ok=True)
    orrery = os.path.abspath(options.orrery)
    source_seeds(orrery, options.directory)
    object_seeds(orrery, options.directory)
    program_seeds(orrery, options.directory)
    trace_seeds(orrery, options.directory)
    machine_seeds(options.directory)


if __name__ == "__main__":
    main()
