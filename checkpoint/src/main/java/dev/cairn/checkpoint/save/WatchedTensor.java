package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.capture.PendingCapture;
import dev.cairn.codec.Frame;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.segment.TensorSource;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// A tensor that is being saved. Once the save is abandoned, no further block is encoded. It notifies the capture of
/// each encoded block, and measures the time that encoding takes.
record WatchedTensor(TensorSource tensor, SaveTicket ticket, PendingCapture capture, BusyTime busy)
        implements TensorSource {
    static List<TensorSource> all(
            List<TensorSource> tensors, SaveTicket ticket, PendingCapture capture, BusyTime busy) {
        capture.expect(tensors.stream()
                .filter(tensor -> tensor.sameAs() == null)
                .mapToLong(TensorSource::blocks)
                .sum());
        return tensors.stream()
                .<TensorSource>map(tensor -> new WatchedTensor(tensor, ticket, capture, busy))
                .toList();
    }

    @Override
    public TensorSpec spec() {
        return tensor.spec();
    }

    @Override
    public String codec() {
        return tensor.codec();
    }

    @Override
    public @Nullable String sameAs() {
        return tensor.sameAs();
    }

    @Override
    public OptionalDouble relativeError() {
        return tensor.relativeError();
    }

    @Override
    public void encode(long block, int lane, Frame frame) throws IOException {
        ticket.check();
        long start = busy.start();
        tensor.encode(block, lane, frame);
        busy.end(start);
        capture.encodedBlock();
    }
}
