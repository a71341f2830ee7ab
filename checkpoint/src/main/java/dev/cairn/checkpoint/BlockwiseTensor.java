package dev.cairn.checkpoint;

import dev.cairn.codec.Distortion;
import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.CheckpointWriter.BlockSink;
import dev.cairn.store.CheckpointWriter.TensorSource;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A captured tensor on its way to the store: block by block through an encoder, which moves the reference along.
final class BlockwiseTensor implements TensorSource {
    private final TensorSpec spec;
    private final String codec;
    private final MemorySegment live;
    private final MemorySegment reference;
    private final BlockEncoder encoder;
    private final Frame frame;
    private Distortion distortion = new Distortion();

    BlockwiseTensor(
            TensorSpec spec,
            String codec,
            MemorySegment live,
            MemorySegment reference,
            BlockEncoder encoder,
            Frame frame) {
        this.spec = spec;
        this.codec = codec;
        this.live = live;
        this.reference = reference;
        this.encoder = encoder;
        this.frame = frame;
    }

    @Override
    public TensorSpec spec() {
        return spec;
    }

    @Override
    public String codec() {
        return codec;
    }

    /// What was lost; empty before [#encode].
    Distortion distortion() {
        return distortion;
    }

    @Override
    public void encode(BlockSink sink) throws IOException {
        int blockBytes = BlockEncoder.blockBytes(spec.type());
        for (long offset = 0; offset < live.byteSize(); offset += blockBytes) {
            long length = Math.min(blockBytes, live.byteSize() - offset);
            encoder.startAt(offset / spec.type().sizeBytes());
            encoder.encode(live.asSlice(offset, length), reference.asSlice(offset, length), frame);
            sink.append(frame.contents());
        }
        distortion = encoder.takeDistortion();
    }
}
