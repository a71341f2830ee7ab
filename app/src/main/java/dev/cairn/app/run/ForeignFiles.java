package dev.cairn.app.run;

import dev.cairn.app.text.Table;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.location.RunLocation;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// Files of others, where a new run is to be.
public final class ForeignFiles {
    /// What a new run may find in its folder: what one that was cut off left, logs of whoever started it, and
    /// what a new disk has.
    private static final Pattern OWN =
            Pattern.compile("log|segments|lease|quarantine|\\.tmp-.*|.*\\.(log|jsonl|csv|lock)|events.*|lost\\+found");

    private ForeignFiles() {}

    /// Refuses a folder in which nothing was saved yet and which has files of others: it was meant for
    /// something else.
    public static void refuse(CommandSpec command, RunLocation run) throws IOException {
        if (run instanceof RunLocation.Folder(Path folder)
                && Files.isDirectory(folder)
                && !Runs.hasRecords(new LocalBlobStore(folder))) {
            refuse(command, folder);
        }
    }

    private static void refuse(CommandSpec command, Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (!OWN.matcher(name).matches()) {
                    throw new ParameterException(
                            command.commandLine(),
                            "%s is no run: it has '%s' in it, which is not of Cairn; choose a new or an empty folder for --run"
                                    .formatted(folder, Table.shown(name)));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }
}
