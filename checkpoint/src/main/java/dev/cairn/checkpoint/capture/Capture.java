package dev.cairn.checkpoint.capture;

import dev.cairn.checkpoint.CaptureMode;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.capture.CopyThreads.Copy;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Captures the state between two steps, so that the training can continue while it is saved.
///
/// State that only an update changes (weights and optimizer state) may be copied during the next forward and backward
/// pass, or read in place. Everything else, such as a random generator or statistics that a forward pass changes, is
/// copied before [#begin] returns. Copies are in off-heap memory that is reused from save to save. One capture exists
/// at a time, so this is at most one extra copy of the state. A tensor with several names is copied once.
public final class Capture implements AutoCloseable {
    public static final long ALIGNMENT = 64;

    /// Never started. It stands for any thread other than the training's in the question which threads may access
    /// memory.
    private static final Thread ANOTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

    private final CaptureMode mode;
    private final CopyThreads threads;
    private final Buffers atOnce = new Buffers();
    private final Buffers later = new Buffers();

    /// @param threads the threads, closed with this capture
    Capture(CaptureMode mode, CopyThreads threads) {
        this.mode = mode;
        this.threads = threads;
    }

    /// A captured tensor.
    ///
    /// @param bytes a copy, or the live memory itself
    /// @param sameAs the key of an earlier tensor with the same memory; null for a tensor with its own memory
    public record Tensor(
            TensorSpec spec, MemorySegment bytes, @Nullable String sameAs) {}

    /// When the copies must be complete.
    public enum Timing {
        /// Before [#begin] returns.
        BLOCKING,
        /// Before the next update, which waits for them.
        OVERLAPPED
    }

    /// Starts a capture. The captured tensors are available when the result completes, and valid until the next
    /// call. A failure also completes the result.
    CompletableFuture<List<Tensor>> begin(List<LiveTensor> live, Timing timing) {
        try {
            int[] originals = Aliases.originals(live);
            MemorySegment[] captured = new MemorySegment[live.size()];
            // Only on this thread: it may be the only one that can read them.
            atOnce.prepare(live, select(live, originals, false), captured).forEach(Copy::make);
            int[] others = select(live, originals, true);
            if (mode == CaptureMode.FUSED) {
                for (int i : others) {
                    captured[i] = live.get(i).memory();
                }
                return CompletableFuture.completedFuture(tensors(live, originals, captured));
            }
            if (timing == Timing.OVERLAPPED) {
                return threads.start(() -> {
                    threads.copy(later.prepare(live, others, captured));
                    return tensors(live, originals, captured);
                });
            }
            threads.copy(later.prepare(live, others, captured));
            return CompletableFuture.completedFuture(tensors(live, originals, captured));
        } catch (Throwable e) { // Such as out of memory: the save fails, the training does not.
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void close() {
        threads.close();
        atOnce.close();
        later.close();
    }

    /// The originals that other threads may, or may not, read during the next forward and backward pass.
    private static int[] select(List<LiveTensor> live, int[] originals, boolean beside) {
        var selected = new ArrayList<Integer>();
        for (int i = 0; i < originals.length; i++) {
            if (originals[i] == i && changesWithUpdateOnly(live.get(i)) == beside) {
                selected.add(i);
            }
        }
        return selected.stream().mapToInt(Integer::intValue).toArray();
    }

    private static boolean changesWithUpdateOnly(LiveTensor tensor) {
        return switch (tensor.spec().role()) {
            case WEIGHT, FIRST_MOMENT, SECOND_MOMENT, OPTIMIZER ->
                tensor.memory().isAccessibleBy(ANOTHER_THREAD);
            case BUFFER, RNG, CURSOR -> false;
        };
    }

    private static List<Tensor> tensors(List<LiveTensor> live, int[] originals, MemorySegment[] captured) {
        var tensors = new ArrayList<Tensor>();
        for (int i = 0; i < originals.length; i++) {
            int original = originals[i];
            String sameAs = original == i ? null : live.get(original).spec().key();
            tensors.add(new Tensor(live.get(i).spec(), captured[original], sameAs));
        }
        return tensors;
    }

    /// Memory for copies, reused as long as the sizes stay the same.
    private static final class Buffers implements AutoCloseable {
        private @Nullable Arena arena;
        private long[] sizes = {};
        private List<MemorySegment> memory = List.of();

        /// Returns the copies to make of the chosen tensors, and enters their memory into `captured`.
        List<Copy> prepare(List<LiveTensor> live, int[] chosen, MemorySegment[] captured) {
            long[] wanted = Arrays.stream(chosen)
                    .mapToLong(i -> live.get(i).memory().byteSize())
                    .toArray();
            if (!Arrays.equals(wanted, sizes)) {
                allocate(wanted);
            }
            var copies = new ArrayList<Copy>();
            for (int i = 0; i < chosen.length; i++) {
                captured[chosen[i]] = memory.get(i);
                copies.add(new Copy(live.get(chosen[i]).memory(), memory.get(i)));
            }
            return copies;
        }

        private void allocate(long[] wanted) {
            close();
            Arena fresh = Arena.ofShared();
            arena = fresh;
            memory = Arrays.stream(wanted)
                    .mapToObj(size -> fresh.allocate(size, ALIGNMENT))
                    .toList();
            sizes = wanted;
        }

        @Override
        public void close() {
            sizes = new long[0];
            memory = List.of();
            if (arena != null) {
                arena.close();
                arena = null;
            }
        }
    }
}
