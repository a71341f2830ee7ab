package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.s3.server.AtomicS3;
import dev.cairn.s3.server.Fault;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a process prints while object storage fails: lines of the program, and nothing of the libraries below it, nor
/// dates and classes of Java's own logging. Only a whole process shows what Java does by default.
class QuietTerminalTest {
    @TempDir
    Path folder;

    @Test
    void underFaultsOfObjectStorageAllLinesAreOurs() throws Exception {
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossless", 4, 1);
        try (var server = new AtomicS3("bucket");
                var door = server.door(new Faults())) {
            upload(run.folder(), server);
            List<String> err = errorsOf(
                    "prune",
                    "s3://bucket/run",
                    "--keep",
                    "latest:1",
                    "--endpoint",
                    door.endpoint().toString(),
                    "--path-style");
            assertThat(err).isNotEmpty().allMatch(line -> line.startsWith("cairn: "));
            assertThat(err)
                    .as("what is logged is told")
                    .anyMatch(line -> line.startsWith("cairn: warning: cannot look for abandoned uploads: "))
                    .noneMatch(line -> line.contains("dev.cairn.") || line.contains("WARNING"));
        }
    }

    /// Nobody may list uploads, and every third of the other requests fails once.
    private static final class Faults implements AtomicS3.Plan {
        private static final List<Fault> KINDS =
                List.of(Fault.ERROR, Fault.SLOW_DOWN, Fault.CUT_BEFORE, Fault.TRUNCATED);

        private int requests;

        @Override
        public synchronized Fault next(String kind, String key) {
            requests++;
            return kind.equals("LIST-UPLOADS")
                    ? Fault.EXPIRED
                    : requests % 3 == 0 ? KINDS.get(requests / 3 % KINDS.size()) : Fault.NONE;
        }
    }

    private static void upload(Path run, AtomicS3 server) throws IOException {
        try (Stream<Path> files = Files.walk(run)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = run.relativize(file).toString();
                if (name.startsWith("log/") || name.startsWith("segments/")) {
                    server.put("bucket", "run/" + name, Files.readAllBytes(file));
                }
            }
        }
    }

    private static List<String> errorsOf(String... arguments) throws IOException {
        Command.Ended ended = Command.java(
                        List.of(
                                "--enable-native-access=ALL-UNNAMED",
                                "-Daws.accessKeyId=tester",
                                "-Daws.secretAccessKey=secret",
                                "-Daws.disableEc2Metadata=true"),
                        Main.class,
                        arguments)
                .run();
        assertThat(ended.code()).as(ended.err()).isZero();
        return ended.err().lines().toList();
    }
}
