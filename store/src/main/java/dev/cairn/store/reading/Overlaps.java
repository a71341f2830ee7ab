package dev.cairn.store.reading;

import dev.cairn.store.TensorSpec;
import dev.cairn.store.reading.CheckpointReader.Piece;
import dev.cairn.store.reading.Cover.Source;
import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Compares the stored parts of one tensor where they overlap. Reads only the blocks that have elements of an overlap.
/// Memory: one window, however large the tensor claims to be.
///
/// @param parts all stored tensors of that name
/// @param whole the whole tensor
record Overlaps(List<TensorSpec> parts, TensorSpec whole) {
    private static final long WINDOW_BYTES = 8 << 20;

    /// Creates the ranges of a part that go into a piece.
    interface Ranges {
        PartRange range(Source source, Piece piece, PartRange.Use use) throws IOException;
    }

    /// The first part found that has other values than an earlier part; empty if all agree.
    Optional<TensorSpec> disagreement(Ranges ranges, int threads, Workspace workspace) throws IOException {
        Cover cover = Cover.of(parts, whole);
        var found = new AtomicReference<TensorSpec>();
        var note = new PartRange.Use.Note(part -> found.compareAndSet(null, part));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment window = cover.repeats().isEmpty() ? MemorySegment.NULL : arena.allocate(WINDOW_BYTES, 64);
            for (Source repeat : cover.repeats()) {
                TensorSpec overlap = TensorParts.part(whole, repeat.box());
                List<Source> earlier = within(repeat.box(), cover.fills());
                for (long at = 0; at < overlap.sizeBytes() && found.get() == null; at += WINDOW_BYTES) {
                    MemorySegment target = window.asSlice(0, Math.min(WINDOW_BYTES, overlap.sizeBytes() - at));
                    var piece = new Piece(overlap, at, target);
                    var fills = new ArrayList<PartRange>();
                    for (Source source : earlier) {
                        fills.add(ranges.range(source, piece, new PartRange.Use.Fill()));
                    }
                    new ParallelRead(fills).run(threads, workspace);
                    new ParallelRead(List.of(ranges.range(repeat, piece, note))).run(threads, workspace);
                }
            }
        }
        return Optional.ofNullable(found.get());
    }

    private static List<Source> within(Box box, List<Source> fills) {
        var within = new ArrayList<Source>();
        for (Source fill : fills) {
            fill.box().intersection(box).ifPresent(shared -> within.add(new Source(fill.part(), shared)));
        }
        return within;
    }
}
