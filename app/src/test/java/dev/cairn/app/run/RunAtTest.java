package dev.cairn.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.Selector;
import dev.cairn.store.location.RunLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunAtTest {
    @TempDir
    Path folder;

    @Test
    void aFolderWithAnAtInItsNameIsARun() throws IOException {
        Path odd = Files.createDirectory(folder.resolve("run@20"));
        assertThat(RunAt.parse(odd.toString()))
                .isEqualTo(new RunAt(odd.toString(), new RunLocation.Folder(odd), new Selector.Latest()));
        assertThat(RunAt.parse(odd + "@10"))
                .isEqualTo(new RunAt(odd + "@10", new RunLocation.Folder(odd), new Selector.AtStep(10)));
    }

    @Test
    void aRunInABucketIsARun() {
        RunAt best = RunAt.parse("s3://bucket/run@best");
        assertThat(best.run()).hasToString("s3://bucket/run");
        assertThat(best.selector()).isInstanceOf(Selector.Best.class);
        assertThatThrownBy(() -> RunAt.parse("@7")).hasMessageContaining("empty");
    }
}
