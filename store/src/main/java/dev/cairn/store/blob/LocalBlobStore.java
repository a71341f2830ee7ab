package dev.cairn.store.blob;

import dev.cairn.disk.NewFile;
import dev.cairn.store.Clock;
import dev.cairn.store.DamagedException;
import java.io.EOFException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/// Blobs as files below one folder of a local file system.
///
/// Durable means: the file is fsynced, then the folder that contains it. Create-if-absent is a hard link from an
/// fsynced temporary file, because a link, unlike a rename, never replaces an existing file. Failed reads are retried
/// for a while; then they fail with a [StorageUnavailableException][dev.cairn.store.StorageUnavailableException].
public final class LocalBlobStore implements BlobStore {

    private final Path root;
    /// Whether the folder is on the machine's own file system, not on one that Java provides.
    private final boolean plain;

    private final ReadPatience patience;
    private final OpenFiles files = new OpenFiles(path -> FileChannel.open(path, StandardOpenOption.READ));

    /// Stores blobs below this folder, which is created with the first blob.
    public LocalBlobStore(Path root) {
        this(root, Clock.system());
    }

    /// Stores blobs below this folder. The clock measures the pauses before failed reads are retried.
    public LocalBlobStore(Path root, Clock clock) {
        this.patience = new ReadPatience(clock);
        this.root = root.toAbsolutePath().normalize();
        this.plain = root.getFileSystem().equals(FileSystems.getDefault());
    }

    /// Whether both are the same folder.
    public boolean isSamePlaceAs(LocalBlobStore other) {
        return root.equals(other.root);
    }

    /// Creates the folder and its parents where they are absent, durably.
    public static void createFolder(Path folder) throws IOException {
        new LocalBlobStore(folder).createFolder();
    }

    /// Creates the folder of the blobs and its missing parents, durably.
    public void createFolder() throws IOException {
        make(root);
    }

    private void make(Path folder) throws IOException {
        if (isFolder(folder)) {
            return;
        }
        Path parent = folder.getParent();
        if (parent != null) {
            make(parent);
        }
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException raced) {
            if (!isFolder(folder)) {
                throw new NotDirectoryException(folder.toString());
            }
        }
        if (parent != null) {
            syncFolder(parent);
        }
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        Path target = writable(name);
        Path folder = folderOf(target);
        make(folder);
        Path temporary = folder.resolve(RunFiles.TEMPORARY_PREFIX
                + Long.toHexString(ThreadLocalRandom.current().nextLong()));
        try {
            try (var writer = new LocalWriter(temporary)) {
                writer.append(MemorySegment.ofArray(content));
                writer.sync();
            }
            link(temporary, target);
        } finally {
            Files.deleteIfExists(temporary);
        }
        syncFolder(folder);
    }

    /// On a network file system the reply to a link request may be lost. On a retry the server says that the link
    /// exists.
    private static void link(Path temporary, Path target) throws IOException {
        try {
            Files.createLink(target, temporary);
        } catch (FileAlreadyExistsException there) {
            if (!isSame(target, temporary)) {
                throw there;
            }
        }
    }

    private static boolean isSame(Path target, Path temporary) throws IOException {
        try {
            return Files.isSameFile(target, temporary);
        } catch (NoSuchFileException deletedMeanwhile) {
            return false;
        }
    }

    /// Creates a second name of the same file. It takes no space, and works even if the bytes of the file cannot be
    /// read. A folder in the place of a blob can have only one name, so it is moved.
    @Override
    public void copy(String name, String copy) throws IOException {
        Path source = writable(name);
        Path target = writable(copy);
        make(folderOf(target));
        if (Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
            Files.move(source, target);
            syncFolder(folderOf(source));
        } else {
            link(source, target);
        }
        syncFolder(folderOf(target));
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        Path target = writable(name);
        make(folderOf(target));
        return new LocalWriter(target);
    }

    @Override
    public BlobReader read(String name) throws IOException {
        Path path = path(name);
        // Opening a pipe would wait forever.
        if (!patience.read(path, () -> Files.readAttributes(path, BasicFileAttributes.class))
                .isRegularFile()) {
            throw new DamagedException(name, "not a regular file");
        }
        var reader = new LocalReader(name, path, files, patience);
        reader.sizeBytes(); // opens the file
        return reader;
    }

    /// Without a channel: this reads each of ten thousand records in a few microseconds.
    @Override
    public byte[] readAll(String name, long most) throws IOException {
        if (!plain) {
            return BlobStore.super.readAll(name, most);
        }
        File file = path(name).toFile();
        long size = file.length();
        // A length of zero means no file, an empty file, or a pipe, which would block on opening.
        if (size == 0 || size > most) {
            return BlobStore.super.readAll(name, most);
        }
        try (var stream = new FileInputStream(file)) {
            byte[] bytes = new byte[(int) size];
            for (int read = 0, more; read < bytes.length; read += more) {
                more = stream.read(bytes, read, bytes.length - read);
                if (more < 0) {
                    throw new EOFException("%s ends at byte %d, expected %d".formatted(name, read, size));
                }
            }
            return bytes;
        } catch (IOException e) {
            return BlobStore.super.readAll(name, most); // which retries, and reports what is wrong
        }
    }

    @Override
    public List<String> list(String folder) throws IOException {
        Path path = path(folder.substring(0, folder.length() - 1));
        try {
            return patience.read(path, () -> filesIn(path)).stream()
                    .map(file -> folder + file.getFileName())
                    .filter(BlobNames::isValid)
                    .toList();
        } catch (NoSuchFileException absent) {
            return List.of();
        } catch (NotDirectoryException file) {
            throw new DamagedException(folder, "not a folder; move away what is in its place");
        }
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        var found = new ArrayList<Path>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            files.forEach(found::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    @Override
    public Map<String, Long> sizes(String folder) throws IOException {
        if (!plain) {
            return BlobStore.super.sizes(folder);
        }
        var sizes = new HashMap<String, Long>();
        String parent = root + File.separator;
        for (String name : list(folder)) {
            var file = new File(parent + name);
            long size = file.length();
            // A length of zero means that the file is empty, or that the size cannot be read this way.
            if (size > 0) {
                sizes.put(name, size);
            } else {
                attributes(file.toPath())
                        .filter(BasicFileAttributes::isRegularFile)
                        .ifPresent(found -> sizes.put(name, found.size()));
            }
        }
        return sizes;
    }

    /// Empty if nothing has this path. Throws if that cannot be determined.
    private Optional<BasicFileAttributes> attributes(Path path) throws IOException {
        try {
            return Optional.of(patience.read(path, () -> Files.readAttributes(path, BasicFileAttributes.class)));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
    }

    @Override
    public List<String> listAll() throws IOException {
        if (!isFolder(root)) {
            return List.of();
        }
        return patience.read(root, this::walk);
    }

    private List<String> walk() throws IOException {
        Path real = root.toRealPath(); // The root may be a link, which a walk would not follow.
        try (Stream<Path> files = Files.walk(real)) {
            return files.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> real.relativize(file).toString().replace(File.separatorChar, '/'))
                    .toList();
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
    }

    private boolean isFolder(Path path) throws IOException {
        return attributes(path).filter(BasicFileAttributes::isDirectory).isPresent();
    }

    /// Does nothing if a non-empty folder has that name, because Cairn did not create it.
    @Override
    public void delete(String name) throws IOException {
        try {
            Files.deleteIfExists(writable(name));
        } catch (DirectoryNotEmptyException foreign) {
            // A repair moves it away if necessary.
        }
    }

    /// The inode of the folder if only one machine uses the file system: a copy has another inode. A shared file
    /// system may show different inodes to each host (CIFS without the server's inodes, 9p, FUSE). Then a live
    /// holder would seem to be in another place, so the identity is unknown.
    @Override
    public String place() throws IOException {
        if (FileSystemKind.of(root) != FileSystemKind.LOCAL) {
            return "";
        }
        try {
            return "inode-" + Files.getAttribute(root, "unix:ino");
        } catch (UnsupportedOperationException | IllegalArgumentException noInodes) {
            return "";
        }
    }

    /// The folder of the blobs.
    public Path root() {
        return root;
    }

    @Override
    public long usableBytes() throws IOException {
        Path existing = root;
        while (!Files.exists(existing)) {
            Path parent = existing.getParent();
            if (parent == null) {
                break;
            }
            existing = parent;
        }
        return Files.getFileStore(existing).getUsableSpace();
    }

    @Override
    public List<String> temporaries(String folder) throws IOException {
        Path path = path(folder.substring(0, folder.length() - 1));
        if (!isFolder(path)) {
            return List.of();
        }
        return patience.read(path, () -> filesIn(path)).stream()
                .filter(file -> String.valueOf(file.getFileName()).startsWith(RunFiles.TEMPORARY_PREFIX)
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                .map(file -> folder + file.getFileName())
                .toList();
    }

    @Override
    public void deleteTemporary(String name) throws IOException {
        Path file = root.resolve(name).normalize();
        Path folder = folderOf(file);
        if (!folder.startsWith(root) || !String.valueOf(file.getFileName()).startsWith(RunFiles.TEMPORARY_PREFIX)) {
            throw new IllegalArgumentException("not a temporary file: '" + name + "'");
        }
        WritableFolder.checkWay(root, file);
        Files.deleteIfExists(file);
    }

    private Path path(String name) {
        return root.resolve(BlobNames.checked(name));
    }

    /// The path of a blob that will be created or removed. It must not be reached through a link.
    private Path writable(String name) throws IOException {
        Path file = path(name);
        WritableFolder.checkWay(root, file);
        return file;
    }

    private static Path folderOf(Path file) {
        Path parent = file.getParent();
        return parent == null ? file : parent;
    }

    private static void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw FileErrors.named(folder, e);
        }
    }

    private static final class LocalWriter implements BlobWriter {
        private final Path path;
        private final NewFile file;
        private boolean finished;

        LocalWriter(Path path) throws IOException {
            this.path = path;
            this.file = NewFile.create(path);
        }

        /// An operation on the file.
        private interface Operation {
            void run() throws IOException;
        }

        private void named(Operation operation) throws IOException {
            try {
                operation.run();
            } catch (IOException e) {
                throw FileErrors.named(path, e);
            }
        }

        @Override
        public void append(MemorySegment bytes) throws IOException {
            named(() -> file.append(bytes));
        }

        @Override
        public void flush() throws IOException {
            named(file::flush);
        }

        /// Makes the content durable, but not yet the name. The file stays.
        void sync() throws IOException {
            named(file::finish);
            finished = true;
        }

        @Override
        public void finish() throws IOException {
            named(() -> {
                file.finish();
                file.close();
            });
            syncFolder(folderOf(path));
            finished = true;
        }

        @Override
        public void close() throws IOException {
            try {
                named(file::close);
            } finally {
                if (!finished) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }
}
