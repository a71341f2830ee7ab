package dev.cairn.checkpoint;

import dev.cairn.store.CheckpointWriter.BlockSink;
import dev.cairn.store.CheckpointWriter.TensorSource;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The right of one save to go on. Once it is withdrawn, or the save cancelled, no further block is written and nothing
/// is committed.
final class SaveTicket {
    private final Cancellation cancellation;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean withdrawn;

    SaveTicket(Cancellation cancellation) {
        this.cancellation = cancellation;
    }

    void withdraw() {
        withdrawn = true;
    }

    /// True for the first who says that the save is given up.
    boolean endsNow() {
        return ended.compareAndSet(false, true);
    }

    void check() throws AbortedException {
        if (withdrawn || cancellation.isCancelled()) {
            throw new AbortedException();
        }
    }

    /// These tensors, checking before each block.
    List<TensorSource> checked(List<? extends TensorSource> tensors) {
        return tensors.stream().<TensorSource>map(Checked::new).toList();
    }

    /// The save was given up.
    static final class AbortedException extends IOException {
        private static final long serialVersionUID = 1;

        AbortedException() {
            super("the save was given up");
        }
    }

    private final class Checked implements TensorSource {
        private final TensorSource tensor;

        Checked(TensorSource tensor) {
            this.tensor = tensor;
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
        public void encode(BlockSink sink) throws IOException {
            check();
            tensor.encode(frame -> {
                check();
                sink.append(frame);
            });
        }
    }
}
