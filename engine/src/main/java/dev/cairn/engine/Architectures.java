package dev.cairn.engine;

import dev.cairn.engine.Layer.Activate;
import dev.cairn.engine.Layer.AveragePool;
import dev.cairn.engine.Layer.Convolution;
import dev.cairn.engine.Layer.Dropout;
import dev.cairn.engine.Layer.Flatten;
import dev.cairn.engine.Layer.Linear;
import dev.cairn.engine.Layer.MaxPool;
import dev.cairn.engine.Model.Network;
import java.util.ArrayList;
import java.util.List;

/// Well-known networks.
public final class Architectures {
    private static final int SMALL_SIDE = 28;
    private static final int LARGE_SIDE = 227;

    /// Gives initial weights of variance 1/inputs (LeCun et al., 1998). The variance in PyTorch is a third of it,
    /// which is too small for eight layers to learn from the first step.
    private static final double LECUN = Math.sqrt(3);

    private static final Layer RELU = new Activate(Activation.RELU);

    private Architectures() {}

    /// Fully connected layers with ReLU between them, for images with one channel. With two widths it is softmax
    /// regression.
    ///
    /// @param widths the number of inputs, which is a square; the widths of the hidden layers; the number of
    ///     classes
    public static Network fullyConnected(List<Integer> widths) {
        int side = widths.isEmpty() ? 0 : (int) Math.sqrt(widths.getFirst());
        if (widths.size() < 2 || widths.stream().anyMatch(width -> width < 1) || side * side != widths.getFirst()) {
            throw new IllegalArgumentException(
                    "widths must be two or more positive numbers, the first of them a square, not " + widths);
        }
        var layers = new ArrayList<Layer>(List.of(new Flatten()));
        for (int layer = 1; layer < widths.size(); layer++) {
            if (layer > 1) {
                layers.add(RELU);
            }
            layers.add(new Linear("fc" + layer, widths.get(layer - 1), widths.get(layer)));
        }
        return new Network(1, side, layers);
    }

    /// LeNet-5 for 28×28 grey images, with average pooling: 61,706 parameters.
    ///
    /// conv 6@5×5 (padding 2) → pool 2 → conv 16@5×5 → pool 2 → 120 → 84 → classes
    public static Network lenet5(Activation activation, int classes) {
        Layer activate = new Activate(activation);
        return new Network(
                1,
                SMALL_SIDE,
                List.of(
                        new Convolution("conv1", 1, 6, 5, 1, 2),
                        activate,
                        new AveragePool(2, 2),
                        new Convolution("conv2", 6, 16, 5, 1, 0),
                        activate,
                        new AveragePool(2, 2),
                        new Flatten(),
                        new Linear("fc1", 400, 120),
                        activate,
                        new Linear("fc2", 120, 84),
                        activate,
                        new Linear("fc3", 84, classes)));
    }

    /// AlexNet for 28×28 grey images: 29.5 million parameters. The five convolutions and three linear layers have
    /// their usual widths. Kernels and strides suit the size of the images.
    public static Network alexnet28(int classes, double dropout) {
        return new Network(
                1,
                SMALL_SIDE,
                List.of(
                        new Convolution("conv1", 1, 96, 5, 2, 2, LECUN),
                        RELU,
                        new MaxPool(2, 2),
                        new Convolution("conv2", 96, 256, 3, 1, 1, LECUN),
                        RELU,
                        new MaxPool(3, 2),
                        new Convolution("conv3", 256, 384, 3, 1, 1, LECUN),
                        RELU,
                        new Convolution("conv4", 384, 384, 3, 1, 1, LECUN),
                        RELU,
                        new Convolution("conv5", 384, 256, 3, 1, 1, LECUN),
                        RELU,
                        new Flatten(),
                        new Dropout(dropout),
                        new Linear("fc1", 2304, 4096, LECUN),
                        RELU,
                        new Dropout(dropout),
                        new Linear("fc2", 4096, 4096, LECUN),
                        RELU,
                        new Linear("fc3", 4096, classes)));
    }

    /// AlexNet for 227×227 images with three channels: 58.3 million parameters for 10 classes. It has one group,
    /// and no local response normalisation.
    public static Network alexnet227(int classes, double dropout) {
        return new Network(
                3,
                LARGE_SIDE,
                List.of(
                        new Convolution("conv1", 3, 96, 11, 4, 0, LECUN),
                        RELU,
                        new MaxPool(3, 2),
                        new Convolution("conv2", 96, 256, 5, 1, 2, LECUN),
                        RELU,
                        new MaxPool(3, 2),
                        new Convolution("conv3", 256, 384, 3, 1, 1, LECUN),
                        RELU,
                        new Convolution("conv4", 384, 384, 3, 1, 1, LECUN),
                        RELU,
                        new Convolution("conv5", 384, 256, 3, 1, 1, LECUN),
                        RELU,
                        new MaxPool(3, 2),
                        new Flatten(),
                        new Dropout(dropout),
                        new Linear("fc1", 9216, 4096, LECUN),
                        RELU,
                        new Dropout(dropout),
                        new Linear("fc2", 4096, 4096, LECUN),
                        RELU,
                        new Linear("fc3", 4096, classes)));
    }
}
