#!/usr/bin/env python3
"""Restores tensors of Cairn runs. Written from docs/FORMAT.md alone, with Python's standard library alone.

usage: reader.py RUN[@STEP]...

Restores the newest checkpoint of each run (a folder) that is whole, or that of STEP. Prints one line a tensor: name (as
in JSON, without the quotes), type, shape (as [10x784]; [] for a single number) and the SHA-256 of its little-endian
bytes, separated by tabs. Parts of a tensor are joined. Of several arguments, '# RUN[@STEP]' precedes the lines of each.
Nothing is printed before all of a checkpoint is restored. Damaged checkpoints that are passed over are named on stderr.
Exit codes: 0 restored; 3 damage, nothing restored; 2 wrong usage; 1 anything else (no checkpoint, a newer format, a
file that cannot be read, a tensor of which parts are missing).
"""
import hashlib, itertools, json, math, os, re, struct, sys
from array import array

TYPES = {"Q": "float64 int64 uint64 complex64", "I": "float32 int32 uint32", "H": "float16 bfloat16 int16 uint16",
         "B": "int8 uint8 bool float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu"}
TYPECODES = {name: code for code, names in TYPES.items() for name in names.split()}
MASK = 0xFFFFFFFF

class Damage(Exception): """Bytes that no writer wrote."""
class Refused(Exception): """Nothing is damaged, and it cannot be done all the same."""

def require(condition, problem, kind=Damage):
    if not condition: raise kind(problem)

# --- numbers and checksums ---
def unpack(data, typecode): return array(typecode, [number for number, in struct.iter_unpack("<" + typecode, data)])
def pack(numbers): return struct.pack(f"<{len(numbers)}{numbers.typecode}", *numbers)
def little(data): return int.from_bytes(data, "little")
def cast(value, before, after): return struct.unpack("<" + after, struct.pack("<" + before, value))[0]

CRC_TABLE = range(256)
for _ in range(8):
    CRC_TABLE = [crc >> 1 ^ (0x82F63B78 if crc & 1 else 0) for crc in CRC_TABLE]

def checked(data, expected, what):
    crc = MASK
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 255] ^ crc >> 8
    require(crc ^ MASK == expected, f"{what} has CRC {crc ^ MASK:08x}, expected {expected:08x}")
    return data

class Cursor(bytearray):
    """Bytes that are read from the first to the last, with the tables of their segment."""
    tables = patterns = ()
    def u8(self): return self.take(1)[0]
    def u32(self): return little(self.take(4))
    def take(self, count=None):
        require(count is None or count <= len(self), f"{count} bytes expected, {len(self)} left")
        taken, self[:count] = bytes(self[:count]), b""
        return taken
    def varint(self):
        byte = self.u8()
        return byte if byte < 128 else byte - 128 + (self.varint() << 7)

# --- symbols: entropy-coded bytes ---
def coded_lengths(data):
    """The lengths of 256 codes, arithmetic coded."""
    source = itertools.chain(data, itertools.repeat(0))
    span, code = MASK, int.from_bytes(bytes(itertools.islice(source, 4)), "big")
    odds, seen, lengths = [32768] * 128, [0] * 128, []
    def decide(context):
        nonlocal span, code
        ones = span * odds[context] >> 16
        bit = code < ones
        span, code = (ones, code) if bit else (span - ones, code - ones)
        while span < 1 << 24: span, code = span << 8, code << 8 | next(source)
        odds[context] += int(((65024 if bit else 512) - odds[context]) * 2 / (2 * seen[context] + 3))
        seen[context] = min(seen[context] + 1, 22)
        return bit
    for symbol in range(256):
        left, above = lengths[symbol - 1] if symbol % 16 else 0, lengths[symbol - 16] if symbol >= 16 else 0
        known = (left > 0) + (above > 0)
        expected, length, base = left + above + 1 >> 1 if known == 2 else left + above, 0, 16 + 32 * known
        if decide(known + (3 if known and expected >= 10 else 0)):
            length = expected = expected or 8
            if not decide(base):
                step = 1 if (decide(base + 1) if 1 < expected < 11 else expected == 1) else -1
                length += step
                while 1 < length < 11 and decide(base + (2 if step > 0 else 14) + min(abs(length - expected), 10)):
                    length += step
        lengths.append(length)
    return lengths

def code_table(data):
    """For each value of a stream's next 11 bits: size and symbol of the code that they begin with."""
    kind, data = data[0], data[1:]
    if kind == 0:
        return [(0, data[0])] * 2048
    lengths = coded_lengths(data) if kind == 1 else [half for byte in data for half in (byte & 15, byte >> 4)]
    table, code, before = [None] * 2048, -1, 1
    for length, symbol in sorted((length, symbol) for symbol, length in enumerate(lengths) if length):
        code, before = (code + 1) << length - before, length
        require(kind < 3 and length < 12 and code < 1 << length, "a code table has lengths that make no code")
        for entry in range(int(f"{code:0{length}b}"[::-1], 2), 2048, 1 << length):
            table[entry] = length, symbol
    return table

def part(cursor, count, tables):
    kind = cursor.u8()
    if kind == 255: return cursor.take()
    table = code_table(cursor.take(cursor.u8())) if kind == 254 else tables[kind]
    header = cursor.u8() if cursor else 0
    streams, found, place = 4 if header & 1 else 1, bytearray(), -1
    for size in [cursor.varint() if k > 1 or header & 2 else None for k in range(streams, 0, -1)]:
        stream, bits, held = Cursor(cursor.take(size)), 0, 0
        for _ in range(min(-(-count // streams), count - len(found))):
            if held < 11:
                bits, held = bits | little(stream.take(min(6, len(stream)))) << held, held + 48
            length, symbol = table[bits & 2047]
            bits, held = bits >> length, held - length
            found.append(symbol)
    while cursor:
        place += cursor.varint() + 1
        found[place] = cursor.u8()
    return found

def symbols(cursor, count):
    body = Cursor(cursor.take(cursor.varint()))
    kind = body.u8()
    if kind == 2:
        places = flagged(part(Cursor(body.take(body.varint())), (count + 7) // 8, cursor.tables))
        found = dict(zip(places, part(body, len(places), cursor.tables) if places else b""))
        return bytes(found.get(i, 0) for i in range(count))
    found = part(body, count, cursor.tables) if kind == 1 else body.take()
    require(kind < 2 and len(found) == count, f"{len(found)} symbols of kind {kind}, expected {count}")
    return found

def flagged(flags): return [8 * k + bit for k, byte in enumerate(flags) if byte for bit in range(8) if byte >> bit & 1]

# --- frames: the values of a block after a payload; r is what they were, as unsigned numbers ---
def planes(cursor, r):
    mixed = bytearray(len(r) * r.itemsize)
    for k in range(r.itemsize):
        mixed[k::r.itemsize] = symbols(cursor, len(r))
    return unpack(mixed, r.typecode)
def turned(numbers, left):
    bits = 8 * numbers.itemsize
    return array(numbers.typecode, ((x << left | x >> bits - left) & (1 << bits) - 1 for x in numbers))

def unfolded(number): return number >> 1 ^ -(number & 1)
def ordered(bits): return bits ^ 0x7FFFFFFF if bits >> 31 else bits  # of a float32: in the order of values, and back
def change(size, found):
    """A difference whose folded number has so many bits: a leading one, and the lowest of what was found."""
    require(0 < size < 33, f"a difference of {size} bits")
    return unfolded(1 << size - 1 | found & (1 << size - 1) - 1)

def raw(cursor, r, dtype): return unpack(cursor.take(len(r) * r.itemsize), r.typecode)
def same(cursor, r, dtype): return r
def lossless(cursor, r, dtype):
    values = planes(cursor, r)
    return turned(values, 8 * r.itemsize - 1) if re.fullmatch("b?float(16|32|64)", dtype) else values
def lossless_delta(cursor, r, dtype):
    if dtype != "float32":
        mask = (1 << 8 * r.itemsize) - 1
        return array(r.typecode, (bits + unfolded(folded) & mask for bits, folded in zip(r, planes(cursor, r))))
    lowest, sizes = cursor.u8(), symbols(cursor, len(r))
    bits, at, values = cursor.take(cursor.u32()), 0, r[:]
    for i in (i for i in range(len(r)) if sizes[i]):
        size = sizes[i] + lowest - (r[i] >> 23 & 255)
        values[i] = ordered(ordered(r[i]) + change(size, little(bits[at >> 3:(at >> 3) + 5]) >> (at & 7)) & MASK)
        at += size - 1
    return values
def lossless_lanes(cursor, r, dtype):
    floor, sizes = cursor.u8(), symbols(cursor, len(r))
    offset, low, high = list(cursor.take(16)), unpack(cursor.take(64), "I"), unpack(cursor.take(64), "I")
    words, values = [0] * 32 + list(unpack(cursor.take(4 * cursor.u32()), "I")), r[:]
    for i in (i for row in range(0, len(r), 16) for i in reversed(range(row, min(row + 16, len(r)))) if sizes[i]):
        lane, size = i % 16, sizes[i] - max((r[i] >> 23 & 255) - floor, 0)
        values[i] = r[i] + change(size, (high[lane] << 32 | low[lane]) >> offset[lane]) & MASK
        offset[lane] += size - 1
        if offset[lane] >= 32:
            low[lane], high[lane], offset[lane] = high[lane], words.pop(), offset[lane] - 32
    return values
def lossless_scales(cursor, r, dtype):
    pairs, top = zip(turned(r, 1), planes(cursor, r)), 0xFF000000
    return turned(array("I", ((a & top) + (b & top) & MASK | (a ^ b) & ~top for a, b in pairs)), 31)
def streams(cursor, r, wide):
    """Pairs of an element and its id."""
    id_count, places = cursor.u32(), flagged(symbols(cursor, (len(r) + 7) // 8))
    ids = symbols(cursor, id_count if wide else (id_count + 1) // 2)
    return zip(places, ids if wide else (half for byte in ids for half in (byte & 15, byte >> 4)))

def table(cursor, r, dtype):
    """Adds in double: a sum of two float32 that is then rounded to float32 has the bits of one addition in float32."""
    count = cursor.u8()
    added = [0.0, *struct.unpack(f"<{count & 127}f", cursor.take(4 * (count & 127)))]
    added += [-value for value in added] if count > 127 else []
    values = array({"float64": "d", "float32": "f"}.get(dtype, r.typecode), r.tobytes())
    for i, k in streams(cursor, r, len(added) > 16):
        values[i] = values[i] + added[k] if r.itemsize > 2 else add_half(values[i], added[k], dtype)
    return array(r.typecode, values.tobytes())
def add_half(bits, value, dtype):
    if dtype == "float16":
        total = array("f", [cast(bits, "H", "e") + value])[0]
        return cast(total if abs(total) < 65520 else math.copysign(math.inf, total), "e", "H")
    total = cast(array("f", [cast(bits << 16, "I", "f") + value])[0], "f", "I")
    return total + 0x7FFF + (total >> 16 & 1) >> 16
def log_steps(cursor, r, dtype):
    shift, jumps, values = cursor.u8(), iter(symbols(cursor, cursor.u32())), r[:]
    for i, step in streams(cursor, r, False):
        values[i] = next(jumps) << 23 if step == 8 else r[i] + ((step & 7) << shift) * (1 if step < 8 else -1)
    return values
def patterns(cursor):
    width, count = cursor.u32(), cursor.u8()
    numbers = [half - 8 for byte in cursor.take((width * count + 1) // 2) for half in (byte & 15, byte >> 4)]
    return [numbers[k * width:(k + 1) * width] for k in range(count)]
def patterned(cursor, r, dtype):
    rows, column, scale = cursor.patterns[cursor.u32()], cursor.u32(), cast(cursor.u32(), "I", "f")
    width, height, values = len(rows[0]), -(-(column + len(r)) // len(rows[0])), array("f", r.tobytes())
    amounts = [unfolded(symbol) for symbol in symbols(cursor, height * len(rows))]
    for i in range(len(r)):
        y, x = divmod(column + i, width)
        values[i] += array("f", [sum(a * row[x] for a, row in zip(amounts[y::height], rows)) * scale])[0]
    return table(cursor, array("I", values.tobytes()), dtype)
def sparse(cursor, r, dtype):
    run, phase, values = cursor.u32(), cursor.u32(), r[:]
    for k in flagged(symbols(cursor, ((len(r) - 1 + phase) // run + 8) // 8)):
        first, end = max(k * run - phase, 0), min((k + 1) * run - phase, len(r))
        values[first:end] = raw(cursor, r[first:end], dtype)
    return values

METHODS = [raw, same, same, lossless, lossless_delta, table, log_steps, lossless_lanes, sparse, table, lossless_scales,
           patterned]
ALONE = (0, 2, 3, 9)  # for these, all bits of r are 0

# --- segments ---
class Segment:
    """A file of blocks. Its size, header, footer, index and tables are checked; its parity is not used."""
    def __init__(self, run, number, entry):
        self.name, whole, size = entry["name"], entry["bytes"], entry["contentBytes"]
        require(re.fullmatch(rf"segments/{number:010d}-[a-z0-9]{{1,32}}-[0-9a-f]{{16}}\.seg", self.name), "no segment")
        self.file = open(os.path.join(run, self.name), "rb")
        require(os.fstat(self.file.fileno()).st_size == whole, f"{self.name} has another size than {whole} bytes")
        magic, version, self.block_bytes, name = struct.unpack("<8sIIQ", self.read("header", 0, 24))
        require(magic != b"CAIRNSEG" or version < 2, f"{self.name} has the newer format {version}", Refused)
        require((magic, version, f"{name:016x}") == (b"CAIRNSEG", 1, entry["id"]), f"{self.name} has another header")
        count, crc, magic = struct.unpack("<QI8s", self.read("footer", size - 24, 20))
        require((magic, f"{crc:08x}") == (b"CAIRNEND", entry["indexCrc32c"]), f"{self.name} has another footer")
        index = size - 24 - 8 * count
        entries = list(struct.iter_unpack("<II", self.read("index", index, 8 * count, crc)))
        starts = list(itertools.accumulate((length for length, _ in entries), initial=28))
        require(starts[-1] == index, f"{self.name} has blocks up to byte {starts[-1]}, and its index at byte {index}")
        self.blocks = [(at, *entry) for at, entry in zip(starts, entries)]
        cursor = Cursor(self.read("tables", *self.blocks.pop()))
        self.tables = [code_table(cursor.take(cursor.u8())) for _ in range(cursor.u8())]
        self.patterns = list(iter(lambda: patterns(cursor) if cursor else None, None))
    def read(self, what, at, count, crc=None):
        """These bytes, checked by this CRC, or by the one that follows them."""
        self.file.seek(at)
        data, after = self.file.read(count), self.file.read(4)
        return checked(data, little(after) if crc is None else crc, f"{self.name}: {what} at byte {at}")

# --- the commit log ---
def read_record(run, number, end="rec"):
    data = open(os.path.join(run, "log", f"{number:010d}.{end}"), "rb").read()
    parts = re.fullmatch(rb"cairn-record ([1-9]\d*)\n(.*\n)crc32c ([0-9a-f]{8})\n", data, re.DOTALL)
    require(parts, f"record {number} has not the form of a record")
    checked(data[:-16], int(parts[3], 16), f"record {number}")
    require(int(parts[1]) < 2, f"record {number} has the newer format {int(parts[1])}", Refused)
    record = json.loads(parts[2])
    require(record["number"] == number, f"record {number} has number {record['number']}")
    return {"replaces": number, **record}

def read_either(run, number):
    """A record from the first of its two places that is intact, and what is damaged: one of both."""
    record, problem = twice(read_record, run, number)
    twin = twice(read_record, run, number, "twin")[0] if problem else None
    return (twin, None) if twin else (record, problem)

def numbers(folder, pattern):
    names = os.listdir(folder) if os.path.isdir(folder) else []
    found = (re.fullmatch(r"(\d{10}|[1-9]\d{10,14})" + pattern, name) for name in names)
    return sorted({int(name[1]) for name in found if name})

def history(run):
    """All checkpoints by id, those of the run by their place in it, and what is damaged."""
    found = {number: read_either(run, number) for number in numbers(os.path.join(run, "log"), r"\.(?:rec|twin)")}
    records = [record for record, _ in found.values() if record]
    damaged = {number: problem for number, (_, problem) in found.items() if problem}
    commits, starts, prunes = ([r for r in records if r["type"] == t] for t in ("checkpoint", "start", "prune"))
    starts = [start["number"] for start in starts if not any(
        kept < start["number"] < prune["number"] for prune in prunes for kept in prune["kept"])]
    start = max([0, *starts, *(prune["since"] for prune in prunes)])
    last = prunes[-1] if prunes and prunes[-1]["number"] > start else {"number": 0}
    forms = {commit["id"]: commit for commit in commits}
    current = {commit["replaces"]: commit for commit in forms.values() if commit["number"] > max(start, last["number"])
               or commit["number"] > start and commit["number"] in last["kept"]}
    known = {0, *damaged, *(n for record in records for n in (record["number"], record["replaces"]))}
    segments = numbers(os.path.join(run, "segments"), r"-[a-z0-9]{1,32}-[0-9a-f]{16}\.seg")
    for number in set(segments) - known:
        staged = number == segments[-1] == max(known) + 1
        if not staged and not any(prune["since"] < number < prune["number"] for prune in prunes):
            damaged[number] = f"record {number} is missing, though it has a segment"
    return forms, current, damaged

def twice(read, *arguments):
    """What was read, and what is damaged: one of both. What looks damaged is read once more."""
    for _ in range(2):
        try:
            return read(*arguments), None
        except (Damage, FileNotFoundError, ArithmeticError, AttributeError, LookupError, RecursionError, StopIteration,
                TypeError, ValueError, struct.error) as e:
            problem = str(e) if isinstance(e, Damage) else f"not what a writer leaves: {e!r}"
    return None, problem

# --- checkpoints ---
def description(tensor): return str([tensor.get(key) for key in "name dtype shape role wholeShape offset".split()])

def restore(run, commit, forms):
    """The digests of all tensors, by name, type and shape."""
    chain = [commit]
    while "parent" in chain[-1]:
        named, parent = chain[-1]["parent"], forms.get(chain[-1]["parent"]["id"])
        require(parent and parent["digest"] == named["digest"] and len(chain) < len(forms), "a parent is missing")
        chain.append(parent)
    links = [({description(tensor): tensor for tensor in link["tensors"]},
              [Segment(run, link["number"], entry) for entry in link["segments"]]) for link in chain]
    wholes = {}
    for tensor in commit["tensors"]:
        key = tensor["name"], tensor["dtype"], tuple(tensor.get("wholeShape", tensor["shape"]))
        wholes.setdefault(key, []).append(tensor)
    return {key: digest(key[2], [(tensor, restore_part(tensor, links)) for tensor in wholes[key]]) for key in wholes}

def restore_part(tensor, links):
    key, dtype, count, data = description(tensor), tensor["dtype"], math.prod(tensor["shape"]), bytearray()
    path = [(segments[tensors[key]["segment"]], tensors[key]["firstBlock"])
            for tensors, segments in itertools.takewhile(lambda link: key in link[0], links)]
    zero = array(TYPECODES[dtype], [0])
    share = min(65536, path[0][0].block_bytes // zero.itemsize)
    for block in range(-(-count // share)):
        frames, r, zeros = [], None, zero * min(share, count - block * share)
        for segment, first in path:
            frames.append((segment, segment.read(f"block {first + block}", *segment.blocks[first + block])))
            if frames[-1][1][0] in ALONE: break
        for segment, frame in reversed(frames):
            cursor = Cursor(frame[1:-4])
            cursor.tables, cursor.patterns = segment.tables, segment.patterns
            r = METHODS[frame[0]](cursor, zeros if frame[0] in ALONE else r, dtype)
            require(not cursor, f"{segment.name} has a frame with {len(cursor)} bytes too many")
        data += checked(pack(r), little(frame[-4:]), f"{segment.name}: values of {tensor['name']}")
    return data

def digest(shape, parts):
    """The SHA-256 of a tensor; None where elements are missing."""
    held, typecode = {}, TYPECODES[parts[0][0]["dtype"]]
    if "offset" not in parts[0][0]:
        return hashlib.sha256(parts[0][1]).hexdigest()
    for tensor, data in parts:
        places = [0]
        for offset, own, n in zip(tensor["offset"], tensor["shape"], shape, strict=True):
            require(0 <= offset <= offset + own <= n, f"a part of {tensor['name']} lies outside of it")
            places = [place * n + i for place in places for i in range(offset, offset + own)]
        for place, value in zip(places, unpack(data, typecode)):
            require(held.setdefault(place, value) == value, f"parts of {tensor['name']} differ where they overlap")
    whole = len(held) == math.prod(shape)
    return hashlib.sha256(pack(array(typecode, map(held.get, range(len(held)))))).hexdigest() if whole else None

# --- the program ---
def show(argument):
    """Prints the tensors of what was asked for."""
    run, at, step = argument.rpartition("@")
    run, step = (run, int(step)) if at and step.isdecimal() and len(step) < 20 else (argument, None)
    read, problem = twice(history, run)
    forms, current, damaged = read or require(False, problem)
    for place, commit in sorted(current.items(), reverse=True):
        if step in (None, commit["step"]):
            tensors, problem = twice(restore, run, commit, forms)
            if not problem:
                break
            damaged[place] = f"checkpoint of step {commit['step']} is damaged: {problem}"
    else:
        require(not damaged, "; ".join(damaged.values()))
        raise Refused("there is no such run or checkpoint")
    for number in sorted(number for number in damaged if number > place):
        print(f"{argument}: passed over for step {commit['step']}: {damaged[number]}", file=sys.stderr)
    for (name, dtype, shape), sha256 in tensors.items():
        if sha256:
            print(json.dumps(name, ensure_ascii=False)[1:-1], dtype, f"[{'x'.join(map(str, shape))}]", sha256, sep="\t")
    missing = [name for (name, _, _), sha256 in tensors.items() if not sha256]
    require(not missing, f"parts are missing of {', '.join(missing)}", Refused)

def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        asked = arguments in (["-h"], ["--help"])
        return print(__doc__) if asked else print("usage: reader.py RUN[@STEP]...", file=sys.stderr) or 2
    code = 0
    for argument in arguments:
        print(f"# {argument}\n" if len(arguments) > 1 else "", end="")
        try:
            show(argument)
        except (Damage, Refused, OSError) as problem:
            print(f"{argument}: {problem}", file=sys.stderr)
            code = max(code, 3 if isinstance(problem, Damage) else 1)
    return code

if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    sys.exit(main(sys.argv[1:]))
