package dev.cairn.store;

import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.TensorRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.AbstractList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The tensors of a record, read when they are first asked for: most of what it holds, and of ten thousand records too
/// much to be kept. Safe for several threads, which may read them twice.
final class DeferredTensors extends AbstractList<TensorRef> {
    private final Source source;
    private final OptionalLong fullBytes;
    private volatile @Nullable List<TensorRef> tensors;

    interface Source {
        /// The whole record.
        LogRecord read() throws IOException;
    }

    /// @param fullBytes what the record says that they take in memory, where it does
    DeferredTensors(Source source, OptionalLong fullBytes) {
        this.source = source;
        this.fullBytes = fullBytes;
    }

    OptionalLong fullBytes() {
        return fullBytes;
    }

    private List<TensorRef> tensors() {
        List<TensorRef> known = tensors;
        if (known == null) {
            try {
                if (!(source.read() instanceof Checkpoint checkpoint)) {
                    throw new IOException("the record is no longer that of a checkpoint");
                }
                known = checkpoint.tensors();
            } catch (IOException removedOrMalformed) {
                throw new UncheckedIOException(removedOrMalformed);
            }
            tensors = known;
        }
        return known;
    }

    @Override
    public TensorRef get(int index) {
        return tensors().get(index);
    }

    @Override
    public int size() {
        return tensors().size();
    }
}
