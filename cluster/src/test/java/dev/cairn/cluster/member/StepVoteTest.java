package dev.cairn.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.group.GradientExchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class StepVoteTest {
    private static final long STEP = (1L << 40) + 65_535;

    @Test
    void whatOneWantsAllLearn() {
        StepVote sum = sum(
                new StepVote(1.5f, false, true, false, STEP),
                new StepVote(2, true, false, false, STEP),
                new StepVote(4, false, false, true, STEP));
        assertThat(sum).isEqualTo(new StepVote(7.5f, true, true, true, STEP));
        assertThat(sum(quiet(1, STEP), quiet(1, STEP))).isEqualTo(quiet(2, STEP));
    }

    @Test
    void processesAtDifferentStepsAreFound() {
        assertThatThrownBy(() -> sum(quiet(0, STEP), quiet(0, STEP + 1))).hasMessageContaining("different steps");
    }

    private static StepVote quiet(float loss, long step) {
        return new StepVote(loss, false, false, false, step);
    }

    /// As a group adds up.
    private static StepVote sum(StepVote... votes) {
        int floats = GradientExchange.OWN_FLOATS;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sum = arena.allocate(ValueLayout.JAVA_FLOAT, floats);
            for (StepVote vote : votes) {
                MemorySegment one = arena.allocate(ValueLayout.JAVA_FLOAT, floats);
                vote.write(one);
                for (int i = 0; i < floats; i++) {
                    sum.setAtIndex(
                            ValueLayout.JAVA_FLOAT,
                            i,
                            sum.getAtIndex(ValueLayout.JAVA_FLOAT, i) + one.getAtIndex(ValueLayout.JAVA_FLOAT, i));
                }
            }
            return StepVote.read(sum, STEP, votes.length);
        }
    }
}
