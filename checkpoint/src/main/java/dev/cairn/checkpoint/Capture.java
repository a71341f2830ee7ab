package dev.cairn.checkpoint;

import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A copy of the live tensors in off-heap memory of its own, reused from save to save: while a save is being written
/// the training may change the originals. One capture exists at a time, so this is one extra copy of the state.
final class Capture implements AutoCloseable {
    static final long ALIGNMENT = 64;

    /// A captured tensor.
    record Tensor(TensorSpec spec, MemorySegment bytes) {}

    private @Nullable Arena arena;
    private List<Tensor> copies = List.of();

    /// Copies all tensors. The result is valid until the next call.
    List<Tensor> take(List<LiveTensor> live) {
        if (!fits(live)) {
            allocate(live);
        }
        for (int i = 0; i < live.size(); i++) {
            copies.get(i).bytes().copyFrom(live.get(i).memory());
        }
        return copies;
    }

    @Override
    public void close() {
        if (arena != null) {
            arena.close();
            arena = null;
        }
        copies = List.of();
    }

    private boolean fits(List<LiveTensor> live) {
        if (live.size() != copies.size()) {
            return false;
        }
        for (int i = 0; i < live.size(); i++) {
            if (!live.get(i).spec().equals(copies.get(i).spec())) {
                return false;
            }
        }
        return true;
    }

    private void allocate(List<LiveTensor> live) {
        close();
        Arena fresh = Arena.ofShared();
        arena = fresh;
        var buffers = new ArrayList<Tensor>();
        for (LiveTensor tensor : live) {
            MemorySegment buffer = fresh.allocate(tensor.memory().byteSize(), ALIGNMENT);
            buffers.add(new Tensor(tensor.spec(), buffer));
        }
        copies = buffers;
    }
}
