package dev.cairn.formats.zip;

import dev.cairn.formats.file.Input;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// A compressed entry. Reading in order inflates it once; going back starts again from the beginning.
final class DeflatedContent extends ZipContent {
    private static final int CHUNK_BYTES = 64 << 10;
    private static final long AT_ONCE = 1 << 20;

    private final Input input;
    private final ZipEntry entry;
    private @Nullable Inflation inflation;

    DeflatedContent(Input input, ZipEntry entry) {
        super(input, entry);
        this.input = input;
        this.entry = entry;
    }

    /// The state of inflating.
    private static final class Inflation {
        final Inflater inflater = new Inflater(true);
        final byte[] chunk = new byte[CHUNK_BYTES];
        long taken;
        long given;
    }

    @Override
    void fill(long offset, MemorySegment target) throws IOException {
        Inflation now = inflation;
        if (now == null || now.given > offset) {
            release();
            now = new Inflation();
            inflation = now;
        }
        if (now.given < offset) {
            MemorySegment skipped = MemorySegment.ofArray(new byte[(int) Math.min(AT_ONCE, offset - now.given)]);
            while (now.given < offset) {
                inflate(now, skipped.asSlice(0, Math.min(skipped.byteSize(), offset - now.given)));
            }
        }
        for (long done = 0; done < target.byteSize(); done += AT_ONCE) {
            inflate(now, target.asSlice(done, Math.min(AT_ONCE, target.byteSize() - done)));
        }
        if (now.given == entry.sizeBytes()) {
            release();
        }
    }

    private void inflate(Inflation now, MemorySegment target) throws IOException {
        ByteBuffer buffer = target.asByteBuffer();
        long from = now.given;
        try {
            while (buffer.hasRemaining()) {
                if (now.inflater.inflate(buffer) > 0) {
                    continue;
                }
                if (now.inflater.finished() || now.inflater.needsDictionary() || now.taken == entry.compressedBytes()) {
                    throw damaged("ends after %d bytes of %d".formatted(from + buffer.position(), entry.sizeBytes()));
                }
                int count = (int) Math.min(CHUNK_BYTES, entry.compressedBytes() - now.taken);
                input.read(
                        entry.dataOffset() + now.taken,
                        MemorySegment.ofArray(now.chunk).asSlice(0, count));
                now.taken += count;
                now.inflater.setInput(now.chunk, 0, count);
            }
        } catch (DataFormatException e) {
            throw damaged("cannot be decompressed");
        }
        now.given += target.byteSize();
        sum(from, target);
    }

    @Override
    public void release() {
        Inflation now = inflation;
        if (now != null) {
            now.inflater.end();
            inflation = null;
        }
    }
}
