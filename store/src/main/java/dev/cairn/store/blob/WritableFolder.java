package dev.cairn.store.blob;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// What a run's folder must be for anybody to write there.
///
/// - Nothing below it is reached by a symbolic link: a run may come from somebody else, and a link in it would lead
///   what is written or removed to any file of the user's. The folder itself may be one: the user named it.
/// - Its file system has hard links, by which records are created whole or not at all.
public final class WritableFolder {
    private static final List<String> FOLDERS =
            List.of(RunFiles.LOG, RunFiles.SEGMENTS, RunFiles.LEASES, RunFiles.QUARANTINE);

    /// EPERM, ENOTSUP and ENOSYS. Any other error, such as that of a broken disk, tells nothing of links.
    private static final Set<String> REFUSALS =
            Set.of("Operation not permitted", "Operation not supported", "Function not implemented");

    private WritableFolder() {}

    /// Throws, with the cure in one line, where the run in this existing folder cannot be written to.
    public static void check(Path run) throws IOException {
        for (String folder : FOLDERS) {
            Path path = run.resolve(folder.substring(0, folder.length() - 1));
            if (Files.isSymbolicLink(path)) {
                throw linked(path);
            }
        }
        checkHardLinks(run, run.resolve(RunFiles.LOG));
    }

    /// Throws where a folder between the run's and this file is a symbolic link.
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

    /// @param folder where the next writer removes what this leaves
    private static void checkHardLinks(Path run, Path folder) throws IOException {
        boolean made = Files.notExists(folder, LinkOption.NOFOLLOW_LINKS);
        LocalBlobStore.createFolder(folder);
        Path file = temporary(folder);
        Path other = temporary(folder);
        try {
            // Where no file can be made, the disk is full or broken: that tells nothing of links, and keeps nobody from
            // a run that is finished. One failure may be a passing one.
            boolean refused = canCreate(file) && !canLink(file) && canCreate(other) && !canLink(other);
            if (refused) {
                throw new FileSystemException(
                        run.toString(),
                        null,
                        "its file system (%s) has no hard links, by which checkpoints are committed; "
                                        .formatted(Files.getFileStore(run).type())
                                + "choose a folder on another, such as ext4 or xfs, or a bucket (s3://)");
            }
        } finally {
            deleteQuietly(file);
            deleteQuietly(other);
            if (made) {
                deleteQuietly(folder); // Another's run is left as it was; what others put there meanwhile stays.
            }
        }
    }

    private static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            // For the next writer.
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
