"""fixed.py - the recorded random programs: fixed/programs.tar.xz, and fixed/index.txt, one a line:

    NAME SHA256-OF-SOURCE EXPECTED-OUTPUT-AS-JSON COMMAND-THAT-MADE-IT

They are stored because a seed means another program in another version of csmith, and so that testing them needs
neither csmith nor gcc. `python3 fixed.py DIRECTORY` makes both files from the programs csmith-SEED.c in DIRECTORY,
whose first line is the command, with the output that gcc's programs give (tests/differential/include/csmith.h).
"""
import functools
import glob
import hashlib
import io
import json
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHIVE = os.path.join(HERE, "fixed", "programs.tar.xz")
INDEX = os.path.join(HERE, "fixed", "index.txt")


class Entry:
    def __init__(self, line):
        self.name, self.digest, rest = line.split(" ", 2)
        text, end = json.JSONDecoder().raw_decode(rest)
        self.output, self.origin = text.encode(), rest[end:].strip()


def entries():
    with open(INDEX, encoding="utf-8") as file:
        return [Entry(line.rstrip("\n")) for line in file if not line.startswith("#")]


@functools.lru_cache(maxsize=None)
def contents():
    with tarfile.open(ARCHIVE, "r:xz") as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}


def unpack(entry, directory):
    """Writes the program into the directory and answers its path."""
    content = contents()[entry.name + ".c"]
    if hashlib.sha256(content).hexdigest() != entry.digest:
        raise ValueError("%s is not the program that was recorded" % entry.name)
    path = os.path.join(directory, entry.name + ".c")
    with open(path, "wb") as file:
        file.write(content)
    return path


def native_output(path, directory):
    binary = os.path.join(directory, "native")
    subprocess.run(["gcc", "-w", "-O1", "-fwrapv", "-fno-strict-aliasing", "-I" + os.path.join(HERE, "include"), path, "-o",
                    binary, "-lm"], check=True)
    return subprocess.run([binary], check=True, capture_output=True, timeout=10).stdout.decode()


def record(folder):
    os.makedirs(os.path.dirname(ARCHIVE), exist_ok=True)
    lines, buffer = ["# NAME SHA256 OUTPUT COMMAND; see fixed.py\n"], io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive, \
            tempfile.TemporaryDirectory() as directory:
        for path in sorted(glob.glob(os.path.join(folder, "csmith-*.c")), key=lambda p: int(p.split("-")[-1][:-2])):
            with open(path, "rb") as file:
                content = file.read()
            name = os.path.basename(path)
            command = content.decode().splitlines()[0].removeprefix("// Options:").strip()
            lines.append("%s %s %s csmith %s\n" % (name[:-2], hashlib.sha256(content).hexdigest(),
                                                   json.dumps(native_output(path, directory)), command))
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    with open(ARCHIVE, "wb") as file:
        file.write(lzma.compress(buffer.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    with open(INDEX, "w", encoding="utf-8") as file:
        file.writelines(lines)


if __name__ == "__main__":
    record(sys.argv[1])
