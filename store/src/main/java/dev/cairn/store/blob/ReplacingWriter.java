package dev.cairn.store.blob;

import dev.cairn.store.blob.BlobStore.BlobWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/// Writes a file under a temporary name in the same folder, makes it durable, and renames it. So the old file is there
/// until the new one is complete on the disk. Readers that have the old file open keep reading it.
final class ReplacingWriter implements BlobWriter {
    private static final Pattern TEMPORARY =
            Pattern.compile(Pattern.quote(RunFiles.TEMPORARY_PREFIX) + "[0-9a-f]{1,16}");

    private final Path target;
    private final Path temporary;
    private final LocalWriter file;
    private boolean renamed;

    ReplacingWriter(Path target) throws IOException {
        this.target = target;
        this.temporary = temporaryIn(LocalFolders.of(target));
        this.file = new LocalWriter(temporary);
    }

    /// A new temporary name in this folder.
    static Path temporaryIn(Path folder) {
        return folder.resolve(RunFiles.TEMPORARY_PREFIX
                + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }

    /// Whether this is such a name. Other programs of a job make temporary files with other names.
    static boolean isTemporary(String name) {
        return TEMPORARY.matcher(name).matches();
    }

    @Override
    public void append(MemorySegment bytes) throws IOException {
        file.append(bytes);
    }

    @Override
    public void flush() throws IOException {
        file.flush();
    }

    @Override
    public void finish() throws IOException {
        file.sync();
        file.close();
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        renamed = true;
        LocalFolders.sync(LocalFolders.of(target));
    }

    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            if (!renamed) {
                Files.deleteIfExists(temporary);
            }
        }
    }
}
