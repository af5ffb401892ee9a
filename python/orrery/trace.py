"""Traces. docs/trace.md describes the bytes; kinds and fields are those that the file says it has."""
import heapq
import os
import struct
from collections import namedtuple

VERSIONS = (1, 2, 3)
_MAGIC = b"\x8fTrace\r\n"
_BLOCK = struct.Struct("<IHHIIQQQII")  # magic, kind, group, bytes, events, checksum, from, to, first, last
_BLOCK_MAGIC = 0x6B42724F
_LARGEST_BLOCK = 1 << 24
_EVENTS, _DEFINITIONS, _INDEX, _FOOTER = 1, 2, 3, 4
_NUMBER, _SIGNED, _SIGNED_TIME, _PLACE, _TEXT, _SITE, _COUNTER, _LIST, _PLAIN_TIME, _SIGNED_COUNTER = range(10)
_TIMES = (_SIGNED_TIME, _PLAIN_TIME)
_MASK = (1 << 64) - 1

Site = namedtuple("Site", "file line function")
Site.__doc__ = "A place in the source. An unknown one has the file None."
Location = namedtuple("Location", "rank thread node")
_Kind = namedtuple("_Kind", "name fields")  # fields: (name, form)
_Block = namedtuple("_Block", "offset kind group bytes events from_ps to_ps first last")


class TraceError(Exception):
    """A file that is no trace, a damaged one, or one of another version."""


def _checksum(data):
    total = 0xCBF29CE484222325
    for (word,) in struct.iter_unpack("<Q", data):
        total = (total ^ word) * 0x9E3779B97F4A7C15 & _MASK
        total ^= total >> 29
    return total


def _signed64(number):
    number &= _MASK
    return number - (1 << 64) if number >> 63 else number


class _Input:
    """Numbers and texts of a payload, one after the other."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def number(self):
        data, at = self.data, self.at
        if at >= len(data):
            raise TraceError("a number that has no end")
        first = data[at]
        if first & 1:
            self.at = at + 1
            return first >> 1
        size = (first & -first).bit_length() if first else 9
        if size > len(data) - at:
            raise TraceError("a number that has no end")
        self.at = at + size
        if size == 9:
            return int.from_bytes(data[at + 1:at + 9], "little")
        return int.from_bytes(data[at:at + size], "little") >> size

    def signed(self):
        number = self.number()
        return (number >> 1) ^ -(number & 1)

    def text(self):
        length = self.number()
        if length > len(self.data) - self.at:
            raise TraceError("a text that is too long")
        self.at += length
        return bytes(self.data[self.at - length:self.at]).decode("utf-8", "replace")

    def byte(self):
        if self.at >= len(self.data):
            raise TraceError("an event that has no end")
        self.at += 1
        return self.data[self.at - 1]


class _GroupedInput(_Input):
    """The same before version 3."""

    def number(self):
        data, at, shift, value = self.data, self.at, 0, 0
        try:
            while True:
                byte = data[at]
                at += 1
                value |= (byte & 0x7F) << shift
                if byte < 0x80:
                    break
                shift += 7
                if shift > 63:
                    raise IndexError
        except IndexError:
            raise TraceError("a number that has no end") from None
        self.at = at
        return value & _MASK


class Trace:
    """A trace: its notes and locations, and its events.

    notes      dict of texts, such as "program", "machine", "ranks", "makespan_ps"
    locations  list of Location(rank, thread, node), by number
    kinds      dict: name of a kind of events -> names of its fields
    whole      False if the recording ended early: then there are the events of all whole blocks, and notes may have
               the reason under "ended_early"
    """

    def __init__(self, path, verify=True):
        """Opens a trace. verify: the checksums of blocks are looked at; without, reading takes a little less time."""
        self.path = os.fspath(path)
        self.verify = verify
        self.notes, self.locations, self.whole = {}, [], False
        self._texts, self._sites, self._numbers = [""], [Site(None, 0, "")], {}
        self._blocks = []
        with open(self.path, "rb") as file:
            head = file.read(16)
            if head[:8] != _MAGIC or len(head) < 16:
                raise TraceError(f"{self.path}: this is no trace of Orrery")
            version = int.from_bytes(head[8:12], "little")
            if version not in VERSIONS:
                raise TraceError(f"{self.path}: a trace of version {version}; this module reads versions 1 to {VERSIONS[-1]}")
            self._input = _Input if version >= 3 else _GroupedInput
            self._scan(file)
        self.kinds = {kind.name: [name for name, _ in kind.fields] for kind in self._numbers.values()}

    # -- blocks

    def _scan(self, file):
        """Finds the blocks, one after the other, up to the first that is not whole."""
        offset, end = 16, file.seek(0, os.SEEK_END)
        while True:
            file.seek(offset)
            head = file.read(_BLOCK.size)
            if len(head) < _BLOCK.size:
                break
            magic, kind, group, size, events, _, from_ps, to_ps, first, last = _BLOCK.unpack(head)
            block = _Block(offset, kind, group, size, events, from_ps, to_ps, first, last)
            if magic != _BLOCK_MAGIC or size > _LARGEST_BLOCK:
                break
            if offset + _BLOCK.size + (size + 7 & ~7) > end:
                break
            if kind == _EVENTS:
                self._blocks.append(block)
            elif kind == _DEFINITIONS:
                try:
                    payload = self._payload(file, block)
                except TraceError:
                    break
                self._define(block, self._input(payload))
            elif kind == _FOOTER:
                self.whole = "ended_early" not in self.notes
                break
            offset += _BLOCK.size + (size + 7 & ~7)

    def _payload(self, file, block):
        file.seek(block.offset)
        padded = block.bytes + 7 & ~7
        data = file.read(_BLOCK.size + padded)
        if len(data) < _BLOCK.size + padded:
            raise TraceError(f"{self.path}: the block at {block.offset} is not whole")
        if self.verify:
            stored = int.from_bytes(data[16:24], "little")
            if _checksum(data[:16] + bytes(8) + data[24:]) != stored:
                raise TraceError(f"{self.path}: the block at {block.offset} has a wrong checksum")
        return memoryview(data)[_BLOCK.size:_BLOCK.size + block.bytes]

    def _define(self, block, data):
        for _ in range(block.events):
            what = data.byte()
            if what == 1:
                self._texts.append(data.text())
            elif what == 2:
                file, function, line = data.number(), data.number(), data.number()
                self._sites.append(Site(self.text(file) if file else None, line, self.text(function)))
            elif what == 3:
                number, rank, thread, node = data.number(), data.number(), data.number(), data.number()
                if number >= 1 << 22:
                    raise TraceError(f"{self.path}: a location that cannot be")
                while len(self.locations) <= number:
                    self.locations.append(Location(len(self.locations), 0, ""))
                self.locations[number] = Location(rank, thread, self.text(node))
            elif what == 4:
                key = data.text()
                self.notes[key] = data.text()
            elif what == 5:
                number, name, fields = data.number(), data.text(), []
                for _ in range(data.number()):
                    field = data.text()
                    fields.append((field, data.number()))
                self._numbers[number] = _Kind(name, fields)
            else:
                raise TraceError(f"{self.path}: a definition that is unknown")

    def text(self, number):
        """Returns the text of a number."""
        return self._texts[number] if number < len(self._texts) else ""

    def location(self, number):
        """Returns the Location of a number."""
        return self.locations[number] if number < len(self.locations) else Location(number, 0, "")

    # -- events

    def _decode(self, block, payload):
        """Yields (kind, location, time, values) of a block."""
        data, place, time = self._input(payload), 0, 0
        counters, lists = {}, {}
        for _ in range(block.events):
            byte = data.byte()
            kind = self._numbers.get(byte & 0x7F)
            if kind is None:
                raise TraceError(f"{self.path}: the block at {block.offset} has an event of an unknown kind")
            if not byte & 0x80:
                place = place + data.signed() & 0xFFFFFFFF
            time = time + data.signed() & _MASK
            site, values = 0, []
            for field, form in kind.fields:
                number = data.number()
                if form == _NUMBER or form == _TEXT:
                    value = number
                elif form == _SITE:
                    value = site = number
                elif form == _PLAIN_TIME:
                    value = time - number & _MASK
                else:
                    value = (number >> 1) ^ -(number & 1)
                    if form == _SIGNED_TIME:
                        value = time - value & _MASK
                    elif form == _PLACE:
                        value = place + value & 0xFFFFFFFF
                    elif form in (_COUNTER, _SIGNED_COUNTER):
                        value = counters[byte & 0x7F, field] = _signed64(counters.get((byte & 0x7F, field), 0) + value)
                    elif form == _LIST:
                        value = self._list(data, lists.setdefault(site, [0] * 32), number)
                values.append(value)
            yield kind, place, time, values

    @staticmethod
    def _list(data, last, head):
        n, differ = head & 31, head >> 5
        if differ >> n:
            raise TraceError("a list that cannot be")
        for i in range(n):
            if differ >> i & 1:
                last[i] += data.signed()
        return [_signed64(number) for number in last[:n]]

    def _group(self, blocks, wanted):
        """Yields (key, event) of a group; keys do not go down."""
        key = 0
        with open(self.path, "rb") as file:
            for block in blocks:
                payload = self._payload(file, block)
                for event in self._decode(block, payload):
                    if wanted(event):
                        key = max(key, event[2])
                        yield key, event

    def _wanted(self, kinds, ranks, from_ps, to_ps):
        def wanted(event):
            kind, place, time, values = event
            if kinds is not None and kind.name not in kinds or time < from_ps:
                return False
            if ranks is not None and self.location(place).rank not in ranks:
                return False
            began = min([time] + [value for (_, form), value in zip(kind.fields, values) if form in _TIMES])
            return to_ps is None or began <= to_ps
        return wanted

    def _row(self, event):
        kind, place, time, values = event
        location = self.location(place)
        row = {"kind": kind.name, "rank": location.rank, "thread": location.thread, "time_ps": time}
        for (name, form), value in zip(kind.fields, values):
            if form in _TIMES:
                row[name + "_ps"] = value
            elif form == _TEXT:
                row[name] = self.text(value)
            elif form == _SITE:
                row[name] = self._sites[value] if value < len(self._sites) else self._sites[0]
            elif form == _PLACE:
                row[name] = self.location(value).rank
            else:
                row[name] = value
        return row

    def events(self, kinds=None, ranks=None, from_ps=0, to_ps=None):
        """Yields events as dicts, in the order of time; those of a rank stay in theirs. All have "kind", "rank",
        "thread" and "time_ps", and then the fields of their kind: times have "_ps" behind their names, places in the
        source are Site.

        kinds, ranks: names and numbers; None: all. from_ps, to_ps: what happens at these times or between them. Memory:
        a block of each of the file's groups.
        """
        kinds = None if kinds is None else frozenset([kinds] if isinstance(kinds, str) else kinds)
        ranks = None if ranks is None else frozenset([ranks] if isinstance(ranks, int) else ranks)
        wanted = self._wanted(kinds, ranks, from_ps, to_ps)
        groups = {}
        for block in self._blocks:
            if block.to_ps >= from_ps and (to_ps is None or block.from_ps <= to_ps):
                groups.setdefault(block.group, []).append(block)
        streams = [self._group(groups[group], wanted) for group in sorted(groups)]
        for _, event in heapq.merge(*streams, key=lambda item: item[0]):
            yield self._row(event)

    def columns(self, kind, **selection):
        """Returns the events of a kind as a dict of lists, for pandas.DataFrame(). A place in the source becomes three
        columns: "file", "line", "caller"."""
        forms = dict(next((known.fields for known in self._numbers.values() if known.name == kind), []))
        names = ["rank", "thread", "time_ps"]
        for name, form in forms.items():
            names += ["file", "line", "caller"] if form == _SITE else [name + "_ps" if form in _TIMES else name]
        result = {name: [] for name in names}
        for row in self.events(kinds=[kind], **selection):
            for name, value in row.items():
                if isinstance(value, Site):
                    result["file"].append(value.file)
                    result["line"].append(value.line)
                    result["caller"].append(value.function)
                elif name != "kind":
                    result[name].append(value)
        return result
