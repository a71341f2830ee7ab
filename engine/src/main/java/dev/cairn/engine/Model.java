package dev.cairn.engine;

import java.util.List;

/// The structure of a model, without values.
public sealed interface Model {
    /// The weights in order. Each name occurs once.
    List<Parameter> parameters();

    /// Classifies images. The layers compute a score for each class from the pixels. The loss is the mean
    /// cross-entropy.
    ///
    /// @param channels the number of channels of the images
    /// @param side the height and width of the images
    record Network(int channels, int side, List<Layer> layers) implements Model {
        public Network {
            layers = List.copyOf(layers);
        }

        @Override
        public List<Parameter> parameters() {
            return layers.stream().flatMap(layer -> layer.parameters().stream()).toList();
        }

        /// Returns the network without its dropout layers, so that nothing in it is random.
        public Network withoutDropout() {
            return new Network(
                    channels,
                    side,
                    layers.stream()
                            .filter(layer -> !(layer instanceof Layer.Dropout))
                            .toList());
        }
    }

    /// Predicts ratings: `mean + bias of user + bias of item + factors of user · factors of item`. The loss is the
    /// mean squared error. An optimizer changes only the rows of the batch and their state.
    ///
    /// @param mean the mean of all ratings
    record Factorization(int users, int items, int rank, float mean) implements Model {
        public static final String USER_FACTORS = "user.factors";
        public static final String ITEM_FACTORS = "item.factors";
        public static final String USER_BIAS = "user.bias";
        public static final String ITEM_BIAS = "item.bias";

        /// Small, so that the first predictions are near the mean.
        private static final double FIRST_FACTORS = 0.1;

        @Override
        public List<Parameter> parameters() {
            return List.of(
                    new Parameter(USER_FACTORS, List.of((long) users, (long) rank), FIRST_FACTORS),
                    new Parameter(ITEM_FACTORS, List.of((long) items, (long) rank), FIRST_FACTORS),
                    new Parameter(USER_BIAS, List.of((long) users), 0),
                    new Parameter(ITEM_BIAS, List.of((long) items), 0));
        }
    }
}
