package dev.cairn.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Builds, signals in every phase before Java listens, and paths.
class LauncherTest {
    @TempDir
    Path folder;

    @Test
    void buildsOnceAndAgainWhereASourceIsNewer() throws Exception {
        var project = SmallProject.make(folder);
        assertThat(project.run("ls", "a b")).isZero();
        assertThat(project.run("ls")).isZero();
        assertThat(project.lines("maven.log")).hasSize(1);
        assertThat(project.lines("java.log")).first().asString().endsWith("dev.cairn.app.Main ls a b");
        Files.writeString(folder.resolve("app/src/main/New.java"), "");
        Files.setLastModifiedTime(
                folder.resolve("app/src/main/New.java"),
                FileTime.from(Instant.now().plusSeconds(5)));
        assertThat(project.run("ls")).isZero();
        assertThat(project.lines("maven.log")).hasSize(2);
    }

    @Test
    void aBuildTakesNothingAwayFromAnotherInTheSameTree() throws Exception {
        var project = SmallProject.make(folder);
        List<Path> others = List.of(
                folder.resolve("app/target/classes/A.class"),
                folder.resolve("app/target/cairn-app-0.1.0.jar"),
                folder.resolve("app/target/lib/b.jar"),
                folder.resolve("store/target/classes/B.class"));
        for (Path each : others) {
            Files.createDirectories(each.getParent());
            Files.writeString(each, "");
        }
        assertThat(project.run("ls")).isZero();
        assertThat(others).allSatisfy(each -> assertThat(each).exists());
        assertThat(folder.resolve("app/target/launcher-build")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"maven, TERM", "maven, HUP", "maven, USR1", "rehearsal, TERM", "rehearsal, USR1", "lock, TERM"})
    void aNoticeToATrainingIsExitCode75InEveryPhase(String phase, String signal) throws Exception {
        var project = SmallProject.make(folder);
        project.hold(phase.equals("rehearsal") ? phase : "maven");
        try (ChildProcess first = project.start("train", "lr")) {
            project.awaitLine(phase.equals("rehearsal") ? "rehearsal.log" : "maven.log");
            if (phase.equals("lock")) {
                try (ChildProcess second = project.start("train", "lr")) {
                    Eventually.holds(
                            "the second waits",
                            () -> second.out().contains("waiting for another cairn that is building"));
                    second.signal(signal);
                    assertThat(second.end()).as(second.out()).isEqualTo(75);
                    assertThat(first.isAlive()).isTrue();
                }
            }
            first.signal(signal);
            assertThat(first.end()).as(first.out()).isEqualTo(75);
            assertThat(first.out()).contains(phase.equals("rehearsal") ? "preparing fast starts" : "build");
            assertGone(project, "maven.log");
            assertGone(project, "rehearsal.log");
            assertThat(project.lines("java.log")).isEmpty();
            goesOn(project, phase);
        }
    }

    /// In the old order of steps the launcher did not know the child yet, and waited for it for ever.
    @Test
    void aNoticeRightAfterTheStartOfAChildIsExitCode75() throws Exception {
        var project = SmallProject.make(folder);
        project.hold("maven");
        try (ChildProcess builds = project.start("train", "lr")) {
            project.awaitLine("maven.log");
            project.signalAfterTheStartOfAChild();
            try (ChildProcess waits = project.start("train", "lr")) {
                assertThat(waits.end()).as(waits.out()).isEqualTo(75);
            }
            assertThat(builds.isAlive()).isTrue();
            builds.signal("TERM");
            assertThat(builds.end()).as(builds.out()).isEqualTo(75);
            try (ChildProcess buildsNow = project.start("train", "lr")) {
                assertThat(buildsNow.end()).as(buildsNow.out()).isEqualTo(75);
            }
            assertGone(project, "maven.log");
        }
    }

    /// The same command goes on, and nothing is in its way.
    private static void goesOn(SmallProject project, String phase) throws Exception {
        project.letGo(phase.equals("rehearsal") ? phase : "maven");
        try (ChildProcess again = project.start("train", "lr")) {
            assertThat(again.end()).as(again.out()).isZero();
            assertThat(project.lines("java.log")).singleElement().asString().endsWith("dev.cairn.app.Main train lr");
        }
    }

    private static void assertGone(SmallProject project, String log) {
        assertThat(project.lines(log))
                .allSatisfy(
                        pid -> assertThat(ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive))
                                .isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"maven", "rehearsal"})
    void aSignalToAnotherCommandEndsItAsSignalsDo(String phase) throws Exception {
        var project = SmallProject.make(folder);
        project.hold(phase);
        try (ChildProcess started = project.start("ls")) {
            project.awaitLine(phase + ".log");
            started.signal("TERM");
            assertThat(started.end()).as(started.out()).isEqualTo(143);
            assertGone(project, phase + ".log");
        }
    }

    @Test
    void ofTwoAtOnceOneBuilds() throws Exception {
        var project = SmallProject.make(folder);
        project.hold("maven");
        try (ChildProcess first = project.start("ls")) {
            project.awaitLine("maven.log");
            try (ChildProcess second = project.start("ls")) {
                Eventually.holds("the second waits", () -> second.out().contains("waiting"));
                project.letGo("maven");
                ProcessHandle.of(Long.parseLong(project.lines("maven.log").getFirst()))
                        .ifPresent(ProcessHandle::destroy);
                assertThat(first.end()).as("its build was stopped").isEqualTo(1);
                assertThat(second.end()).as(second.out()).isZero();
                assertThat(project.lines("maven.log")).hasSize(2);
            }
        }
    }

    @Test
    void aBuildThatFailsIsToldInOneLineWithItsCure() throws Exception {
        var project = SmallProject.make(folder);
        Files.writeString(project.file("maven.fail"), "");
        try (ChildProcess started = project.start("train", "lr")) {
            assertThat(started.end()).isEqualTo(1);
            assertThat(started.out().lines())
                    .last()
                    .asString()
                    .startsWith("cairn: cannot build: the sources do not compile; mend the errors above; then run");
            Files.delete(project.file("maven.fail"));
            assertThat(project.run("ls")).isZero();
        }
    }

    /// Java divides a class path there, and has no way to escape it.
    @ParameterizedTest
    @ValueSource(strings = {"a:b", "with space", "plain"})
    void aPathMayHoldWhatFoldersMay(String name) throws IOException, InterruptedException {
        var project = SmallProject.withRealJava(folder.resolve(name));
        try (ChildProcess first = project.start("train", "x:y")) {
            assertThat(first.end()).as(first.out()).isZero();
            assertThat(first.out()).endsWith("ran train x:y\n");
            try (ChildProcess second = project.start("ls")) {
                assertThat(second.end()).as(second.out()).isZero();
                assertThat(second.out()).isEqualTo("ran ls\n");
            }
        }
    }
}
