package dev.cairn.codec.block;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.pattern.Patterns;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// What the blocks of a segment share, and refer to by index.
///
/// ```
/// tables := set patterns*
/// ```
///
/// @param codes the code tables, complete when all blocks are encoded
/// @param patterns the patterns of matrices
public record SegmentTables(TableSet codes, List<Patterns> patterns) {
    public SegmentTables {
        patterns = List.copyOf(patterns);
    }

    /// Code tables without patterns.
    public static SegmentTables of(TableSet codes) {
        return new SegmentTables(codes, List.of());
    }

    /// The maximum size as bytes.
    public long mostBytes() {
        return TableSet.MOST_BYTES
                + patterns.stream().mapToLong(Patterns::sizeBytes).sum();
    }

    /// The serialised form.
    public byte[] toBytes() {
        var frame = new Frame();
        frame.putAll(MemorySegment.ofArray(codes.toBytes()));
        patterns.forEach(each -> each.write(frame));
        return frame.contents().toArray(ValueLayout.JAVA_BYTE);
    }

    /// Reads what [#toBytes] wrote. Rejects anything else.
    public static SegmentTables parse(byte[] bytes) throws CorruptBlockException {
        var in = new FrameReader(bytes, 0, bytes.length);
        TableSet codes = TableSet.read(in);
        var patterns = new ArrayList<Patterns>();
        while (in.remaining() > 0) {
            patterns.add(Patterns.read(in));
        }
        return new SegmentTables(codes, patterns);
    }
}
