package dev.cairn.checkpoint;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// A training without a framework: after n steps every value is a known function of n.
public class CountingState implements TrainingState {
    private static final int VALUES = 1000;

    private final MemorySegment values;
    private final LiveTensor tensor;
    public long step;

    public CountingState() {
        this("counts", VALUES);
    }

    public CountingState(String name, int values) {
        this.values = Arena.ofAuto().allocate(8L * values, 64);
        this.tensor = new LiveTensor(
                new TensorSpec(name, ElementType.INT64, List.of((long) values), Role.WEIGHT), this.values);
    }

    public void makeStep() {
        step++;
        for (long i = 0; i < values.byteSize() / 8; i++) {
            values.setAtIndex(ValueLayout.JAVA_LONG, i, valueAt(step, i));
        }
    }

    public boolean isAt(long expectedStep) {
        boolean matches = step == expectedStep;
        for (long i = 0; i < values.byteSize() / 8; i++) {
            matches &= values.getAtIndex(ValueLayout.JAVA_LONG, i) == valueAt(expectedStep, i);
        }
        return matches;
    }

    private static long valueAt(long step, long i) {
        return step == 0 ? 0 : step * 1_000_003 + i * i;
    }

    @Override
    public List<LiveTensor> tensors() {
        return List.of(tensor);
    }

    @Override
    public Attributes attributes() {
        return Attributes.empty().with("step", step).with("score", -Math.abs(step - 7.0));
    }

    @Override
    public void restored(long restoredStep, Attributes attributes) {
        step = restoredStep;
    }
}
