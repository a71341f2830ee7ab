package dev.cairn.engine;

import java.util.List;

/// One layer of a [Model.Network]. Images are channels × height × width; what follows a [Flatten] is one row an
/// example, channel after channel.
public sealed interface Layer {
    /// The weights in order; none for most layers.
    default List<Parameter> parameters() {
        return List.of();
    }

    /// Square kernels, the same padding of zeros on all sides; weights are outputs × inputs × kernel × kernel.
    ///
    /// @param start where weights start: uniform in ±start/√(inputs × kernel × kernel)
    record Convolution(String name, int inputs, int outputs, int kernel, int stride, int padding, double start)
            implements Layer {
        /// Weights start as in PyTorch.
        public Convolution(String name, int inputs, int outputs, int kernel, int stride, int padding) {
            this(name, inputs, outputs, kernel, stride, padding, 1);
        }

        @Override
        public List<Parameter> parameters() {
            long side = kernel;
            double bound = 1 / Math.sqrt((double) inputs * kernel * kernel);
            return List.of(
                    new Parameter(name + ".weight", List.of((long) outputs, (long) inputs, side, side), start * bound),
                    new Parameter(name + ".bias", List.of((long) outputs), bound));
        }
    }

    /// Fully connected; weights are outputs × inputs.
    ///
    /// @param start where weights start: uniform in ±start/√inputs
    record Linear(String name, int inputs, int outputs, double start) implements Layer {
        /// Weights start as in PyTorch.
        public Linear(String name, int inputs, int outputs) {
            this(name, inputs, outputs, 1);
        }

        @Override
        public List<Parameter> parameters() {
            double bound = 1 / Math.sqrt(inputs);
            return List.of(
                    new Parameter(name + ".weight", List.of((long) outputs, (long) inputs), start * bound),
                    new Parameter(name + ".bias", List.of((long) outputs), bound));
        }
    }

    /// The mean of each window.
    record AveragePool(int window, int stride) implements Layer {}

    /// The largest of each window.
    record MaxPool(int window, int stride) implements Layer {}

    /// Each value on its own.
    record Activate(Activation activation) implements Layer {}

    /// From images to rows.
    record Flatten() implements Layer {}

    /// In training, values are zero with this probability, and the others larger by as much; else it does nothing.
    record Dropout(double probability) implements Layer {}
}
