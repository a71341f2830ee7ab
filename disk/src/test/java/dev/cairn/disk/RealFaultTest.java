package dev.cairn.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The system fails writes of another process, injected with `strace`, or has no space left. A direct write that fails
/// is repeated through the cache, and a write that fails there too is reported.
class RealFaultTest {
    private static final int SIZE = 200_001;
    private static final long DIRECT_FROM = 4096;

    @TempDir
    Path folder;

    /// `strace` counts calls for each thread: one thread makes two writes through the cache, another 47 direct writes.
    @ParameterizedTest
    @CsvSource({"EIO, 3", "EINVAL, 20", "ENOSPC, 30"})
    void aWritePastTheCacheThatFailsOnceIsMadeGood(String error, int call) throws Exception {
        Path file = folder.resolve("file");
        assertThat(write(file, error + ":when=" + call)).contains("written");
        assertThat(Files.readAllBytes(file)).isEqualTo(content());
        assertThat(Files.readString(folder.resolve("trace"))).contains("INJECTED");
    }

    @ParameterizedTest
    @CsvSource({"EIO, 'Input/output error'", "ENOSPC, 'No space left on device'"})
    void aDiskThatFailsForGoodIsTold(String error, String message) throws Exception {
        assertThat(write(folder.resolve("file"), error + ":when=5+")).contains("failed: " + message);
    }

    @Test
    void aDiskThatFillsIsTold() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Command mount = Command.of("mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", disk.toString());
        assumeTrue(mount.succeeds(), "mounting a tmpfs needs root: full disks are not tested here");
        try {
            assertThat(writing(disk.resolve("file")).succeed()).contains("failed: No space left on device");
        } finally {
            Command.of("umount", "--lazy", disk.toString()).succeed();
        }
    }

    private String write(Path file, String fault) throws Exception {
        Command probe =
                Command.of("strace", "-qq", "-o", folder.resolve("probe").toString(), "true");
        assumeTrue(probe.succeeds(), "strace is missing or may not trace: real faults are not tested here");
        var strace = new ArrayList<>(
                List.of("strace", "-f", "-qq", "-o", folder.resolve("trace").toString()));
        strace.addAll(List.of("-e", "trace=pwrite64", "-e", "inject=pwrite64:error=" + fault));
        return writing(file).startedBy(strace).succeed();
    }

    private static Command writing(Path file) {
        return Command.java(
                List.of("-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-Dcairn.directFrom=" + DIRECT_FROM),
                RealFaultTest.class,
                file.toString());
    }

    /// The process that writes the file.
    public static void main(String[] arguments) {
        byte[] content = content();
        try (NewFile file = NewFile.create(Path.of(arguments[0]))) {
            file.append(content);
            file.finish();
            System.out.println("written");
        } catch (IOException e) {
            System.out.println("failed: " + e.getMessage());
        }
    }

    private static byte[] content() {
        byte[] content = new byte[SIZE];
        new Random(9).nextBytes(content);
        return content;
    }
}
