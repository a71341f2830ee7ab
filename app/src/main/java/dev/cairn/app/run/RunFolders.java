package dev.cairn.app.run;

import dev.cairn.store.blob.RunFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/// Finds the folders that are runs.
public final class RunFolders {
    private RunFolders() {}

    /// Whether this folder contains files that only a run has. A folder called `log` alone is not enough.
    public static boolean isRun(Path folder) throws IOException {
        return Files.exists(folder.resolve(RunFiles.LOCK), LinkOption.NOFOLLOW_LINKS)
                || has(folder, RunFiles.LOG, RunFiles::isRecord)
                || has(folder, RunFiles.LEASES, RunFiles::isLease);
    }

    private static boolean has(Path run, String folder, Predicate<String> name) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                run.resolve(folder), file -> name.test(folder + String.valueOf(file.getFileName())))) {
            return files.iterator().hasNext();
        } catch (NoSuchFileException | NotDirectoryException absent) {
            return false;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /// Returns the runs in this folder, sorted by name, without unfinished ones. Folders that cannot be read are
    /// left out.
    public static List<Path> runsIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        var runs = new ArrayList<Path>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (Files.isDirectory(file) && !NewRun.isPart(file) && isOpenRun(file)) {
                    runs.add(file);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        Collections.sort(runs);
        return runs;
    }

    private static boolean isOpenRun(Path folder) throws IOException {
        try {
            return isRun(folder);
        } catch (AccessDeniedException closed) {
            return false;
        }
    }
}
