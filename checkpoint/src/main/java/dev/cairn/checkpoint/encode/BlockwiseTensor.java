package dev.cairn.checkpoint.encode;

import dev.cairn.codec.Distortion;
import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.segment.TensorSource;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A captured tensor that is encoded block by block, with one encoder per thread. The encoders update the reference.
final class BlockwiseTensor implements TensorSource {
    private final TensorSpec spec;
    private final String codec;
    private final MemorySegment live;
    private final MemorySegment reference;
    private final List<BlockEncoder> encoders;
    private final ErrorSample error;
    /// Per block, so that the sum does not depend on the order of the threads.
    private final @Nullable Distortion[] distortions;

    /// @param encoders one encoder for each lane
    /// @param error measures the error
    BlockwiseTensor(
            TensorSpec spec,
            String codec,
            MemorySegment live,
            MemorySegment reference,
            List<BlockEncoder> encoders,
            ErrorSample error) {
        this.spec = spec;
        this.codec = codec;
        this.live = live;
        this.reference = reference;
        this.encoders = encoders;
        this.error = error;
        this.distortions = new Distortion[Math.toIntExact(blocks())];
    }

    @Override
    public TensorSpec spec() {
        return spec;
    }

    @Override
    public String codec() {
        return codec;
    }

    @Override
    public OptionalDouble relativeError() {
        return error.relative();
    }

    /// The distortion of the blocks encoded so far.
    Distortion distortion() {
        var sum = new Distortion();
        IntStream.range(0, distortions.length)
                .mapToObj(block -> distortions[block])
                .filter(Objects::nonNull)
                .forEach(sum::add);
        return sum;
    }

    @Override
    public void encode(long block, int lane, Frame frame) {
        BlockEncoder encoder = encoders.get(lane);
        long offset = block * BlockEncoder.blockBytes(spec.type());
        long length = Math.min(BlockEncoder.blockBytes(spec.type()), live.byteSize() - offset);
        encoder.startAt(offset / spec.type().sizeBytes());
        MemorySegment u = live.asSlice(offset, length);
        MemorySegment r = reference.asSlice(offset, length);
        encoder.encode(u, r, frame);
        error.measure(block, u, r);
        distortions[(int) block] = encoder.takeDistortion();
    }
}
