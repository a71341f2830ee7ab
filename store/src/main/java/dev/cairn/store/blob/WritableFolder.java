package dev.cairn.store.blob;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// The conditions that a run's folder must meet to be written to.
///
/// - No symbolic links below it: a run may come from another person, and a link in it could redirect writes and
///   removals to any file of the user. The folder itself may be a link: the user named it.
/// - Its file system has hard links, which create records atomically.
public final class WritableFolder {
    private static final List<String> FOLDERS =
            List.of(RunFiles.LOG, RunFiles.SEGMENTS, RunFiles.LEASES, RunFiles.QUARANTINE);

    /// EPERM, ENOTSUP and ENOSYS. Any other error, such as that of a broken disk, says nothing about hard links.
    private static final Set<String> REFUSALS =
            Set.of("Operation not permitted", "Operation not supported", "Function not implemented");

    private WritableFolder() {}

    /// Throws if the run in this existing folder cannot be written to. The message is one line with the cure.
    public static void check(Path run) throws IOException {
        for (String folder : FOLDERS) {
            Path path = run.resolve(folder.substring(0, folder.length() - 1));
            if (Files.isSymbolicLink(path)) {
                throw linked(path);
            }
        }
        checkHardLinks(run, run.resolve(RunFiles.LOG));
    }

    /// Throws if a folder between the run and this file is a symbolic link.
    static void checkWay(Path run, Path file) throws IOException {
        Path folder = file.getParent();
        while (folder != null && !folder.equals(run) && folder.startsWith(run)) {
            if (Files.isSymbolicLink(folder)) {
                throw linked(folder);
            }
            folder = folder.getParent();
        }
    }

    private static FileSystemException linked(Path path) {
        return new FileSystemException(
                path.toString(),
                null,
                "a symbolic link inside a run is not followed; put the folder itself there, or link the whole run");
    }

    /// @param folder the folder to test in; the next writer removes what this leaves there
    private static void checkHardLinks(Path run, Path folder) throws IOException {
        boolean made = Files.notExists(folder, LinkOption.NOFOLLOW_LINKS);
        LocalBlobStore.createFolder(folder);
        Path file = temporary(folder);
        Path other = temporary(folder);
        try {
            // If no file can be created, the disk is full or broken. This says nothing about hard links, and must
            // not block access to a run that has finished. A single failure may be temporary.
            boolean refused = canCreate(file) && !canLink(file) && canCreate(other) && !canLink(other);
            if (refused) {
                throw new FileSystemException(
                        run.toString(),
                        null,
                        "its file system (%s) has no hard links, which Cairn needs to commit checkpoints; "
                                        .formatted(Files.getFileStore(run).type())
                                + "choose a folder on another file system, such as ext4 or xfs, or a bucket (s3://)");
            }
        } finally {
            deleteQuietly(file);
            deleteQuietly(other);
            if (made) {
                deleteQuietly(folder); // The run of another writer is left unchanged; new files of others stay.
            }
        }
    }

    private static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            // Left for the next writer.
        }
    }

    private static boolean canCreate(Path file) {
        try {
            Files.createFile(file);
            return true;
        } catch (IOException full) {
            return false;
        }
    }

    private static boolean canLink(Path file) {
        Path link = file.resolveSibling(file.getFileName() + "-link");
        try {
            Files.createLink(link, file);
            return true;
        } catch (UnsupportedOperationException never) {
            return false;
        } catch (FileSystemException e) {
            return !REFUSALS.contains(String.valueOf(e.getReason()));
        } catch (IOException unknown) {
            return true;
        } finally {
            deleteQuietly(link);
        }
    }

    private static Path temporary(Path folder) {
        return folder.resolve(RunFiles.TEMPORARY_PREFIX
                + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }
}
