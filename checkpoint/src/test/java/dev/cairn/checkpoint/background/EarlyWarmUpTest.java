package dev.cairn.checkpoint.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.VectorModule;
import dev.cairn.codec.VectorWarmUp;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run warms the loops of its codec up before its first save.
class EarlyWarmUpTest {
    /// Less than a warm-up has patience with one loop.
    private static final Duration SOON = Duration.ofSeconds(20);

    /// The property by which other tests run vector code at once, which this one is about not doing.
    private static final String AT_ONCE = "cairn.vector";

    @TempDir
    Path run;

    private final String before = System.getProperty(AT_ONCE, "");

    @BeforeEach
    void needsVectors() {
        assumeTrue(VectorModule.isPresent(), "needs the vector module");
        assumeTrue(ColdProcess.loops().stream().allMatch(loop -> loop.isHot(0)), "needs vectors that are wide enough");
        System.setProperty(AT_ONCE, "");
    }

    @AfterEach
    void beAsBefore() {
        VectorWarmUp.stop();
        System.setProperty(AT_ONCE, before);
    }

    /// In a process of its own: what is hot stays so for as long as the process lives.
    @Test
    void aLargeStateHasItsLoopsHotBeforeItIsEverSaved() throws IOException {
        List<String> flags = List.of(
                "-Xmx1g",
                "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED");
        String said = Command.java(flags, ColdProcess.class, run.toString()).succeed();
        assertThat(said.lines()).containsExactly("small: 0 hot, under way: false", "large: all hot, saved: 0");
    }

    @Test
    void whoClosesTheRunEndsIt() throws Exception {
        var never = new VectorLoop(
                "test", () -> true, () -> new VectorLoop.Trial(() -> LockSupport.parkNanos(1_000_000), () -> {}));
        try (Checkpoints checkpoints = ColdProcess.open(run)) {
            checkpoints.restoreLatest(ColdProcess.state(1));
            VectorWarmUp.begin(List.of(never));
            assertThat(ColdProcess.isUnderWay()).isTrue();
        }
        assertThat(VectorWarmUp.await(SOON)).isTrue();
    }
}
