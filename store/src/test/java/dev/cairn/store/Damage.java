package dev.cairn.store;

import dev.cairn.codec.parity.ParityBuilder;
import dev.cairn.codec.parity.ParityLayout;
import dev.cairn.store.blob.RunFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/// Damages files beyond what heals: of segments one bit of the contents and both tables of chunks, of records both
/// places.
public final class Damage {
    private static final byte[] END = "CAIRNEND".getBytes(StandardCharsets.US_ASCII);
    private static final int CRC_BYTES = 4;

    private Damage() {}

    /// Flips a bit in the middle of the contents.
    public static byte[] inTheMiddle(byte[] segment) {
        return at(segment, contentBytes(segment) / 2);
    }

    /// Flips the lowest bit of the byte at this offset of the contents.
    public static byte[] at(byte[] segment, int offset) {
        byte[] damaged = withoutTables(segment);
        damaged[offset] ^= 1;
        return damaged;
    }

    /// Replaces a segment by one with a bit flipped in the middle of its contents.
    public static void inTheMiddle(Path segment) throws IOException {
        Files.write(segment, inTheMiddle(Files.readAllBytes(segment)));
    }

    /// Replaces both places of a record, so that nothing heals it.
    public static void record(Map<String, byte[]> blobs, long number, byte[] content) {
        blobs.put(RunFiles.record(number), content);
        blobs.put(RunFiles.twin(number), content);
    }

    /// Removes both places of a record.
    public static void loseRecord(Map<String, byte[]> blobs, long number) {
        blobs.remove(RunFiles.record(number));
        blobs.remove(RunFiles.twin(number));
    }

    /// Removes both places of a record.
    public static void loseRecord(Path run, long number) throws IOException {
        Files.delete(run.resolve(RunFiles.record(number)));
        Files.delete(run.resolve(RunFiles.twin(number)));
    }

    /// The segment with contents that are intact and that nothing can heal any more.
    public static byte[] withoutTables(byte[] segment) {
        var layout = ParityLayout.of(contentBytes(segment));
        byte[] damaged = segment.clone();
        damaged[(int) layout.firstTable()] ^= 1;
        damaged[(int) layout.secondTable()] ^= 1;
        return damaged;
    }

    /// Gives changed contents the parity that a writer would have given them.
    public static byte[] withNewParity(byte[] segment) {
        int contentBytes = contentBytes(segment);
        var file = new ByteArrayOutputStream();
        file.write(segment, 0, contentBytes);
        var parity = new ParityBuilder(contentBytes);
        parity.append(MemorySegment.ofArray(segment).asSlice(0, contentBytes));
        parity.finish((bytes, from, length) -> file.write(bytes, from, length));
        return file.toByteArray();
    }

    /// The size of a segment's contents, which end with a footer.
    public static int contentBytes(byte[] segment) {
        for (int at = 0; at <= segment.length - END.length; at++) {
            int end = at + END.length;
            if (Arrays.equals(segment, at, end, END, 0, END.length)
                    && ParityLayout.of(end + CRC_BYTES).fileBytes() == segment.length) {
                return end + CRC_BYTES;
            }
        }
        throw new IllegalArgumentException("not a segment");
    }
}
