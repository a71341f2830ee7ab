package dev.cairn.formats.file;

import dev.cairn.disk.NewFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Keeps track of the tensor whose bytes come next. Subclasses write what a format puts around those bytes.
public abstract class SequentialWriter implements TensorFileWriter {
    private final List<NamedTensor> order;
    private final NewFile output;
    private int next;
    private long left;
    private boolean open;

    /// A writer of these tensors, one after the other.
    public SequentialWriter(List<NamedTensor> order, NewFile output) {
        this.order = List.copyOf(order);
        this.output = output;
    }

    /// Called before the first byte of tensor number `index`.
    protected abstract void begin(int index, NamedTensor tensor) throws IOException;

    /// Appends the next bytes of the tensor.
    protected abstract void append(MemorySegment piece) throws IOException;

    /// Called after the last byte of the tensor.
    protected abstract void end() throws IOException;

    /// Called after the last tensor.
    protected abstract void complete() throws IOException;

    /// Called when the whole file is on the disk.
    protected void seal() throws IOException {}

    @Override
    public final List<NamedTensor> order() {
        return order;
    }

    @Override
    public final void write(MemorySegment piece) throws IOException {
        if (piece.byteSize() == 0) {
            return;
        }
        passEmpty();
        if (!open) {
            if (next == order.size()) {
                throw new IllegalStateException("all tensors are written");
            }
            start();
        }
        if (piece.byteSize() > left) {
            throw new IllegalArgumentException("%d bytes beyond the end of tensor %s"
                    .formatted(piece.byteSize() - left, order.get(next - 1).name()));
        }
        append(piece);
        left -= piece.byteSize();
        if (left == 0) {
            open = false;
            end();
        }
    }

    @Override
    public final void finish() throws IOException {
        passEmpty();
        if (open || next != order.size()) {
            throw new IllegalStateException("tensors are missing: written=%d of=%d".formatted(next, order.size()));
        }
        complete();
        output.finish();
        seal();
    }

    /// Begins and ends tensors without elements.
    private void passEmpty() throws IOException {
        while (!open && next < order.size() && order.get(next).sizeBytes() == 0) {
            start();
            open = false;
            end();
        }
    }

    private void start() throws IOException {
        NamedTensor tensor = order.get(next);
        begin(next, tensor);
        next++;
        left = tensor.sizeBytes();
        open = true;
    }

    @Override
    public void close() throws IOException {
        output.close();
    }
}
