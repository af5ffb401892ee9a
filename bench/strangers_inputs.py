"""strangers_inputs.py - what programs of bench/strangers read: text, numbers, JSON, a picture, a sound, scripts.

All of it is computed, so that it is the same everywhere and no file of somebody else's is needed. Scripts are those of
bench/inputs.
"""
import math
import pathlib
import shutil
import struct

SCRIPTS = pathlib.Path(__file__).resolve().parent / "inputs"


class Dice:
    """Knuth's MMIX generator; the upper bits."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % bound


def words(count, seed):
    """Words of a made-up language, frequent ones far more often than rare ones."""
    dice = Dice(seed)
    lexicon = ["".join("aeioutnrslmdcpkbgv"[dice.below(18)] for _ in range(2 + dice.below(8))) for _ in range(4000)]
    return [lexicon[dice.below(1 + dice.below(1 + dice.below(4000)))] for _ in range(count)]


def text(count, seed=1):
    """Lines of eleven words, a blank line now and then."""
    all_words = words(count, seed)
    lines = [" ".join(all_words[i:i + 11]).capitalize() + "." for i in range(0, len(all_words), 11)]
    return "\n".join(line + ("\n" if i % 7 == 6 else "") for i, line in enumerate(lines)) + "\n"


def markdown(count):
    parts, all_words = [], words(count, 2)
    for i in range(0, len(all_words) - 60, 60):
        w = all_words[i:i + 60]
        parts += [f"## {' '.join(w[:4])}\n", f"{' '.join(w[4:20])} *{w[20]}* and **{w[21]}** with `{w[22]}`, "
                  f"see [{w[23]}](http://{w[24]}.org/{w[25]}).\n", f"> {' '.join(w[26:36])}\n",
                  "\n".join(f"- {x} &amp; {y}" for x, y in zip(w[36:46:2], w[37:46:2])) + "\n",
                  f"    {' '.join(w[46:54])};\n", f"1. {w[54]}\n2. {w[55]} <b>{w[56]}</b>\n"]
    return "\n".join(parts)


def records(count):
    """The same records as JSON, XML and columns."""
    dice, names = Dice(3), words(count * 2, 4)
    rows = [(i, names[2 * i], names[2 * i + 1], dice.below(100000) / 100, dice.below(2), [dice.below(1000) for _ in range(4)])
            for i in range(count)]
    json = "[\n" + ",\n".join(
        f'{{"id": {i}, "name": "{a}", "town": "{b}", "price": {p}, "sold": {"true" if s else "false"}, "counts": {c}}}'
        for i, a, b, p, s, c in rows) + "\n]\n"
    xml = "<?xml version=\"1.0\"?>\n<rows>\n" + "\n".join(
        f'<row id="{i}" sold="{s}"><name>{a}</name><town lang="xx">{b} &amp; {a}</town><price>{p}</price></row>'
        for i, a, b, p, s, _ in rows) + "\n</rows>\n"
    columns = "".join(f"{i}\t{a}\t{b}\t{p}\t{s}\n" for i, a, b, p, s, _ in rows)
    return json, xml, columns


def picture(width, height):
    """A portable pixmap: waves and a little noise."""
    dice, pixels = Dice(5), bytearray()
    for y in range(height):
        for x in range(width):
            wave = 120 + 60 * math.sin(x / 17 + y / 31) + 40 * math.cos(x * y / 9000)
            pixels += bytes((int(wave) + dice.below(8), int(wave * 0.7) + dice.below(8), (x ^ y) & 255))
    return f"P6\n{width} {height}\n255\n".encode() + bytes(pixels)


def sound(samples):
    """A RIFF file of 16-bit mono sound: three tones that beat."""
    values = [int(9000 * math.sin(i * 0.05) + 6000 * math.sin(i * 0.0511) + 4000 * math.sin(i * i * 1e-6))
              for i in range(samples)]
    data = struct.pack(f"<{samples}h", *values)
    return (b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " +
            struct.pack("<IHHIIHH", 16, 1, 1, 44100, 88200, 2, 16) + b"data" + struct.pack("<I", len(data)) + data)


def floats(count):
    """Numbers of 32 bits, none of them NaN, whose signs and contents are nobody's promise."""
    return struct.pack(f"<{count}f", *(math.sin(i * 0.1) + 0.5 * math.cos(i * 0.37) for i in range(count)))


def make(folder):
    """Writes all inputs there, if they are not."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for path in SCRIPTS.iterdir():
        shutil.copyfile(path, folder / path.name)
    if (folder / "complete").exists():
        return
    json, xml, columns = records(20000)
    files = {"text": text(300000), "other-text": text(20000, 7) + text(20000, 1), "page.md": markdown(200000),
             "records.json": json, "records.xml": xml, "records.tsv": columns}
    for name, content in files.items():
        (folder / name).write_text(content, encoding="ascii", newline="\n")
    (folder / "picture.ppm").write_bytes(picture(640, 480))
    (folder / "sound.wav").write_bytes(sound(441000))
    (folder / "floats").write_bytes(floats(1 << 18))
    (folder / "complete").touch()
