package dev.cairn.engine;

import java.util.List;

/// One layer of a [Model.Network]. Images have the shape channels × height × width. After a [Flatten] each example
/// is one row, channel after channel.
public sealed interface Layer {
    /// The weights in order. Most layers have none.
    default List<Parameter> parameters() {
        return List.of();
    }

    /// A convolution with square kernels and the same zero padding on all sides. The weights have the shape
    /// outputs × inputs × kernel × kernel.
    ///
    /// @param start the initial weights are uniform in ±start/√(inputs × kernel × kernel)
    record Convolution(String name, int inputs, int outputs, int kernel, int stride, int padding, double start)
            implements Layer {
        /// Creates a layer with the initial weights of PyTorch.
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

    /// A fully connected layer. The weights have the shape outputs × inputs.
    ///
    /// @param start the initial weights are uniform in ±start/√inputs
    record Linear(String name, int inputs, int outputs, double start) implements Layer {
        /// Creates a layer with the initial weights of PyTorch.
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

    /// Computes the mean of each window.
    record AveragePool(int window, int stride) implements Layer {}

    /// Computes the maximum of each window.
    record MaxPool(int window, int stride) implements Layer {}

    /// Applies the function to each value.
    record Activate(Activation activation) implements Layer {}

    /// Converts each image to one row.
    record Flatten() implements Layer {}

    /// In training, sets values to zero with this probability, and scales the others up to keep the mean. In
    /// evaluation it does nothing.
    record Dropout(double probability) implements Layer {}
}
