package dev.cairn.store.reading;

import dev.cairn.store.segment.SegmentReader;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.segment.SegmentSource;
import dev.cairn.store.threads.Lanes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Opens the segments of a chain on several threads: reading and checking an index and its code tables takes a while,
/// and
/// a chain has many. All are open, or none is.
final class SegmentReaders {
    /// For less, a thread costs more than it saves.
    private static final long LEAST_BYTES = 8 << 20;

    private final SegmentSource source;
    private final List<SegmentRef> segments;
    private final List<@Nullable SegmentReader> opened;
    private final AtomicInteger next = new AtomicInteger();
    private final Lanes lanes = new Lanes("cairn-opener", "opening a checkpoint");

    private SegmentReaders(SegmentSource source, List<SegmentRef> segments) {
        this.source = source;
        this.segments = segments;
        this.opened = new ArrayList<>(Collections.nCopies(segments.size(), null));
    }

    /// @param chain the segments of each checkpoint
    /// @param threads the maximum number of threads, including the caller's
    static List<List<SegmentReader>> open(SegmentSource source, List<List<SegmentRef>> chain, int threads)
            throws IOException {
        var readers =
                new SegmentReaders(source, chain.stream().flatMap(List::stream).toList());
        List<SegmentReader> all = readers.open(threads);
        var byCheckpoint = new ArrayList<List<SegmentReader>>();
        int from = 0;
        for (List<SegmentRef> segments : chain) {
            byCheckpoint.add(all.subList(from, from + segments.size()));
            from += segments.size();
        }
        return byCheckpoint;
    }

    private List<SegmentReader> open(int threads) throws IOException {
        long bytes = segments.stream().mapToLong(SegmentRef::sizeBytes).sum();
        try {
            lanes.run((int) Math.min(Math.min(threads, segments.size()), bytes / LEAST_BYTES), _ -> openNext());
        } catch (IOException | RuntimeException | Error e) {
            closeAll();
            throw e;
        }
        return opened.stream().map(SegmentReader.class::cast).toList();
    }

    private void openNext() throws IOException {
        for (int i = next.getAndIncrement(); i < segments.size() && !lanes.hasFailed(); i = next.getAndIncrement()) {
            opened.set(i, source.open(segments.get(i)));
        }
    }

    private void closeAll() throws IOException {
        for (@Nullable SegmentReader reader : opened) {
            if (reader != null) {
                reader.close();
            }
        }
    }
}
