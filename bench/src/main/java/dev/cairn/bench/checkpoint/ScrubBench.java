package dev.cairn.bench.checkpoint;

import dev.cairn.bench.Row;
import dev.cairn.checkpoint.Scrubbing;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.scrub.SegmentRewrite;
import dev.cairn.store.segment.SegmentRef;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.List;

/// The processor time of scrubbing, as a share of one core at the usual rate. Unlike the time of a training beside it,
/// this does not depend on the load of the machine.
final class ScrubBench {
    private static final int ROUNDS = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    private ScrubBench() {}

    /// @param run a run with large segments
    static Row row(Path run) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(run));
        List<SegmentRef> segments = store.history().currentCheckpoints().stream()
                .map(Commit::segments)
                .flatMap(List::stream)
                .toList();
        check(store, segments); // compiles the code
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < ROUNDS; i++) {
            check(store, segments);
        }
        double nanos = threads.getCurrentThreadCpuTime() - start;
        long bytes = ROUNDS * segments.stream().mapToLong(SegmentRef::sizeBytes).sum();
        double share = nanos / bytes * Scrubbing.USUAL_BYTES_PER_SECOND / NANOS_PER_SECOND;
        return Row.atMost("scrub.share", share, "x", 0.02, 0.01);
    }

    private static void check(CheckpointStore store, List<SegmentRef> segments) throws IOException {
        for (SegmentRef segment : segments) {
            if (SegmentRewrite.find(store.segments(), segment, _ -> {}).isPresent()) {
                throw new IOException(
                        "%s is damaged, so this measures nothing; check the disk".formatted(segment.name()));
            }
        }
    }
}
