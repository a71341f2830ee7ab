package dev.cairn.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
        List<String> mount = List.of("mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", disk.toString());
        assumeTrue(output(mount).isEmpty(), "mounting a tmpfs needs root: full disks are not tested here");
        try {
            assertThat(output(java(disk.resolve("file")))).contains("failed: No space left on device");
        } finally {
            output(List.of("umount", "--lazy", disk.toString()));
        }
    }

    private String write(Path file, String fault) throws Exception {
        List<String> probe =
                List.of("strace", "-qq", "-o", folder.resolve("probe").toString(), "true");
        assumeTrue(isThere(probe), "strace is missing or may not trace: real faults are not tested here");
        var command = new ArrayList<>(
                List.of("strace", "-f", "-qq", "-o", folder.resolve("trace").toString()));
        command.addAll(List.of("-e", "trace=pwrite64", "-e", "inject=pwrite64:error=" + fault));
        command.addAll(java(file));
        return output(command);
    }

    private static List<String> java(Path file) {
        return JavaProcess.command(
                List.of("-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-Dcairn.directFrom=" + DIRECT_FROM),
                RealFaultTest.class,
                file.toString());
    }

    private static boolean isThere(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return output;
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
