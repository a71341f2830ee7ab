package dev.cairn.transfer;

import dev.cairn.formats.file.TensorFileWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/// Writes pieces in order on its own thread, while the caller produces the next ones, so that disk and decoder
/// work at the same time. A few buffers limit the distance. One thread may produce pieces; it receives the first
/// write error.
final class PieceWriter implements AutoCloseable {
    /// The size of a piece: small enough to be still in the processor's caches when it is written.
    static final long PIECE_BYTES = 2 << 20;

    private static final int BUFFERS = 16;
    private static final Piece END = new Piece(MemorySegment.NULL, 0);

    private final TensorFileWriter writer;
    private final BlockingQueue<MemorySegment> free = new ArrayBlockingQueue<>(BUFFERS);
    private final BlockingQueue<Piece> ready = new ArrayBlockingQueue<>(BUFFERS + 1);
    private final Arena arena = Arena.ofShared();
    private final Thread thread;
    private volatile @Nullable Throwable failure;

    private record Piece(MemorySegment buffer, long length) {}

    PieceWriter(TensorFileWriter writer) {
        this.writer = writer;
        for (int i = 0; i < BUFFERS; i++) {
            free.add(arena.allocate(PIECE_BYTES, 64));
        }
        this.thread = Thread.ofPlatform().name("cairn-file-writer").daemon(true).start(this::writeAll);
    }

    /// Returns a buffer of [#PIECE_BYTES] for the next piece.
    MemorySegment next() throws IOException {
        try {
            MemorySegment buffer = free.take();
            throwFailure();
            return buffer;
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /// Queues this many bytes of the buffer for writing, after the earlier pieces.
    void write(MemorySegment buffer, long length) throws IOException {
        try {
            ready.put(new Piece(buffer, length));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /// Waits until everything is written.
    void finish() throws IOException {
        try {
            ready.put(END);
            thread.join();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        throwFailure();
    }

    private void writeAll() {
        try {
            for (Piece piece = ready.take(); !piece.equals(END); piece = ready.take()) {
                if (failure == null) {
                    write(writer, piece.buffer().asSlice(0, piece.length()));
                }
                free.put(piece.buffer());
            }
        } catch (InterruptedException closed) {
            // The remaining pieces are not needed.
        }
    }

    private void write(TensorFileWriter to, MemorySegment piece) {
        try {
            to.write(piece);
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        }
    }

    private void throwFailure() throws IOException {
        switch (failure) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return (IOException) new InterruptedIOException("interrupted while writing a file").initCause(e);
    }

    /// Ends the thread before its memory is released.
    @Override
    public void close() {
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        arena.close();
    }
}
