package dev.cairn.checkpoint;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Cuts;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A state with a tensor of every type and role that codecs treat in their own way: weights that move a little in each
/// of the four types of real numbers, random bits of all types (which are NaNs, too), a tensor of two names, one in
/// parts, a single number, and an empty one.
final class ManyKindsState implements TrainingState {
    /// Enough for differences in lanes, with a last row that is not full.
    private static final long MANY = 4099;

    /// Enough to be quantized.
    private static final long FEW = 1051;

    private final Random random;
    private final List<LiveTensor> moving = new ArrayList<>();
    private final List<LiveTensor> noise = new ArrayList<>();
    private final List<LiveTensor> all = new ArrayList<>();

    ManyKindsState(long seed) {
        random = new Random(seed);
        for (ElementType type : List.of(ElementType.FLOAT64, ElementType.FLOAT16, ElementType.BFLOAT16)) {
            moving.add(tensor(new TensorSpec("weight/" + type.label(), type, List.of(FEW), Role.WEIGHT)));
        }
        moving.add(tensor(new TensorSpec("weight", ElementType.FLOAT32, List.of(MANY), Role.WEIGHT)));
        moving.add(tensor(new TensorSpec("m/weight", ElementType.FLOAT32, List.of(MANY), Role.FIRST_MOMENT)));
        moving.add(tensor(new TensorSpec("v/weight", ElementType.FLOAT32, List.of(MANY), Role.SECOND_MOMENT)));
        Cuts.random(new TensorSpec("cut", ElementType.FLOAT32, List.of(40L, 50L), Role.WEIGHT), 4, new Random(seed))
                .forEach(part -> moving.add(tensor(part)));
        for (ElementType type : ElementType.values()) {
            noise.add(tensor(new TensorSpec("bits/" + type.label(), type, List.of(9L, 7L), Role.BUFFER)));
        }
        noise.add(
                tensor(new TensorSpec("a \"single\"\tnumber \u2603", ElementType.FLOAT64, List.of(), Role.OPTIMIZER)));
        noise.add(tensor(new TensorSpec("empty", ElementType.INT64, List.of(3L, 0L), Role.CURSOR)));
        all.addAll(moving);
        all.addAll(noise);
        LiveTensor lone = moving.getFirst();
        all.add(new LiveTensor(
                new TensorSpec(
                        "tied",
                        lone.spec().type(),
                        lone.spec().shape(),
                        lone.spec().role()),
                lone.memory()));
        moving.forEach(tensor -> change(tensor, 1));
        noise.forEach(this::scatter);
    }

    private static LiveTensor tensor(TensorSpec spec) {
        return new LiveTensor(spec, Arena.ofAuto().allocate(spec.sizeBytes(), 64));
    }

    /// Moves most of the weights, and replaces some of the other tensors.
    void makeStep() {
        moving.forEach(tensor -> change(tensor, 0.01));
        noise.stream().filter(_ -> random.nextInt(3) == 0).forEach(this::scatter);
    }

    private void scatter(LiveTensor tensor) {
        byte[] bytes = new byte[(int) tensor.spec().sizeBytes()];
        random.nextBytes(bytes);
        tensor.memory().copyFrom(MemorySegment.ofArray(bytes));
    }

    private void change(LiveTensor tensor, double size) {
        boolean positive = tensor.spec().role() == Role.SECOND_MOMENT;
        long count = tensor.spec().sizeBytes() / tensor.spec().type().sizeBytes();
        for (long i = 0; i < count; i++) {
            if (random.nextInt(5) > 0) {
                double value = get(tensor, i) + size * random.nextGaussian();
                set(tensor, i, positive ? Math.abs(value) : value);
            }
        }
    }

    private static double get(LiveTensor tensor, long i) {
        return switch (tensor.spec().type()) {
            case FLOAT64 -> tensor.memory().getAtIndex(ValueLayout.JAVA_DOUBLE, i);
            case FLOAT16 -> Float.float16ToFloat(tensor.memory().getAtIndex(ValueLayout.JAVA_SHORT, i));
            case BFLOAT16 -> Float.intBitsToFloat(tensor.memory().getAtIndex(ValueLayout.JAVA_SHORT, i) << 16);
            default -> tensor.memory().getAtIndex(ValueLayout.JAVA_FLOAT, i);
        };
    }

    private static void set(LiveTensor tensor, long i, double value) {
        float single = (float) value;
        switch (tensor.spec().type()) {
            case FLOAT64 -> tensor.memory().setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
            case FLOAT16 -> tensor.memory().setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16(single));
            case BFLOAT16 ->
                tensor.memory().setAtIndex(ValueLayout.JAVA_SHORT, i, (short) (Float.floatToRawIntBits(single) >>> 16));
            default -> tensor.memory().setAtIndex(ValueLayout.JAVA_FLOAT, i, single);
        }
    }

    @Override
    public List<LiveTensor> tensors() {
        return all;
    }

    @Override
    public Attributes attributes() {
        return Attributes.empty();
    }

    @Override
    public void restored(long step, Attributes attributes) {}
}
