package dev.cairn.checkpoint.notice;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A file whose appearance is a notice. Touching the file again is a notice that insists. The file may contain
/// the number of seconds left.
///
/// A file from before the start of the training is not a notice: an earlier notice left it, and otherwise a
/// training that is restarted automatically would never make progress. For one thread.
public final class FileNotice implements NoticeSource {
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,7}");
    private static final int LONGEST_CONTENT = 64;
    /// The time between the creation of a file and the writing of its content.
    private static final Duration ONE_WRITE = Duration.ofSeconds(1);

    private final Path file;
    private final Instant since;
    private final Consumer<String> warn;
    private boolean warned;
    private @Nullable Instant told;

    /// Watches for this file.
    ///
    /// @param since a file last touched before this time is not a notice
    /// @param warn receives one warning about a file that is too old, or cannot be checked
    public FileNotice(Path file, Instant since, Consumer<String> warn) {
        this.file = file;
        this.since = since;
        this.warn = warn;
    }

    @Override
    public Optional<Notice> poll() {
        try {
            Instant touched = Files.readAttributes(file, BasicFileAttributes.class)
                    .lastModifiedTime()
                    .toInstant();
            if (touched.isBefore(since)) {
                warnOnce("notice file " + file
                        + " existed before the training started: it is ignored until it is touched again");
                return Optional.empty();
            }
            if (told != null && touched.isBefore(told.plus(ONE_WRITE))) {
                return Optional.empty();
            }
            var notice = new Notice("file " + file, secondsLeft(), told != null);
            told = touched;
            return Optional.of(notice);
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException e) {
            warnOnce("notice file " + file + " cannot be checked: " + e.getMessage());
            return Optional.empty();
        }
    }

    /// Null if the content is not a number.
    private @Nullable Duration secondsLeft() throws IOException {
        if (!Files.isRegularFile(file)) { // Reading a pipe would wait forever.
            return null;
        }
        try (var in = Files.newInputStream(file)) {
            String content = new String(in.readNBytes(LONGEST_CONTENT), UTF_8).strip();
            return SECONDS.matcher(content).matches() ? Duration.ofSeconds(Long.parseLong(content)) : null;
        }
    }

    private void warnOnce(String warning) {
        if (!warned) {
            warned = true;
            warn.accept(warning);
        }
    }
}
