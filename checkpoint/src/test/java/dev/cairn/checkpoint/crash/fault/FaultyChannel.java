package dev.cairn.checkpoint.crash.fault;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// An open file. It does not really force data: tests with faults are about errors, not about power cuts, and there
/// are thousands of them.
final class FaultyChannel extends FileChannel {
    private final Path path;
    private final FileChannel inner;
    private final FaultPlan plan;
    private final String writing;

    /// @param writing the name of a write
    FaultyChannel(Path path, FileChannel inner, FaultPlan plan, String writing) {
        this.writing = writing;
        this.path = path;
        this.inner = inner;
        this.plan = plan;
    }

    private interface Move {
        int with(ByteBuffer buffer) throws IOException;
    }

    /// Transfers all of the buffer, or half of it.
    private int transfer(String what, ByteBuffer buffer, Move move) throws IOException {
        return plan.transfer(what, path, half -> {
            int limit = buffer.limit();
            if (half && buffer.remaining() > 1) {
                buffer.limit(buffer.position() + buffer.remaining() / 2);
            }
            try {
                return move.with(buffer);
            } finally {
                buffer.limit(limit);
            }
        });
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return transfer("read", target, inner::read);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return transfer("read", target, buffer -> inner.read(buffer, position));
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return transfer(writing, source, inner::write);
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        return transfer(writing, source, buffer -> inner.write(buffer, position));
    }

    @Override
    public void force(boolean metaData) throws IOException {
        plan.run("fsync", path, () -> true);
    }

    @Override
    public long size() throws IOException {
        return plan.run("size", path, inner::size);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        plan.run("truncate", path, () -> inner.truncate(size));
        return this;
    }

    @Override
    public long position() throws IOException {
        return inner.position();
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        inner.position(newPosition);
        return this;
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return plan.run("lock", path, () -> inner.lock(position, size, shared));
    }

    @Override
    public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return plan.run("lock", path, () -> inner.tryLock(position, size, shared));
    }

    @Override
    protected void implCloseChannel() throws IOException {
        inner.close();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }
}
