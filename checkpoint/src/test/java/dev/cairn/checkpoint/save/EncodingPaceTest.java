package dev.cairn.checkpoint.save;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.encode.StateEncoder.Effort;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EncodingPaceTest {
    private static final long MS = 1_000_000;

    private final EncodingPace pace = new EncodingPace();
    private long now = 7;

    @Test
    void savesThatAreSeldomTakeTheUsualEffort() {
        assertThat(efforts(5, 200, 90, 45)).containsOnly(Effort.USUAL);
    }

    @Test
    void savesAfterEveryStepAreQuick() {
        assertThat(efforts(5, 50, 90, 45))
                .containsExactly(Effort.USUAL, Effort.QUICK, Effort.QUICK, Effort.QUICK, Effort.QUICK);
    }

    @Test
    void oneSlowSaveIsForgottenSoon() {
        efforts(1, 50, 3000, 0); // while the code is not compiled yet
        assertThat(efforts(3, 1000, 90, 45)).containsExactly(Effort.QUICK, Effort.USUAL, Effort.USUAL);
    }

    @Test
    void patternsReturnWhenSavesBecomeSeldom() {
        efforts(4, 50, 90, 45);
        assertThat(efforts(2, 400, 90, 45)).containsOnly(Effort.USUAL);
    }

    @Test
    void aClockThatStandsStillHurriesNobody() {
        assertThat(efforts(3, 0, 0, 0)).containsOnly(Effort.USUAL);
    }

    /// Saves so many times, at this interval, each of which takes one of these times.
    private List<Effort> efforts(int saves, long intervalMs, long usualMs, long quickMs) {
        var efforts = new ArrayList<Effort>();
        for (int i = 0; i < saves; i++) {
            now += intervalMs * MS;
            Effort effort = pace.next(now);
            efforts.add(effort);
            pace.took(effort, (effort == Effort.USUAL ? usualMs : quickMs) * MS);
        }
        return efforts;
    }
}
