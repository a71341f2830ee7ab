package dev.cairn.sidecar;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The memory that this process shares with the training. It is a file without a name: it is gone when both have
/// ended, however they ended.
final class SharedMemory implements AutoCloseable {
    /// The alignment of tensors, a line of the cache.
    static final long ALIGNMENT = 64;

    private final FileChannel file;
    private @Nullable Arena arena;
    private MemorySegment mapped = MemorySegment.NULL;

    /// @param descriptor the number of the open file, inherited from the training
    SharedMemory(int descriptor) throws IOException {
        this.file = FileChannel.open(
                Path.of("/proc/self/fd", Integer.toString(descriptor)),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    /// The first bytes of the memory, which grows if it is smaller. Memory that an earlier call returned is not valid
    /// any more if this one is larger.
    MemorySegment first(long bytes) throws IOException {
        if (bytes > mapped.byteSize()) {
            unmap();
            Arena fresh = Arena.ofShared();
            arena = fresh;
            mapped = file.map(MapMode.READ_WRITE, 0, bytes, fresh);
        }
        return mapped;
    }

    /// Tensors one after the other, from the beginning of the memory.
    List<LiveTensor> tensors(List<TensorSpec> specs) throws IOException {
        long size = 0;
        for (TensorSpec spec : specs) {
            size = aligned(Math.addExact(size, spec.sizeBytes()));
        }
        MemorySegment memory = first(size);
        var tensors = new ArrayList<LiveTensor>();
        long offset = 0;
        for (TensorSpec spec : specs) {
            tensors.add(new LiveTensor(spec, memory.asSlice(offset, spec.sizeBytes())));
            offset = aligned(offset + spec.sizeBytes());
        }
        return tensors;
    }

    private static long aligned(long offset) {
        return Math.addExact(offset, ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    private void unmap() {
        if (arena != null) {
            mapped = MemorySegment.NULL;
            arena.close();
            arena = null;
        }
    }

    @Override
    public void close() throws IOException {
        unmap();
        file.close();
    }
}
