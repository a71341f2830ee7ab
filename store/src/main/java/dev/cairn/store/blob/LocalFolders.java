package dev.cairn.store.blob;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The folders of a local file system: created durably, and listed with patience.
record LocalFolders(ReadPatience patience) {
    /// Creates the folder and its missing parents, durably.
    void make(Path folder) throws IOException {
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
            sync(parent);
        }
    }

    /// The files and folders in a folder.
    ///
    /// @throws NoSuchFileException if it does not exist
    List<Path> list(Path folder) throws IOException {
        return patience.read(folder, () -> filesIn(folder));
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

    /// The files in a folder and in all folders below it, as names relative to it.
    List<String> listAll(Path folder) throws IOException {
        return patience.read(folder, () -> walk(folder));
    }

    private static List<String> walk(Path root) throws IOException {
        Path real = root.toRealPath(); // The root may be a link, which a walk would not follow.
        try (Stream<Path> files = Files.walk(real)) {
            return files.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> real.relativize(file).toString().replace(File.separatorChar, '/'))
                    .toList();
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
    }

    /// Empty if nothing has this path. Throws if that cannot be determined.
    Optional<BasicFileAttributes> attributes(Path path) throws IOException {
        try {
            return Optional.of(patience.read(path, () -> Files.readAttributes(path, BasicFileAttributes.class)));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (FileSystemException e) {
            if (ReadPatience.NOT_A_FOLDER.equals(e.getReason())) {
                return Optional.empty(); // A file is in the place of a folder of this path.
            }
            throw e;
        }
    }

    boolean isFolder(Path path) throws IOException {
        return attributes(path).filter(BasicFileAttributes::isDirectory).isPresent();
    }

    /// The folder of a file.
    static Path of(Path file) {
        Path parent = file.getParent();
        return parent == null ? file : parent;
    }

    /// Makes the names in a folder durable.
    static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw FileErrors.named(folder, e);
        }
    }
}
