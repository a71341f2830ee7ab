package dev.cairn.cluster.job;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.store.blob.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/// `job.json` in the folder of a run: the processes that train it. A job works without it too, so what cannot be
/// written is left out.
public final class JobFile {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;

    /// Far more than the processes of one host.
    private static final long LARGEST_BYTES = 1 << 20;

    private final Path run;

    /// @param run the folder of the run, which may not exist yet
    public JobFile(Path run) {
        this.run = run;
    }

    /// What the file contains.
    ///
    /// @param host the name of the host
    /// @param processes the supervisor first
    public record Content(int version, String host, List<JobProcess> processes) {
        public Content {
            processes = List.copyOf(processes);
        }

        public Content(String host, List<JobProcess> processes) {
            this(VERSION, host, processes);
        }
    }

    /// Replaces the content, if the folder exists.
    public void write(Content content) {
        try {
            if (Files.isDirectory(run)) {
                Path written = run.resolve(RunFiles.TEMPORARY_PREFIX + RunFiles.JOB);
                Files.deleteIfExists(written);
                Files.write(written, JSON.writeValueAsBytes(content), StandardOpenOption.CREATE_NEW);
                Files.move(written, file(), StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException unwritten) {
            // If the disk has a problem, failed saves report it.
        }
    }

    /// Returns the content; empty if there is none that this version can read.
    public Optional<Content> read() throws IOException {
        try {
            if (!Files.isRegularFile(file(), LinkOption.NOFOLLOW_LINKS) || Files.size(file()) > LARGEST_BYTES) {
                return Optional.empty();
            }
            Content content = JSON.readValue(Files.readAllBytes(file()), Content.class);
            return content.version() == VERSION ? Optional.of(content) : Optional.empty();
        } catch (NoSuchFileException | JacksonException none) {
            return Optional.empty();
        }
    }

    /// Removes the file: the job has ended.
    public void remove() {
        try {
            Files.deleteIfExists(file());
        } catch (IOException stays) {
            // Its processes are gone, and readers see that.
        }
    }

    private Path file() {
        return run.resolve(RunFiles.JOB);
    }
}
