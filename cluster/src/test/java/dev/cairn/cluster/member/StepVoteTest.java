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
                new StepVote(1.5f, false, true, STEP),
                new StepVote(2, true, false, STEP),
                new StepVote(4, false, false, STEP));
        assertThat(sum).isEqualTo(new StepVote(7.5f, true, true, STEP));
        assertThat(sum(new StepVote(1, false, false, STEP), new StepVote(1, false, false, STEP)))
                .isEqualTo(new StepVote(2, false, false, STEP));
    }

    @Test
    void processesAtDifferentStepsAreFound() {
        assertThatThrownBy(() -> sum(new StepVote(0, false, false, STEP), new StepVote(0, false, false, STEP + 1)))
                .hasMessageContaining("different steps");
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
