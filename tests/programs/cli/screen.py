"""A terminal that remembers what it shows: as much of one as ncurses needs with TERM=xterm or vt100."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import unicodedata

SEQUENCE = re.compile(r"\x1b(?:\[([?<>]?)([0-9;]*)([@-~])|[()][0-9A-Z]|([=>78MDEHc])|\]([^\x07\x1b]*)(?:\x07|\x1b\\))")


class Screen:
    """Runs a command on a terminal of so many columns and rows."""

    def __init__(self, command, columns=80, rows=24, folder=".", environment=None):
        self.columns, self.rows = columns, rows
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            for name in ("COLUMNS", "LINES", "NO_COLOR", "CLICOLOR_FORCE"):
                os.environ.pop(name, None)
            os.environ.update(environment or {})
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execv(command[0], command)
        self.raw, self.pending = "", b""
        self.modes, self.colours, self.saved = set(), set(), None
        self.clear()

    def clear(self):
        self.lines = [[" "] * self.columns for _ in range(self.rows)]
        self.row = self.column = 0
        self.region = (0, self.rows - 1)

    # -- what comes -------------------------------------------------------------------------------

    def read(self, patience):
        if not select.select([self.terminal], [], [], patience)[0]:
            return False
        try:
            self.pending += os.read(self.terminal, 65536)
        except OSError: # the other side has gone
            return False
        text = self.pending.decode(errors="ignore") if self.pending[-1:] < b"\x80" else ""
        if text:
            self.pending = b""
            self.raw += text
            self.feed()
        return True

    def feed(self):
        while self.raw:
            if self.raw[0] != "\x1b":
                self.put(self.raw[0])
                self.raw = self.raw[1:]
                continue
            found = SEQUENCE.match(self.raw)
            if not found:
                return # not all of it is there
            self.raw = self.raw[found.end():]
            self.act(found)

    def put(self, c):
        if c == "\r":
            self.column = 0
        elif c == "\n":
            self.down()
        elif c == "\b":
            self.column = max(self.column - 1, 0)
        elif c == "\t":
            self.column = min(self.column - self.column % 8 + 8, self.columns - 1)
        elif c >= " ":
            width = 2 if unicodedata.east_asian_width(c) in "WF" else 1
            if self.column + width > self.columns:
                self.column = 0
                self.down()
            self.lines[self.row][self.column] = c
            if width == 2:
                self.lines[self.row][self.column + 1] = ""
            self.column += width

    def down(self):
        if self.row == self.region[1]:
            self.scroll(1)
        else:
            self.row = min(self.row + 1, self.rows - 1)

    def scroll(self, n, top=None):
        first, last = (self.region[0] if top is None else top), self.region[1]
        for _ in range(min(abs(n), last - first + 1)):
            if n > 0:
                del self.lines[first]
                self.lines.insert(last, [" "] * self.columns)
            else:
                del self.lines[last]
                self.lines.insert(first, [" "] * self.columns)

    def act(self, found):
        private, parameters, final, single, _ = found.groups()
        if single == "M":
            if self.row == self.region[0]:
                self.scroll(-1)
            else:
                self.row -= 1
        if final is None:
            return
        numbers = [int(n) if n else 0 for n in parameters.split(";")]
        n = numbers[0] or 1
        line = self.lines[self.row]
        if private:
            (self.modes.add if final == "h" else self.modes.discard)(numbers[0])
            if numbers[0] == 1049 and final == "h":
                self.saved = (self.lines, self.row, self.column)
                self.clear()
            elif numbers[0] == 1049 and self.saved:
                self.lines, self.row, self.column = self.saved
                self.saved = None
        elif final in "Hf":
            self.row, self.column = n - 1, ((numbers + [0])[1] or 1) - 1
        elif final == "d":
            self.row = n - 1
        elif final == "G":
            self.column = n - 1
        elif final in "ABCD":
            self.row = min(max(self.row + {"A": -n, "B": n}.get(final, 0), 0), self.rows - 1)
            self.column = min(max(self.column + {"C": n, "D": -n}.get(final, 0), 0), self.columns - 1)
        elif final == "J":
            first = 0 if numbers[0] == 2 else self.row + 1
            if numbers[0] == 0:
                line[self.column:] = [" "] * (self.columns - self.column)
            for row in range(first, self.rows if numbers[0] != 1 else 0):
                self.lines[row] = [" "] * self.columns
        elif final == "K":
            first, last = (0, self.columns) if numbers[0] == 2 else (0, self.column + 1) if numbers[0] == 1 else (self.column, self.columns)
            line[first:last] = [" "] * (last - first)
        elif final == "X":
            line[self.column:self.column + n] = [" "] * min(n, self.columns - self.column)
        elif final == "P":
            del line[self.column:self.column + n]
            line += [" "] * (self.columns - len(line))
        elif final == "@":
            line[self.column:self.column] = [" "] * n
            del line[self.columns:]
        elif final == "b":
            for _ in range(n):
                self.put(line[self.column - 1])
        elif final in "LM":
            self.scroll(-n if final == "L" else n, self.row)
        elif final in "ST":
            self.scroll(n if final == "S" else -n)
        elif final == "r":
            self.region = (n - 1, ((numbers + [0])[1] or self.rows) - 1)
            self.row = self.column = 0
        elif final == "m":
            self.colours |= {number for number in numbers if 30 <= number <= 37}

    # -- what is shown and typed ------------------------------------------------------------------

    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.lines)

    def wait(self, pattern, patience=60):
        """Until the screen has this. Returns what it shows, when nothing more comes."""
        while not re.search(pattern, self.text(), re.S | re.M):
            if not self.read(patience):
                raise AssertionError("never came: %s\n%s" % (pattern, self.text()))
        while self.read(0.05):
            pass
        return self.text()

    def type(self, text):
        os.write(self.terminal, text.encode())

    def mouse(self, button, column, row):
        """A click as SGR mice tell it; 64 and 65 are the wheel. Places count from 0."""
        self.type("\x1b[<%d;%d;%dM" % (button, column + 1, row + 1))
        if button < 64:
            self.type("\x1b[<%d;%d;%dm" % (button, column + 1, row + 1))

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.clear()
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def is_cooked(self):
        return bool(termios.tcgetattr(self.terminal)[3] & termios.ICANON)

    def has_signals(self):
        return bool(termios.tcgetattr(self.terminal)[3] & termios.ISIG)

    def kill(self, number=signal.SIGKILL):
        if self.child:
            os.kill(self.child, number)

    def end(self, patience=60):
        """Waits for the command's end. Returns its exit code."""
        while self.read(patience):
            pass
        code = os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
        self.child = 0
        return code

    def close(self):
        if self.child:
            self.kill()
            os.waitpid(self.child, 0)
            self.child = 0
        os.close(self.terminal)
