package dev.cairn.store.blob;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Second names of files. Unlike a rename, a link never replaces an existing file.
final class HardLinks {
    private HardLinks() {}

    /// Gives a file a second name. On a network file system the reply to the request may be lost. On a retry the server
    /// says that the link exists.
    static void create(Path file, Path link) throws IOException {
        try {
            Files.createLink(link, file);
        } catch (FileAlreadyExistsException there) {
            if (!isSame(link, file)) {
                throw there;
            }
        }
    }

    private static boolean isSame(Path link, Path file) throws IOException {
        try {
            return Files.isSameFile(link, file);
        } catch (NoSuchFileException deletedMeanwhile) {
            return false;
        }
    }
}
