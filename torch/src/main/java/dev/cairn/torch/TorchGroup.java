package dev.cairn.torch;

import dev.cairn.checkpoint.group.Group;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch.ScalarType;

/// A group of processes that a loop of the user's own has formed with Gloo, for
/// [GroupCheckpoints][dev.cairn.checkpoint.group.GroupCheckpoints]. The loop closes it.
///
/// @param gloo forms, and ends, where the loop says
public record TorchGroup(ProcessGroupGloo gloo, int rank, int size) implements Group {
    /// No larger tensor is sent at once.
    private static final long PIECE = 256 << 20;

    @Override
    public void sum(double[] numbers) {
        try (Arena arena = Arena.ofConfined();
                PointerScope _ = new PointerScope()) {
            MemorySegment doubles = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, numbers);
            gloo.allreduce(new TensorVector(TorchMemory.view(doubles, ScalarType.Double, numbers.length)))
                    ._wait();
            MemorySegment.copy(doubles, ValueLayout.JAVA_DOUBLE, 0, numbers, 0, numbers.length);
        }
    }

    @Override
    public void broadcast(MemorySegment bytes) {
        for (long offset = 0; offset < bytes.byteSize(); offset += PIECE) {
            MemorySegment piece = bytes.asSlice(offset, Math.min(PIECE, bytes.byteSize() - offset));
            try (Arena arena = Arena.ofConfined();
                    PointerScope _ = new PointerScope()) {
                MemorySegment all = piece.isNative()
                        ? piece
                        : arena.allocate(piece.byteSize()).copyFrom(piece);
                gloo.broadcast(new TensorVector(TorchMemory.view(all, ScalarType.Byte, all.byteSize())))
                        ._wait();
                if (!piece.isNative()) {
                    piece.copyFrom(all);
                }
            }
        }
    }
}
