package dev.cairn.train.data;

/// Images of one shape with a class each. Nothing changes after construction, so any number of threads may read.
public interface Images {
    int count();

    int channels();

    int height();

    int width();

    int classes();

    /// The class of an image, in [0, [#classes()]).
    int label(int image);

    /// Writes the [#pixelsPerImage()] values of one image, from 0 to 1, to `target` from `offset` on: channel after
    /// channel, row after row.
    void copyImage(int image, float[] target, int offset);

    /// Images as a model wants them.
    interface Inputs {
        /// Writes the values of one image from the beginning of `target` on.
        void copy(int image, float[] target);
    }

    /// These images, scaled.
    default Inputs inputs(Scaling scaling) {
        return (image, target) -> {
            copyImage(image, target, 0);
            for (int pixel = 0; pixel < pixelsPerImage(); pixel++) {
                target[pixel] = scaling.of(target[pixel]);
            }
        };
    }

    default int pixelsPerImage() {
        return channels() * height() * width();
    }
}
