package dev.cairn.store.blob;

import dev.cairn.store.Clock;
import dev.cairn.store.DamagedException;
import java.io.EOFException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    private final LocalFolders folders;
    private final OpenFiles files = new OpenFiles(path -> FileChannel.open(path, StandardOpenOption.READ));

    /// Stores blobs below this folder, which is created with the first blob.
    public LocalBlobStore(Path root) {
        this(root, Clock.system());
    }

    /// Stores blobs below this folder. The clock measures the pauses before failed reads are retried.
    public LocalBlobStore(Path root, Clock clock) {
        this.patience = new ReadPatience(clock);
        this.folders = new LocalFolders(patience);
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

    /// Whether the folder of the blobs exists.
    ///
    /// @throws IOException if that cannot be found out
    public boolean hasFolder() throws IOException {
        return folders.isFolder(root);
    }

    /// Creates the folder of the blobs and its missing parents, durably.
    public void createFolder() throws IOException {
        folders.make(root);
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        Path target = writable(name);
        Path folder = LocalFolders.of(target);
        folders.make(folder);
        Path temporary = ReplacingWriter.temporaryIn(folder);
        try {
            try (var writer = new LocalWriter(temporary)) {
                writer.append(MemorySegment.ofArray(content));
                writer.sync();
            }
            HardLinks.create(temporary, target);
        } finally {
            Files.deleteIfExists(temporary);
        }
        LocalFolders.sync(folder);
    }

    /// Creates a second name of the same file. It takes no space, and works even if the bytes of the file cannot be
    /// read. A folder in the place of a blob can have only one name, so it is moved.
    @Override
    public void copy(String name, String copy) throws IOException {
        Path source = writable(name);
        Path target = writable(copy);
        folders.make(LocalFolders.of(target));
        if (Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
            Files.move(source, target);
            LocalFolders.sync(LocalFolders.of(source));
        } else {
            HardLinks.create(source, target);
        }
        LocalFolders.sync(LocalFolders.of(target));
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        Path target = writable(name);
        folders.make(LocalFolders.of(target));
        return new LocalWriter(target);
    }

    @Override
    public BlobWriter replace(String name) throws IOException {
        Path target = writable(name);
        folders.make(LocalFolders.of(target));
        return new ReplacingWriter(target);
    }

    @Override
    public BlobReader read(String name) throws IOException {
        Path path = readable(name);
        var reader = new LocalReader(name, path, files, patience);
        reader.sizeBytes(); // opens the file
        return reader;
    }

    @Override
    public BlobReader readUncached(String name) throws IOException {
        Path path = readable(name);
        var reader = new UncachedReader(name, path, patience);
        reader.sizeBytes(); // opens the file
        return reader;
    }

    private Path readable(String name) throws IOException {
        Path path = path(name);
        // Opening a pipe would wait forever.
        if (!patience.read(path, () -> Files.readAttributes(path, BasicFileAttributes.class))
                .isRegularFile()) {
            throw new DamagedException(name, "not a regular file");
        }
        return path;
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
            return folders.list(path).stream()
                    .map(file -> folder + file.getFileName())
                    .filter(BlobNames::isValid)
                    .toList();
        } catch (NoSuchFileException absent) {
            return List.of();
        } catch (NotDirectoryException file) {
            throw new DamagedException(folder, "not a folder; move away what is in its place");
        }
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
                folders.attributes(file.toPath())
                        .filter(BasicFileAttributes::isRegularFile)
                        .ifPresent(found -> sizes.put(name, found.size()));
            }
        }
        return sizes;
    }

    @Override
    public List<String> listAll() throws IOException {
        if (!folders.isFolder(root)) {
            return List.of();
        }
        return folders.listAll(root);
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
        Path path = folder.isEmpty() ? root : path(folder.substring(0, folder.length() - 1));
        if (!folders.isFolder(path)) {
            return List.of();
        }
        return folders.list(path).stream()
                .filter(file -> ReplacingWriter.isTemporary(String.valueOf(file.getFileName()))
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                .map(file -> folder + file.getFileName())
                .toList();
    }

    @Override
    public void deleteTemporary(String name) throws IOException {
        Path file = root.resolve(name).normalize();
        Path folder = LocalFolders.of(file);
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
}
