package dev.cairn.tensorflow;

import dev.cairn.engine.Activation;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Layer;
import dev.cairn.engine.Model;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Networks in float64 and plain loops, forward and backward, to compare with the engine's arithmetic.
final class ReferenceNetwork {
    private final Model.Network model;
    private final Map<String, double[]> weights;
    private final Map<String, double[]> gradients = new HashMap<>();

    ReferenceNetwork(Model.Network model, Map<String, double[]> weights) {
        this.model = model;
        this.weights = weights;
    }

    /// The shape of one example at a place in the network.
    private record Shape(int channels, int side) {
        int size() {
            return channels * side * side;
        }

        int at(int channel, int y, int x) {
            return (channel * side + y) * side + x;
        }
    }

    /// The gradients of the batch's mean cross-entropy, by weight.
    Map<String, double[]> gradients(Batch.Labelled batch) {
        gradients.clear();
        weights.forEach((name, values) -> gradients.put(name, new double[values.length]));
        int pixels = model.channels() * model.side() * model.side();
        for (int example = 0; example < batch.size(); example++) {
            double[] image = new double[pixels];
            for (int i = 0; i < pixels; i++) {
                image[i] = batch.images().getAtIndex(ValueLayout.JAVA_FLOAT, (long) example * pixels + i);
            }
            int label = (int) batch.labels().getAtIndex(ValueLayout.JAVA_LONG, example);
            learn(image, label, batch.size());
        }
        return gradients;
    }

    private void learn(double[] image, int label, int examples) {
        List<double[]> values = new ArrayList<>(List.of(image));
        List<Shape> shapes = new ArrayList<>(List.of(new Shape(model.channels(), model.side())));
        for (Layer layer : model.layers()) {
            Shape next = shape(layer, shapes.getLast());
            values.add(forward(layer, values.getLast(), shapes.getLast(), next));
            shapes.add(next);
        }
        double[] slope = crossEntropySlope(values.getLast(), label, examples);
        for (int i = model.layers().size() - 1; i >= 0; i--) {
            slope = backward(
                    model.layers().get(i), values.get(i), values.get(i + 1), slope, shapes.get(i), shapes.get(i + 1));
        }
    }

    private static double[] crossEntropySlope(double[] logits, int label, int examples) {
        double largest = Arrays.stream(logits).max().orElseThrow();
        double sum =
                Arrays.stream(logits).map(logit -> Math.exp(logit - largest)).sum();
        double[] slope = new double[logits.length];
        for (int i = 0; i < slope.length; i++) {
            slope[i] = (Math.exp(logits[i] - largest) / sum - (i == label ? 1 : 0)) / examples;
        }
        return slope;
    }

    private static Shape shape(Layer layer, Shape in) {
        return switch (layer) {
            case Layer.Convolution c ->
                new Shape(c.outputs(), (in.side + 2 * c.padding() - c.kernel()) / c.stride() + 1);
            case Layer.Linear linear -> new Shape(linear.outputs(), 1);
            case Layer.AveragePool p -> new Shape(in.channels, (in.side - p.window()) / p.stride() + 1);
            case Layer.MaxPool p -> new Shape(in.channels, (in.side - p.window()) / p.stride() + 1);
            case Layer.Flatten _ -> new Shape(in.size(), 1);
            case Layer.Activate _, Layer.Dropout _ -> in;
        };
    }

    private double[] forward(Layer layer, double[] x, Shape in, Shape out) {
        double[] y = new double[out.size()];
        switch (layer) {
            case Layer.Convolution c -> {
                double[] bias = weight(c.name() + ".bias");
                for (int i = 0; i < y.length; i++) {
                    y[i] = bias[i / (out.side * out.side)];
                }
                double[] kernel = weight(c.name() + ".weight");
                taps(c, in, out, (from, weight, to) -> y[to] += x[from] * kernel[weight]);
            }
            case Layer.Linear linear -> {
                double[] matrix = weight(linear.name() + ".weight");
                double[] bias = weight(linear.name() + ".bias");
                for (int to = 0; to < y.length; to++) {
                    y[to] = bias[to];
                    for (int from = 0; from < x.length; from++) {
                        y[to] += x[from] * matrix[to * x.length + from];
                    }
                }
            }
            case Layer.AveragePool p ->
                windows(p.window(), p.stride(), in, out, (from, to) -> y[to] += x[from] / (p.window() * p.window()));
            case Layer.MaxPool p -> {
                Arrays.fill(y, Double.NEGATIVE_INFINITY);
                windows(p.window(), p.stride(), in, out, (from, to) -> y[to] = Math.max(y[to], x[from]));
            }
            case Layer.Activate(Activation activation) -> {
                for (int i = 0; i < y.length; i++) {
                    y[i] = activation == Activation.RELU ? Math.max(0, x[i]) : Math.tanh(x[i]);
                }
            }
            case Layer.Flatten _, Layer.Dropout _ -> System.arraycopy(x, 0, y, 0, y.length);
        }
        return y;
    }

    private double[] backward(Layer layer, double[] x, double[] y, double[] slope, Shape in, Shape out) {
        double[] back = new double[x.length];
        switch (layer) {
            case Layer.Convolution c -> {
                double[] kernel = weight(c.name() + ".weight");
                double[] ofKernel = gradient(c.name() + ".weight");
                double[] ofBias = gradient(c.name() + ".bias");
                taps(c, in, out, (from, weight, to) -> {
                    ofKernel[weight] += x[from] * slope[to];
                    back[from] += kernel[weight] * slope[to];
                });
                for (int i = 0; i < slope.length; i++) {
                    ofBias[i / (out.side * out.side)] += slope[i];
                }
            }
            case Layer.Linear linear -> {
                double[] matrix = weight(linear.name() + ".weight");
                double[] ofMatrix = gradient(linear.name() + ".weight");
                double[] ofBias = gradient(linear.name() + ".bias");
                for (int to = 0; to < slope.length; to++) {
                    ofBias[to] += slope[to];
                    for (int from = 0; from < x.length; from++) {
                        ofMatrix[to * x.length + from] += x[from] * slope[to];
                        back[from] += matrix[to * x.length + from] * slope[to];
                    }
                }
            }
            case Layer.AveragePool p ->
                windows(
                        p.window(),
                        p.stride(),
                        in,
                        out,
                        (from, to) -> back[from] += slope[to] / (p.window() * p.window()));
            case Layer.MaxPool p ->
                windows(p.window(), p.stride(), in, out, (from, to) -> back[from] += x[from] == y[to] ? slope[to] : 0);
            case Layer.Activate(Activation activation) -> {
                for (int i = 0; i < y.length; i++) {
                    back[i] = slope[i] * (activation == Activation.RELU ? (y[i] > 0 ? 1 : 0) : 1 - y[i] * y[i]);
                }
            }
            case Layer.Flatten _, Layer.Dropout _ -> System.arraycopy(slope, 0, back, 0, back.length);
        }
        return back;
    }

    private interface Tap {
        void at(int from, int weight, int to);
    }

    private interface Link {
        void at(int from, int to);
    }

    private static void taps(Layer.Convolution c, Shape in, Shape out, Tap tap) {
        for (int output = 0; output < out.channels; output++) {
            for (int input = 0; input < in.channels; input++) {
                for (int place = 0; place < out.side * out.side; place++) {
                    for (int inKernel = 0; inKernel < c.kernel() * c.kernel(); inKernel++) {
                        int y = place / out.side * c.stride() + inKernel / c.kernel() - c.padding();
                        int x = place % out.side * c.stride() + inKernel % c.kernel() - c.padding();
                        if (y >= 0 && y < in.side && x >= 0 && x < in.side) {
                            int weight = (output * in.channels + input) * c.kernel() * c.kernel() + inKernel;
                            tap.at(in.at(input, y, x), weight, output * out.side * out.side + place);
                        }
                    }
                }
            }
        }
    }

    private static void windows(int window, int stride, Shape in, Shape out, Link link) {
        for (int channel = 0; channel < out.channels; channel++) {
            for (int place = 0; place < out.side * out.side; place++) {
                for (int inWindow = 0; inWindow < window * window; inWindow++) {
                    int y = place / out.side * stride + inWindow / window;
                    int x = place % out.side * stride + inWindow % window;
                    link.at(in.at(channel, y, x), channel * out.side * out.side + place);
                }
            }
        }
    }

    private double[] weight(String name) {
        return Objects.requireNonNull(weights.get(name), name);
    }

    private double[] gradient(String name) {
        return Objects.requireNonNull(gradients.get(name), name);
    }
}
