package dev.cairn.engine;

import java.util.ArrayList;
import java.util.List;

/// What is trained: the shape of a network, without values.
public sealed interface Model {
    /// The weights in order, each name once.
    List<Parameter> parameters();

    /// LeNet-5 for 28×28 grey images, with ReLU and average pooling: 61,706 parameters.
    ///
    /// conv 6@5×5 (padding 2) → pool 2 → conv 16@5×5 → pool 2 → 120 → 84 → 10
    record Lenet5() implements Model {
        public static final int SIDE = 28;

        @Override
        public List<Parameter> parameters() {
            return List.of(
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
        }
    }

    /// Fully connected layers with ReLU between them.
    ///
    /// @param widths inputs, hidden layers, classes
    record Mlp(List<Integer> widths) implements Model {
        public Mlp {
            widths = List.copyOf(widths);
            if (widths.size() < 2 || widths.stream().anyMatch(width -> width < 1)) {
                throw new IllegalArgumentException("not the widths of a network: " + widths);
            }
        }

        public int layers() {
            return widths.size() - 1;
        }

        @Override
        public List<Parameter> parameters() {
            var parameters = new ArrayList<Parameter>();
            for (int layer = 1; layer <= layers(); layer++) {
                int inputs = widths.get(layer - 1);
                long outputs = widths.get(layer);
                parameters.add(new Parameter("fc" + layer + ".weight", List.of(outputs, (long) inputs), inputs));
                parameters.add(new Parameter("fc" + layer + ".bias", List.of(outputs), inputs));
            }
            return parameters;
        }
    }
}
