package dev.cairn.engine;

import java.util.List;

/// LeNet-5 for 28×28 grey images, with ReLU and average pooling: 61,706 parameters.
///
/// conv 6@5×5 (padding 2) → pool 2 → conv 16@5×5 → pool 2 → 120 → 84 → 10
public final class Lenet5 {
    public static final int SIDE = 28;
    public static final int CLASSES = 10;

    public static final List<Parameter> PARAMETERS = List.of(
            new Parameter("conv1.weight", List.of(6L, 1L, 5L, 5L), 25),
            new Parameter("conv1.bias", List.of(6L), 25),
            new Parameter("conv2.weight", List.of(16L, 6L, 5L, 5L), 150),
            new Parameter("conv2.bias", List.of(16L), 150),
            new Parameter("fc1.weight", List.of(120L, 400L), 400),
            new Parameter("fc1.bias", List.of(120L), 400),
            new Parameter("fc2.weight", List.of(84L, 120L), 120),
            new Parameter("fc2.bias", List.of(84L), 120),
            new Parameter("fc3.weight", List.of(10L, 84L), 84),
            new Parameter("fc3.bias", List.of(10L), 84));

    private Lenet5() {}
}
