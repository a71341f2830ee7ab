package dev.cairn.checkpoint;

import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.CheckpointWriter.BlockSink;
import dev.cairn.store.CheckpointWriter.TensorSource;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A captured tensor on its way to the store: block by block through an encoder, which moves the reference along.
record BlockwiseTensor(TensorSpec spec, String codec, MemorySegment live, MemorySegment reference, BlockEncoder encoder)
        implements TensorSource {
    @Override
    public void encode(BlockSink sink) throws IOException {
        var frame = new Frame();
        int blockBytes = BlockEncoder.blockBytes(spec.type());
        for (long offset = 0; offset < live.byteSize(); offset += blockBytes) {
            long length = Math.min(blockBytes, live.byteSize() - offset);
            encoder.encode(live.asSlice(offset, length), reference.asSlice(offset, length), frame);
            sink.append(frame.contents());
        }
    }
}
