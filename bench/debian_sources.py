"""debian_sources.py - source packages of Debian by name, without a change to the system: apt-get with folders of its own.

The mirrors are those from which the system has its packages (`apt-get indextargets`), with the keys that the system
trusts; of these a list of sources is made, in a folder of ours, where apt's lists and files go, too. The release itself is enough: updates and fixes of
security make other programs of it from month to month.
"""
import os
import pathlib
import subprocess
import time

LISTS_LAST_S = 30 * 86400
AGE = 10 ** 9
INDEX = "$(ORIGIN)\t$(REPO_URI)\t$(CODENAME)\t$(COMPONENT)\t$(CREATED_BY)"


class NoSources(Exception):
    """There are no sources to be had here; says why."""


class Sources:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.packages = self.folder / "packages"

    def prepare(self):
        """Fetches apt's lists, unless they are there and new enough."""
        lists = self.folder / "lists"
        for path in (lists / "partial", self.folder / "cache/archives/partial", self.packages):
            path.mkdir(parents=True, exist_ok=True)
        stamp = self.folder / "lists.stamp"
        if stamp.exists() and time.time() - stamp.stat().st_mtime < LISTS_LAST_S:
            return
        (self.folder / "sources.list").write_text("".join(f"deb-src {line}\n" for line in self._mirrors()))
        self._apt(["update", "-qq"])
        if not any("Sources" in path.name for path in lists.iterdir()):
            raise NoSources("the mirrors have no list of source packages")
        stamp.touch()

    def fetch(self, package):
        """The folder with the files of a source package."""
        folder = self.packages / package
        if not folder.exists():
            part = self.packages / (package + ".part")
            part.mkdir(exist_ok=True)
            try:
                self._apt(["source", "-qq", "--download-only", "--only-source", package], cwd=part)
            except NoSources:
                # A mirror may lack Debian's part, which is not needed to build.
                if not list(part.glob("*.orig.tar.*[!c]")):
                    raise
            part.rename(folder)
        return folder

    def unpack(self, package, to):
        """Makes the folder `to` of a package: with Debian's patches, or as its authors gave it out."""
        self._unpack(self.fetch(package), to)
        # All of one age, so that no Makefile finds its own generated files too old.
        for path in [to, *to.rglob("*")]:
            os.utime(path, (AGE, AGE), follow_symlinks=False)

    @staticmethod
    def _unpack(files, to):
        descriptions, originals = sorted(files.glob("*.dsc")), sorted(files.glob("*.orig.tar.*[!c]"))
        if descriptions:
            try:
                _run(["dpkg-source", "--no-copy", "--no-check", "-x", str(descriptions[0]), str(to)], None)
                return
            except NoSources:
                if not originals:
                    raise
        to.mkdir(parents=True, exist_ok=True)
        _run(["tar", "-xf", str(originals[0]), "-C", str(to), "--strip-components=1"], None)

    def _mirrors(self):
        lines = set()
        for line in _run(["apt-get", "indextargets", "--format", INDEX], None).splitlines():
            origin, uri, codename, component, made_by = line.split("\t")
            if origin == "Debian" and made_by == "Packages" and "-" not in codename:
                lines.add(f"{uri} {codename} {component}")
        if not lines:
            raise NoSources("apt knows no mirror of Debian")
        return sorted(lines)

    def _apt(self, words, cwd=None):
        settings = {"Dir::Etc::sourcelist": self.folder / "sources.list", "Dir::Etc::sourceparts": "/dev/null",
                    "Dir::State::lists": self.folder / "lists", "Dir::Cache": self.folder / "cache",
                    "APT::Sandbox::User": "root"}
        options = [f"-o{key}={value}" for key, value in settings.items()]
        _run(["apt-get", *options, *words], cwd)


def _run(command, cwd):
    try:
        done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=600, check=False, text=True, errors="replace")
    except FileNotFoundError:
        raise NoSources(f"{command[0]} is not here") from None
    except subprocess.TimeoutExpired:
        raise NoSources(f"{' '.join(command)}: no end") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if not line.startswith("W:")]
        raise NoSources(f"{command[0]} {command[-1]}: {' '.join(lines[:2]) or done.returncode}")
    return done.stdout
