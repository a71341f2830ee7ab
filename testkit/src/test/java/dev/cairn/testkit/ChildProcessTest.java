package dev.cairn.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildProcessTest {
    private static Command bash(String script) {
        return Command.of("bash", "-c", script);
    }

    @Test
    void whatItSaysIsKnownApartOrTogether() throws IOException {
        Command both = bash("echo one; echo two >&2; echo three; exit 3");
        assertThat(both.run()).isEqualTo(new Command.Ended(3, "one\nthree\n", "two\n"));
        assertThat(both.withErrorsInOutput().run()).isEqualTo(new Command.Ended(3, "one\ntwo\nthree\n", ""));
    }

    @Test
    void aConversationGoesLineByLine() throws IOException {
        try (ChildProcess process = Command.of("cat").start()) {
            process.tell("skipped");
            process.tell("wanted");
            process.awaitLine("wanted");
            process.tell("next");
            assertThat(process.nextLine()).contains("next");
            process.tellNoMore();
            assertThat(process.nextLine()).isEmpty();
            assertThat(process.end()).isZero();
            assertThat(process.out()).isEqualTo("skipped\nwanted\nnext\n");
        }
    }

    @Test
    void moreThanAPipeHoldsDoesNotHoldItUp() throws IOException {
        assertThat(bash("head -c 1000000 /dev/zero").succeed()).hasSize(1_000_000);
    }

    @Test
    void whoeverHoldsItsOutputOpenDoesNotHoldTheTestUp() throws IOException {
        try (ChildProcess process = bash("sleep 1000 & echo $!").start()) {
            assertThat(process.end()).isZero();
            Command.of("kill", process.out().strip()).succeed();
        }
    }

    @Test
    void itIsStoppedContinuedAndKilled() throws IOException {
        ChildProcess process = Command.of("cat").start();
        try (process) {
            process.signal("STOP");
            process.tell("said");
            process.signal("CONT");
            process.awaitLine("said");
            assertThat(process.isAlive()).isTrue();
            assertThat(process.kill()).isEqualTo(ChildProcess.KILLED);
        }
        assertThat(process.out()).isEqualTo("said\n");
    }

    @Test
    void itDoesNotOutliveItsTest() throws IOException {
        ChildProcess process = Command.of("cat").start();
        process.close();
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void aFailureTellsWhatItSaid() throws IOException {
        assertThatThrownBy(() -> bash("echo reason; exit 1").succeed())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("reason");
        try (ChildProcess process = bash("echo reason >&2").start()) {
            assertThatThrownBy(() -> process.awaitLine("never"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("reason");
        }
    }

    @Test
    void aProgramThatIsMissingDoesNotSucceed() {
        assertThat(Command.of("no-such-program").succeeds()).isFalse();
        assertThat(Command.of("true").succeeds()).isTrue();
    }

    @Test
    void variablesAndStartersArePassedOn() throws IOException {
        Command command = Command.of("printenv", "CAIRN_TEST").withVariable("CAIRN_TEST", "here");
        assertThat(command.startedBy(List.of("env")).succeed()).isEqualTo("here\n");
    }
}
