package dev.cairn.app.run;

import dev.cairn.app.text.Table;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.location.RunLocation;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// Refuses to create a run in a folder that contains other files.
public final class ForeignFiles {
    /// The files that a new run may find in its folder: leftovers of an interrupted run, log files of the caller,
    /// and the files of a new disk.
    private static final Pattern WELCOME = Pattern.compile(".*\\.(log|jsonl|csv|lock)|events.*|lost\\+found");

    private ForeignFiles() {}

    /// Refuses a folder in which nothing was saved yet and which contains files that are not Cairn's: it is
    /// probably used for something else.
    public static void refuse(CommandSpec command, RunLocation run) throws IOException {
        if (run instanceof RunLocation.Folder(Path folder)
                && Files.isDirectory(folder)
                && !Runs.hasRecords(new LocalBlobStore(folder))) {
            refuse(command, folder);
        }
    }

    private static boolean isOwn(String name) {
        return RunFiles.FOLDERS.contains(name + "/")
                || name.equals(RunFiles.SCRUB)
                || name.equals(RunFiles.JOB)
                || name.startsWith(RunFiles.TEMPORARY_PREFIX);
    }

    private static void refuse(CommandSpec command, Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (!isOwn(name) && !WELCOME.matcher(name).matches()) {
                    throw new ParameterException(
                            command.commandLine(),
                            "%s is not a run: it contains '%s', which does not belong in a run; choose a new or empty folder for --run"
                                    .formatted(folder, Table.shown(name)));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }
}
