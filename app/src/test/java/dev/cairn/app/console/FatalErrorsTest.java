package dev.cairn.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.app.Cli;
import dev.cairn.app.Main;
import dev.cairn.app.SmallRun;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Errors of the JVM reach a user as one line, and end the program with 1.
class FatalErrorsTest {
    @TempDir
    Path folder;

    @Test
    void anErrorIsOneLineAndItsStackIsShownWhenAskedFor() throws IOException {
        String run = SmallRun.train(folder.resolve("small"), "full", 1, 1).toString();
        for (Error error : List.of(
                new OutOfMemoryError("Java heap space"), new InternalError("a fault"), new StackOverflowError())) {
            String told = errorsOf(error, "ls", run);
            assertThat(told.lines()).singleElement().asString().startsWith("cairn: ");
            assertThat(errorsOf(error, "ls", run, "--verbose").lines())
                    .hasSizeGreaterThan(3)
                    .contains(told.strip());
        }
    }

    /// What the program says where its output cannot be written for this reason.
    private static String errorsOf(Error error, String... args) {
        var failing = new Writer() {
            @Override
            public void write(char[] text, int from, int length) {
                throw error;
            }

            @Override
            public void flush() {
                throw error;
            }

            @Override
            public void close() {}
        };
        Cli failed = Cli.run(failing, args);
        assertThat(failed.code()).isEqualTo(1);
        return failed.err();
    }

    @Test
    void everyKindHasItsCure() {
        assertThat(Failures.describe(new OutOfMemoryError("Java heap space"))).contains("-Xmx");
        assertThat(Failures.describe(new OutOfMemoryError("Cannot reserve 8 bytes of direct buffer memory")))
                .contains("end other programs");
        assertThat(Failures.describe(new OutOfMemoryError("unable to create native thread: …")))
                .contains("ulimit -u");
        assertThat(Failures.describe(new StackOverflowError())).contains("-Xss");
        assertThat(Failures.describe(new NoClassDefFoundError("dev/cairn/Any"))).contains("ulimit -n");
        var openFiles = new IOException("/dev/null: Too many open files");
        for (Throwable failure :
                List.of(openFiles, new InternalError(openFiles), new ExceptionInInitializerError(openFiles))) {
            assertThat(Failures.describe(failure)).contains("ulimit -n");
        }
        assertThat(Failures.describe(new IllegalStateException(new OutOfMemoryError("Java heap space"))))
                .contains("-Xmx");
    }

    @Test
    void aHeapThatIsTooSmallIsOneLine() throws Exception {
        String run = folder.resolve("run").toString();
        String told = failsInOneLine("", "-Xmx12m", "train", "lenet", "--run", run, "--steps", "2");
        assertThat(told).contains("cairn: out of memory: ", "CAIRN_JAVA_OPTS=-Xmx");
    }

    @Test
    void aLimitOfOpenFilesThatIsTooLowIsOneLine() throws Exception {
        String run = folder.resolve("run").toString();
        for (int most : new int[] {24, 32, 40}) {
            String told = failsInOneLine(
                    "ulimit -n " + most + "; ", "-Xmx256m", "train", "lenet", "--run", run, "--steps", "2");
            assertThat(told).contains("ulimit -n");
        }
    }

    private static String failsInOneLine(String before, String flag, String... args) throws Exception {
        var words = new ArrayList<>(List.of(
                "bash",
                "-c",
                before + "exec \"$@\"",
                "bash",
                JavaProcess.java(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                flag,
                "-cp",
                classPath(),
                Main.class.getName()));
        words.addAll(List.of(args));
        Command.Ended ended = Command.of(words).run();
        assertThat(ended.err().lines())
                .as(ended.err())
                .singleElement()
                .asString()
                .startsWith("cairn: ");
        assertThat(ended.code()).isEqualTo(1);
        return ended.err();
    }

    /// With what the program needs to begin in front: where that cannot be opened it is Java that tells.
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .sorted(Comparator.comparing(each -> !each.contains("picocli")))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
