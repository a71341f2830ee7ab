package dev.cairn.cluster.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.job.JobFile.Content;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFileTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    @Test
    void isReadAsWrittenAndRemoved() throws IOException {
        var file = new JobFile(folder);
        assertThat(file.read()).isEmpty();
        var content = new Content("host", List.of(process("supervisor", ProcessHandle.current())));
        file.write(content);
        file.write(content);
        assertThat(file.read()).contains(content);
        assertThat(content.processes().getFirst().alive()).isPresent();
        file.remove();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whatIsNoJobIsNone() throws IOException {
        Files.writeString(folder.resolve("job.json"), "{\"version\": 1, \"host\": 7");
        assertThat(new JobFile(folder).read()).isEmpty();
        Files.writeString(folder.resolve("job.json"), "{\"version\": 99, \"host\": \"h\", \"processes\": []}");
        assertThat(new JobFile(folder).read()).isEmpty();
        new JobFile(folder.resolve("absent")).write(new Content("host", List.of()));
        assertThat(folder.resolve("absent")).doesNotExist();
    }

    @Test
    void theWorkersOfADeadSupervisorAreWaitedFor() throws Exception {
        var file = new JobFile(folder);
        try (var worker = Command.of("sleep", "1000").start();
                var supervisor = Command.of("sleep", "1000").start()) {
            JobProcess its =
                    process("supervisor", ProcessHandle.of(supervisor.pid()).orElseThrow());
            JobProcess theirs = process("worker", ProcessHandle.of(worker.pid()).orElseThrow());
            file.write(new Content("host", List.of(its, theirs)));
            assertThat(JobBefore.of(file).left()).as("it is at work").isEmpty();
            supervisor.kill();
            JobBefore before = JobBefore.of(file);
            assertThat(before.left()).hasSize(1);
            assertThat(before.await(Duration.ofMillis(1))).isFalse();
            worker.kill();
            assertThat(before.await(LONG)).isTrue();
            assertThat(JobBefore.of(file).left()).isEmpty();
        }
    }

    private static JobProcess process(String role, ProcessHandle handle) {
        return JobProcess.of(handle, "w0", role, role.equals("worker") ? 0 : -1, 5, "training");
    }
}
