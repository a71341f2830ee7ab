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

    default int pixelsPerImage() {
        return channels() * height() * width();
    }
}
