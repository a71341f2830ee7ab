package dev.cairn.cluster.member;

import dev.cairn.engine.group.GradientExchange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What the processes of a group tell each other with the gradients of a step, as floats that are added up.
///
/// @param loss the sum of the losses
/// @param stops whether a process got a notice: all stop after this step
/// @param saves whether the leader saves the state after this step
/// @param regroups whether a process was told to form again with more: all do after this step
record StepVote(float loss, boolean stops, boolean saves, boolean regroups, long step) {
    static final StepVote NONE = new StepVote(0, false, false, false, 0);

    private static final int LOSS = 0;
    private static final int STOPS = 1;
    private static final int SAVES = 2;
    private static final int STEP = 3;
    private static final int REGROUPS = 4;

    /// Steps are compared by their last digits, so that their sum is exact in a float.
    private static final long STEP_DIGITS = 1 << 16;

    void write(MemorySegment floats) {
        for (int i = 0; i < GradientExchange.OWN_FLOATS; i++) {
            put(floats, i, 0);
        }
        put(floats, LOSS, loss);
        put(floats, STOPS, stops ? 1 : 0);
        put(floats, SAVES, saves ? 1 : 0);
        put(floats, REGROUPS, regroups ? 1 : 0);
        put(floats, STEP, (int) (step % STEP_DIGITS));
    }

    /// @param size the number of processes
    static StepVote read(MemorySegment floats, long step, int size) {
        if (get(floats, STEP) != step % STEP_DIGITS * size) {
            throw new IllegalStateException("the processes of the group are at different steps: this one at " + step);
        }
        return new StepVote(
                get(floats, LOSS), get(floats, STOPS) > 0, get(floats, SAVES) > 0, get(floats, REGROUPS) > 0, step);
    }

    private static void put(MemorySegment floats, int place, float value) {
        floats.setAtIndex(ValueLayout.JAVA_FLOAT, place, value);
    }

    private static float get(MemorySegment floats, int place) {
        return floats.getAtIndex(ValueLayout.JAVA_FLOAT, place);
    }
}
