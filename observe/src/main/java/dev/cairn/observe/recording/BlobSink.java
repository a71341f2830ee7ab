package dev.cairn.observe.recording;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RecordingName;
import dev.cairn.store.blob.RecordingName.Series;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Stores lines as blobs in object storage, which cannot append to a blob. New lines become a new part. Sixteen
/// parts are replaced by one that contains all of them. The name of a blob says which parts it contains, so a
/// reader that finds both uses the larger one.
final class BlobSink implements Sink {
    static final int MOST_PARTS = 16;

    private final BlobStore store;
    private final Series series;
    private final String process;
    private final List<RecordingName> parts = new ArrayList<>();
    private @Nullable RecordingName name;
    private long last;

    BlobSink(BlobStore store, Series series, String process) {
        this.store = store;
        this.series = series;
        this.process = process;
    }

    @Override
    public long open(long least, LongFunction<byte[]> content) throws IOException {
        for (long attempt = Math.max(least, Attempts.next(store, series)); ; attempt++) {
            RecordingName first = RecordingName.file(series, attempt, process).withParts(1, 1);
            try {
                store.createIfAbsent(first.file(), content.apply(attempt));
                name = first;
                last = 1;
                parts.add(first);
                return attempt;
            } catch (FileAlreadyExistsException taken) {
                // Tries the next number. The number may be taken by this process, if the reply to its request was
                // lost. The new attempt then supersedes it.
            }
        }
    }

    @Override
    public void append(byte[] lines) throws IOException {
        last++;
        create(Objects.requireNonNull(name).withParts(last, last), lines);
    }

    @Override
    public void replace(byte[] all) throws IOException {
        last++; // also replaces a part whose reply was lost
        RecordingName whole = Objects.requireNonNull(name).withParts(1, last);
        create(whole, all);
        for (RecordingName part : List.copyOf(parts)) {
            if (!part.equals(whole)) {
                store.delete(part.file());
                parts.remove(part);
            }
        }
    }

    @Override
    public boolean wantsAll() {
        return parts.size() >= MOST_PARTS;
    }

    @Override
    public boolean isDear() {
        return true;
    }

    private void create(RecordingName part, byte[] lines) throws IOException {
        parts.add(part); // even if its reply is lost
        try {
            store.createIfAbsent(part.file(), lines);
        } catch (FileAlreadyExistsException ours) {
            // Only this process uses the name, so an earlier try succeeded.
        }
    }
}
