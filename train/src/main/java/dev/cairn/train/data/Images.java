package dev.cairn.train.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntUnaryOperator;

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

    /// Images as a model wants them. For one thread at a time.
    interface Inputs {
        /// Writes the values of so many images to `target`, one after the other, as floats of the machine's order.
        ///
        /// @param image the number of each
        void copy(int count, IntUnaryOperator image, MemorySegment target);
    }

    /// These images, scaled.
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
