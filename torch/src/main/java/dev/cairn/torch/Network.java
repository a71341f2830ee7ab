package dev.cairn.torch;

import dev.cairn.engine.Activation;
import dev.cairn.engine.Layer;
import dev.cairn.engine.Model;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/// The forward pass: from images to the logits of their classes.
final class Network {
    private static final long[] NONE = {0, 0};
    private static final long[] ONE = {1, 1};

    private final Model.Network model;
    private final FlatTensors weights;

    Network(Model.Network model, FlatTensors weights) {
        this.model = model;
        this.weights = weights;
    }

    /// @param images float32, one row of pixels for each image
    Tensor train(Tensor images) {
        return forward(images, true, null);
    }

    /// Evaluates without dropout.
    ///
    /// @param activity receives the outputs of ReLUs
    Tensor evaluate(Tensor images, UnitActivity activity) {
        return forward(images, false, activity);
    }

    private Tensor forward(Tensor images, boolean training, @Nullable UnitActivity activity) {
        // The rows are flattened images already.
        Tensor values = model.layers().getFirst() instanceof Layer.Flatten
                ? images
                : images.view(images.size(0), model.channels(), model.side(), model.side());
        int relus = 0;
        for (Layer layer : model.layers()) {
            values = apply(layer, values, training);
            if (activity != null
                    && layer instanceof Layer.Activate(Activation activation)
                    && activation == Activation.RELU) {
                activity.saw(relus++, values);
            }
        }
        return values;
    }

    private Tensor apply(Layer layer, Tensor values, boolean training) {
        return switch (layer) {
            case Layer.Convolution convolution ->
                torch.conv2d(
                        values,
                        weights.get(convolution.name() + ".weight"),
                        new TensorOptional(weights.get(convolution.name() + ".bias")),
                        both(convolution.stride()),
                        both(convolution.padding()),
                        ONE,
                        1);
            case Layer.Linear linear ->
                torch.linear(
                        values,
                        weights.get(linear.name() + ".weight"),
                        new TensorOptional(weights.get(linear.name() + ".bias")));
            case Layer.AveragePool pool ->
                torch.avg_pool2d(
                        values, both(pool.window()), both(pool.stride()), NONE, false, true, new LongOptional());
            case Layer.MaxPool pool ->
                torch.max_pool2d(values, both(pool.window()), both(pool.stride()), NONE, ONE, false);
            case Layer.Activate(Activation activation) ->
                switch (activation) {
                    case RELU -> torch.relu(values);
                    case TANH -> torch.tanh(values);
                };
            case Layer.Flatten _ -> values.dim() == 2 ? values : values.flatten(1, -1);
            case Layer.Dropout(double probability) -> training ? torch.dropout(values, probability, true) : values;
        };
    }

    private static long[] both(long value) {
        return new long[] {value, value};
    }
}
