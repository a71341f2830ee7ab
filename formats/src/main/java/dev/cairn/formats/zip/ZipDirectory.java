package dev.cairn.formats.zip;

import static dev.cairn.formats.zip.ZipLayout.u16;
import static dev.cairn.formats.zip.ZipLayout.u32;

import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.Input;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The entries of a zip file, Zip64 or not, in the order of its central directory, with their places in the file.
///
/// Everything is checked before it is used. Every entry lies before the directory, and no two entries overlap. Names
/// are relative, do not contain `..`, and occur once. Local headers agree with the directory. Nothing is encrypted or
/// compressed by a method other than deflate. No entry claims a larger size than deflate could produce.
/// `docs/adr/0013-zip-files.md` explains why Cairn has its own implementation.
public final class ZipDirectory {
    private static final int MOST_COMMENT_BYTES = 0xffff;
    private static final int MOST_ENTRIES = TensorFile.MOST_TENSORS + 1000;

    /// The best ratio of deflate: 1032 bytes from one. The end of the data takes a few more bytes.
    private static final long BEST_RATIO = 1032;

    /// The memory of an entry with its place in a map and the place of its extent in a list, without its name.
    private static final long ENTRY_BYTES = 300;

    private final Input input;
    private final Allowance allowance;
    private final SequencedMap<String, ZipEntry> entries = new LinkedHashMap<>();

    private ZipDirectory(Input input, Allowance allowance) {
        this.input = input;
        this.allowance = allowance;
    }

    public static SequencedMap<String, ZipEntry> read(Input input, Allowance allowance) throws IOException {
        var directory = new ZipDirectory(input, allowance);
        directory.readEntries(directory.place());
        return Collections.unmodifiableSequencedMap(directory.entries);
    }

    /// The place of the central directory.
    private record Place(long offset, long sizeBytes, long entries) {}

    private Place place() throws IOException {
        long size = input.sizeBytes();
        int tailBytes = (int) Math.min(size, ZipLayout.END_BYTES + MOST_COMMENT_BYTES + ZipLayout.LOCATOR64_BYTES);
        MemorySegment tail = MemorySegment.ofArray(input.bytes(size - tailBytes, tailBytes));
        for (int at = tailBytes - ZipLayout.END_BYTES; at >= 0; at--) {
            boolean ends = tail.get(ZipLayout.U32, at) == ZipLayout.END
                    && u16(tail, at + 20) == tailBytes - at - ZipLayout.END_BYTES;
            if (ends) {
                return place(tail, at, size - tailBytes);
            }
        }
        throw damaged("does not end like a zip file");
    }

    /// @param at offset of the end record in the tail
    /// @param tailOffset offset of the tail in the file
    private Place place(MemorySegment tail, int at, long tailOffset) throws IOException {
        var plain = new Place(u32(tail, at + 16), u32(tail, at + 12), u16(tail, at + 10));
        int locator = at - ZipLayout.LOCATOR64_BYTES;
        if (locator < 0 || tail.get(ZipLayout.U32, locator) != ZipLayout.LOCATOR64) {
            return checked(plain, tailOffset + at);
        }
        long end64 = tail.get(ZipLayout.U64, locator + 8);
        if (end64 < 0 || end64 > tailOffset + locator - ZipLayout.END64_BYTES) {
            throw damaged("the end of its directory is at " + end64);
        }
        MemorySegment end = MemorySegment.ofArray(input.bytes(end64, ZipLayout.END64_BYTES));
        if (end.get(ZipLayout.U32, 0) != ZipLayout.END64) {
            throw damaged("the end of its directory is not at " + end64);
        }
        return checked(
                new Place(end.get(ZipLayout.U64, 48), end.get(ZipLayout.U64, 40), end.get(ZipLayout.U64, 32)), end64);
    }

    private Place checked(Place place, long end) throws IOException {
        if (place.offset() < 0 || place.sizeBytes() < 0 || place.offset() > end - place.sizeBytes()) {
            throw damaged("directory of %d bytes at %d, but it must end by %d"
                    .formatted(place.sizeBytes(), place.offset(), end));
        }
        if (place.sizeBytes() > TensorFile.MOST_HEADER_BYTES || place.entries() > MOST_ENTRIES) {
            throw new UnsupportedException(
                    input.name(),
                    "directory has %,d bytes and %s entries; the maximum is %,d and %,d"
                            .formatted(
                                    place.sizeBytes(),
                                    Long.toUnsignedString(place.entries()),
                                    TensorFile.MOST_HEADER_BYTES,
                                    MOST_ENTRIES));
        }
        return place;
    }

    private void readEntries(Place place) throws IOException {
        allowance.read(place.sizeBytes());
        allowance.take(place.sizeBytes());
        MemorySegment bytes = MemorySegment.ofArray(input.bytes(place.offset(), (int) place.sizeBytes()));
        var taken = new ArrayList<Extent>();
        long at = 0;
        for (long i = 0; i < place.entries(); i++) {
            if (at > bytes.byteSize() - ZipLayout.CENTRAL_BYTES || bytes.get(ZipLayout.U32, at) != ZipLayout.CENTRAL) {
                throw damaged("entry %d of %d is missing in its directory".formatted(i + 1, place.entries()));
            }
            var central = new CentralEntry(bytes.asSlice(at));
            at += central.sizeBytes();
            if (at > bytes.byteSize()) {
                throw damaged("an entry that goes beyond the directory");
            }
            add(central, place.offset(), taken);
        }
        if (at != bytes.byteSize()) {
            throw damaged("%d bytes in its directory that are not an entry".formatted(bytes.byteSize() - at));
        }
        taken.sort(Comparator.comparingLong(Extent::begin));
        for (int i = 1; i < taken.size(); i++) {
            if (taken.get(i).begin() < taken.get(i - 1).end()) {
                throw damaged("entries that overlap at " + taken.get(i).begin());
            }
        }
    }

    private record Extent(long begin, long end) {}

    private void add(CentralEntry central, long directoryOffset, List<Extent> taken) throws IOException {
        String name = checkedName(central.name());
        if ((central.flags() & ZipLayout.FLAG_ENCRYPTED) != 0) {
            throw new UnsupportedException(input.name(), "entry " + shown(name) + " is encrypted; decrypt it first");
        }
        int method = central.method();
        if (method != ZipLayout.STORED && method != ZipLayout.DEFLATED) {
            throw new UnsupportedException(
                    input.name(),
                    "entry %s is compressed with method %d; use deflate or no compression"
                            .formatted(shown(name), method));
        }
        ZipSizes sizes = ZipSizes.of(central);
        boolean plausible = sizes.compressed() >= 0
                && sizes.full() >= 0
                && (method == ZipLayout.STORED
                        ? sizes.full() == sizes.compressed()
                        : sizes.full() / BEST_RATIO <= sizes.compressed());
        long header = sizes.localOffset();
        int headerBytes = ZipLayout.LOCAL_BYTES + central.name().length;
        if (!plausible || header < 0 || header > directoryOffset - headerBytes) {
            throw damaged("entry %s: sizes %d and %d, at %d"
                    .formatted(shown(name), sizes.compressed(), sizes.full(), header));
        }
        MemorySegment local = MemorySegment.ofArray(input.bytes(header, headerBytes));
        long data = header + headerBytes + u16(local, 28);
        if (local.get(ZipLayout.U32, 0) != ZipLayout.LOCAL
                || u16(local, 8) != method
                || u16(local, 26) != central.name().length
                || data > directoryOffset - sizes.compressed()
                || local.asSlice(ZipLayout.LOCAL_BYTES).mismatch(MemorySegment.ofArray(central.name())) != -1) {
            throw damaged("entry %s is not at %d".formatted(shown(name), header));
        }
        allowance.take(ENTRY_BYTES + 2L * name.length());
        taken.add(new Extent(header, data + sizes.compressed()));
        var entry =
                new ZipEntry(name, method == ZipLayout.DEFLATED, central.crc(), sizes.compressed(), sizes.full(), data);
        if (entries.put(name, entry) != null) {
            throw damaged("two entries with the name " + shown(name));
        }
    }

    private String checkedName(byte[] bytes) throws IOException {
        String name;
        try {
            name = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw damaged("an entry whose name is not UTF-8");
        }
        if (!isSafe(name)) {
            throw damaged("an entry with the unsafe name '" + shown(name) + "'");
        }
        return name;
    }

    /// Whether a name stays within the folder that the zip file is unpacked to, whatever program unpacks it.
    static boolean isSafe(String name) {
        return !name.isEmpty()
                && !name.startsWith("/")
                && name.indexOf('\\') < 0
                && name.indexOf('\0') < 0
                && Arrays.stream(name.split("/", -1)).noneMatch(".."::equals);
    }

    private static String shown(String name) {
        return FormatException.printable(name);
    }

    private DamagedFileException damaged(String problem) {
        return new DamagedFileException(input.name(), problem);
    }
}
