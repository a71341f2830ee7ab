package dev.cairn.tensorflow.model;

import dev.cairn.engine.Activation;
import dev.cairn.engine.Layer;
import dev.cairn.engine.Model;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The layers of a network from images to logits. TensorFlow computes with channels last; weights and rows are planar
/// as in [Layer]. The graph transposes between the two.
final class ForwardPass {
    private static final int[] PLANAR_TO_LAST = {0, 2, 3, 1};
    private static final int[] LAST_TO_PLANAR = {0, 3, 1, 2};

    /// The layout of `values`.
    private enum Layout {
        PLANAR,
        CHANNELS_LAST,
        ROWS
    }

    private final GraphBuilder graph;
    private final Variables variables;
    private final Optional<Chance> chance;
    private final List<Output> activities = new ArrayList<>();
    private Output values;
    private Layout layout = Layout.PLANAR;
    private int channels;
    private int side;

    /// @param chance empty to disable dropout
    ForwardPass(GraphBuilder graph, Variables variables, Output images, Model.Network model, Optional<Chance> chance) {
        this.graph = graph;
        this.variables = variables;
        this.chance = chance;
        this.values = images;
        this.channels = model.channels();
        this.side = model.side();
        for (int place = 0; place < model.layers().size(); place++) {
            apply(model.layers().get(place), place);
        }
    }

    Output logits() {
        return values;
    }

    /// The largest output of every ReLU unit over the batch, in one vector.
    Optional<Output> activity() {
        if (activities.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                activities.size() == 1
                        ? activities.getFirst()
                        : graph.node("ConcatV2")
                                .list(activities)
                                .in(graph.axis(0))
                                .output());
    }

    private void apply(Layer layer, int place) {
        switch (layer) {
            case Layer.Convolution convolution -> convolve(convolution);
            case Layer.Linear linear -> {
                Output product = graph.node("MatMul")
                        .in(values)
                        .in(weight(linear.name(), "weight"))
                        .flag("transpose_b")
                        .output();
                values = graph.binary("BiasAdd", product, weight(linear.name(), "bias"));
                channels = linear.outputs();
            }
            case Layer.AveragePool(int window, int stride) -> pool("AvgPool", window, stride);
            case Layer.MaxPool(int window, int stride) -> pool("MaxPool", window, stride);
            case Layer.Activate(Activation activation) -> activate(activation);
            case Layer.Flatten _ -> {
                toPlanar();
                channels *= side * side;
                values = graph.reshape(values, -1, channels);
                layout = Layout.ROWS;
            }
            case Layer.Dropout(double probability) ->
                chance.ifPresent(c -> values = c.dropout(values, probability, place, example()));
        }
    }

    private void convolve(Layer.Convolution layer) {
        toChannelsLast();
        boolean same = layer.stride() == 1 && layer.kernel() == 2 * layer.padding() + 1;
        if (layer.padding() > 0 && !same) {
            int pad = layer.padding();
            Output borders = graph.matrix(2, 0, 0, pad, pad, pad, pad, 0, 0);
            values = graph.binary("Pad", values, borders);
        }
        Output filter = graph.binary("Transpose", weight(layer.name(), "weight"), graph.vector(2, 3, 1, 0));
        Output product = graph.node("Conv2D")
                .in(values)
                .in(filter)
                .integers("strides", 1, layer.stride(), layer.stride(), 1)
                .text("padding", same ? "SAME" : "VALID")
                .output();
        values = graph.binary("BiasAdd", product, weight(layer.name(), "bias"));
        channels = layer.outputs();
        side = (side + 2 * layer.padding() - layer.kernel()) / layer.stride() + 1;
    }

    private void pool(String type, int window, int stride) {
        toChannelsLast();
        values = graph.node(type)
                .in(values)
                .integers("ksize", 1, window, window, 1)
                .integers("strides", 1, stride, stride, 1)
                .text("padding", "VALID")
                .output();
        side = (side - window) / stride + 1;
    }

    private void activate(Activation activation) {
        switch (activation) {
            case TANH -> values = graph.unary("Tanh", values);
            case RELU -> {
                values = graph.unary("Relu", values);
                int[] allButUnits = switch (layout) {
                    case PLANAR -> new int[] {0, 2, 3};
                    case CHANNELS_LAST -> new int[] {0, 1, 2};
                    case ROWS -> new int[] {0};
                };
                activities.add(graph.binary("Max", values, graph.vector(allButUnits)));
            }
        }
    }

    private int[] example() {
        return switch (layout) {
            case PLANAR -> new int[] {channels, side, side};
            case CHANNELS_LAST -> new int[] {side, side, channels};
            case ROWS -> new int[] {channels};
        };
    }

    private void toChannelsLast() {
        if (layout == Layout.PLANAR) {
            values = channels == 1
                    ? graph.reshape(values, -1, side, side, 1)
                    : graph.binary("Transpose", values, graph.vector(PLANAR_TO_LAST));
            layout = Layout.CHANNELS_LAST;
        }
    }

    private void toPlanar() {
        if (layout == Layout.CHANNELS_LAST) {
            values = side == 1 ? values : graph.binary("Transpose", values, graph.vector(LAST_TO_PLANAR));
            layout = Layout.PLANAR;
        }
    }

    private Output weight(String layer, String part) {
        return variables.get(layer + "." + part).value();
    }
}
