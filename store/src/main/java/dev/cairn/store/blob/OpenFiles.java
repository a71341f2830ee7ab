package dev.cairn.store.blob;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// The files that are open for reading: only a few at a time for any number of readers, so that a chain of hundreds
/// of checkpoints needs few file descriptors. If there are more, the least recently read file is closed, and reopened
/// for its next read. Thread-safe.
final class OpenFiles {
    static final int MOST = 32;

    private final Opening opening;
    /// Least recently used first.
    private final Map<Object, Opened> files = new LinkedHashMap<>(16, 0.75f, true);

    OpenFiles(Opening opening) {
        this.opening = opening;
    }

    /// Opens a file for reading.
    interface Opening {
        FileChannel open(Path file) throws IOException;
    }

    /// An operation on an open file.
    interface Use<T> {
        T with(FileChannel channel) throws IOException;
    }

    private static final class Opened {
        private final FileChannel channel;
        private int users;
        private boolean dropped;

        Opened(FileChannel channel) {
            this.channel = channel;
        }
    }

    /// @param reader the reader that owns the file; each reader has its own
    <T> T use(Object reader, Path file, Use<T> use) throws IOException {
        Opened opened = take(reader, file);
        try {
            return use.with(opened.channel);
        } catch (IOException e) {
            drop(reader, opened); // A stale handle stays stale: a retry opens the file again.
            throw e;
        } finally {
            giveBack(opened);
        }
    }

    /// Closes the file of a reader.
    synchronized void close(Object reader) throws IOException {
        Opened opened = files.remove(reader);
        if (opened != null) {
            opened.dropped = true;
            closeUnused(opened);
        }
    }

    private synchronized Opened take(Object reader, Path file) throws IOException {
        Opened opened = files.get(reader);
        if (opened == null) {
            shrinkTo(MOST - 1);
            opened = new Opened(open(file));
            files.put(reader, opened);
        }
        opened.users++;
        return opened;
    }

    /// If a file cannot be opened, too many may be open: files that are not being read are closed, and it is tried
    /// again.
    private FileChannel open(Path file) throws IOException {
        try {
            return opening.open(file);
        } catch (NoSuchFileException | AccessDeniedException certain) {
            throw certain;
        } catch (FileSystemException e) {
            if (!shrinkTo(0)) {
                throw e;
            }
            return opening.open(file);
        }
    }

    /// @return whether any file was closed
    private boolean shrinkTo(int most) throws IOException {
        int before = files.size();
        var oldest = files.values().iterator();
        while (files.size() > most && oldest.hasNext()) {
            Opened opened = oldest.next();
            if (opened.users == 0) {
                oldest.remove();
                opened.channel.close();
            }
        }
        return files.size() < before;
    }

    private synchronized void drop(Object reader, Opened opened) {
        files.remove(reader, opened);
        opened.dropped = true;
    }

    private synchronized void giveBack(Opened opened) throws IOException {
        opened.users--;
        closeUnused(opened);
    }

    private static void closeUnused(Opened opened) throws IOException {
        if (opened.dropped && opened.users == 0) {
            opened.channel.close();
        }
    }
}
