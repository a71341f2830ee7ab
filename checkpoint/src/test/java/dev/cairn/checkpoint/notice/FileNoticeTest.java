package dev.cairn.checkpoint.notice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileNoticeTest {
    private static final Instant START = Instant.parse("2026-11-15T12:00:00Z");

    private final Path file;
    private final List<String> warnings = new ArrayList<>();
    private final FileNotice source;

    FileNoticeTest(@TempDir Path folder) {
        this.file = folder.resolve("stop");
        this.source = new FileNotice(file, START, warnings::add);
    }

    @Test
    void aFileThatAppearsIsANoticeOnceAndInsistsWhenTouchedAgain() throws IOException {
        assertThat(source.poll()).isEmpty();
        write("", START.plusSeconds(5));
        assertThat(source.poll()).contains(new Notice("file " + file, null, false));
        assertThat(source.poll()).isEmpty();
        write("", START.plusSeconds(9));
        assertThat(source.poll()).contains(new Notice("file " + file, null, true));
        assertThat(source.poll()).isEmpty();
    }

    @Test
    void theContentMaySayHowManySecondsAreLeft() throws IOException {
        write(" 90\n", START);
        assertThat(source.poll()).contains(new Notice("file " + file, Duration.ofSeconds(90), false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "-5", "1e9", "99999999", "12 13"})
    void otherContentSaysNothing(String content) throws IOException {
        write(content, START);
        assertThat(source.poll()).contains(new Notice("file " + file, null, false));
    }

    @Test
    void aFileThatIsCreatedAndThenWrittenIsOneNotice() throws IOException {
        write("", START.plusMillis(100));
        assertThat(source.poll()).isPresent();
        write("30", START.plusMillis(400));
        assertThat(source.poll()).isEmpty();
    }

    @Test
    void aFileFromBeforeIsNoNoticeUntilTouched() throws IOException {
        write("", START.minusSeconds(60));
        assertThat(source.poll()).isEmpty();
        assertThat(source.poll()).isEmpty();
        assertThat(warnings).singleElement().asString().contains(file.toString(), "before the training started");
        write("", START.plusSeconds(1));
        assertThat(source.poll()).contains(new Notice("file " + file, null, false));
    }

    @Test
    void aFolderIsANoticeToo() throws IOException {
        Files.createDirectory(file);
        Files.setLastModifiedTime(file, FileTime.from(START));
        assertThat(source.poll()).isPresent();
    }

    private void write(String content, Instant touched) throws IOException {
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, FileTime.from(touched));
    }
}
