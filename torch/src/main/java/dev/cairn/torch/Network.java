package dev.cairn.torch;

import dev.cairn.engine.Model;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/// The forward passes: from images to the logits of their classes.
final class Network {
    private static final long[] ONE = {1, 1};
    private static final long[] NONE = {0, 0};
    private static final long[] TWO = {2, 2};

    private final Model model;
    private final Map<String, Tensor> weights;

    Network(Model model, Map<String, Tensor> weights) {
        this.model = model;
        this.weights = weights;
    }

    /// @param images float32, one row of pixels an image
    Tensor forward(Tensor images) {
        return switch (model) {
            case Model.Lenet5 _ -> lenet5(images);
            case Model.Mlp mlp -> mlp(images, mlp.layers());
        };
    }

    private Tensor lenet5(Tensor images) {
        long count = images.size(0);
        Tensor pixels = images.view(count, 1, Model.Lenet5.SIDE, Model.Lenet5.SIDE);
        Tensor features = pool(torch.relu(convolution(pixels, "conv1", TWO)));
        features = pool(torch.relu(convolution(features, "conv2", NONE)));
        Tensor hidden = torch.relu(linear(features.view(count, -1), "fc1"));
        hidden = torch.relu(linear(hidden, "fc2"));
        return linear(hidden, "fc3");
    }

    private Tensor mlp(Tensor images, int layers) {
        Tensor hidden = images;
        for (int layer = 1; layer < layers; layer++) {
            hidden = torch.relu(linear(hidden, "fc" + layer));
        }
        return linear(hidden, "fc" + layers);
    }

    private Tensor convolution(Tensor input, String layer, long[] padding) {
        return torch.conv2d(
                input, weight(layer + ".weight"), new TensorOptional(weight(layer + ".bias")), ONE, padding, ONE, 1);
    }

    private Tensor linear(Tensor input, String layer) {
        return torch.linear(input, weight(layer + ".weight"), new TensorOptional(weight(layer + ".bias")));
    }

    private static Tensor pool(Tensor input) {
        return torch.avg_pool2d(input, TWO);
    }

    private Tensor weight(String name) {
        Tensor weight = weights.get(name);
        if (weight == null) {
            throw new IllegalStateException("no weight " + name);
        }
        return weight;
    }
}
