package dev.cairn.train.uncoordinated;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// From which checkpoints the processes of a job go on together.
public record Line(SequencedMap<String, Part> parts) {
    /// The name of its file in the folder of the job.
    public static final String FILE = "recovery-line.log";

    /// The part of one process.
    ///
    /// @param step the step of its checkpoint; 0 for its start
    /// @param pushes the number of gradients that it had sent before
    public record Part(long step, long pushes) {
        /// The start of a process.
        static final Part START = new Part(0, 0);
    }

    /// The part of this process; its start if it was not there.
    Part of(String process) {
        return parts.getOrDefault(process, Part.START);
    }

    /// The step of the server.
    public long step() {
        return of(JobRecords.SERVER).step();
    }

    /// Tells all processes.
    public void write(Path job) throws IOException {
        String text = parts.entrySet().stream()
                .map(part -> "%s %d %d%n"
                        .formatted(
                                part.getKey(),
                                part.getValue().step(),
                                part.getValue().pushes()))
                .collect(Collectors.joining());
        Files.createDirectories(job);
        Path written = Files.writeString(job.resolve(".tmp-line"), text);
        Files.move(written, job.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// What was told last.
    static Line read(Path job) throws IOException {
        SequencedMap<String, Part> parts = new LinkedHashMap<>();
        for (String line : Files.readAllLines(job.resolve(FILE))) {
            List<String> words = List.of(line.split(" ", -1));
            parts.put(words.getFirst(), new Part(Long.parseLong(words.get(1)), Long.parseLong(words.get(2))));
        }
        return new Line(parts);
    }
}
