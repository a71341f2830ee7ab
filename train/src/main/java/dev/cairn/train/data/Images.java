package dev.cairn.train.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntUnaryOperator;

/// Images of one shape, each with a class. Immutable, so any number of threads may read them.
public interface Images {
    int count();

    int channels();

    int height();

    int width();

    int classes();

    /// The class of an image, in [0, [#classes()]).
    int label(int image);

    /// Writes the [#pixelsPerImage()] values of one image, from 0 to 1, to `target` starting at `offset`: channel
    /// by channel, row by row.
    void copyImage(int image, float[] target, int offset);

    /// The images in the form that a model needs. For one thread at a time.
    interface Inputs {
        /// Writes the values of `count` images to `target`, one after the other, as floats in native byte order.
        ///
        /// @param image gives the number of each image
        void copy(int count, IntUnaryOperator image, MemorySegment target);
    }

    /// The inputs of these images with this scaling.
    default Inputs inputs(Scaling scaling) {
        float[] values = new float[pixelsPerImage()];
        return (count, image, target) -> {
            for (int i = 0; i < count; i++) {
                copyImage(image.applyAsInt(i), values, 0);
                for (int pixel = 0; pixel < values.length; pixel++) {
                    values[pixel] = scaling.of(values[pixel]);
                }
                MemorySegment.copy(values, 0, target, ValueLayout.JAVA_FLOAT, 4L * values.length * i, values.length);
            }
        };
    }

    default int pixelsPerImage() {
        return channels() * height() * width();
    }
}
