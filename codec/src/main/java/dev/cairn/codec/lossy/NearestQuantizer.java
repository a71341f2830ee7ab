package dev.cairn.codec.lossy;

import static dev.cairn.codec.lossy.kernel.Floats.F32;

import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Gives each admitted delta the nearest value of a codebook, and id 0 to the others. Not thread-safe.
final class NearestQuantizer {
    private double deltaSquares;
    private double errorSquares;

    /// Decides whether an element may have a value.
    interface Admission {
        /// Called for every element whose nearest value is not 0.
        ///
        /// @param i the index of the element in the block
        /// @param reference the number to which the value would be added
        boolean admits(int i, float reference, float value);
    }

    /// Fills `block` with the quantization of `u − r`. If [#deltaSquares] is not finite afterwards, the block is
    /// undefined.
    void quantize(
            MemorySegment u, MemorySegment r, int count, Codebook book, Admission admission, QuantizedBlock block) {
        block.reset(count);
        book.fill(block);
        Arrays.fill(block.mask, 0, block.maskBytes(), (byte) 0);
        int ids = 0;
        double squares = 0;
        double errors = 0;
        for (int i = 0; i < count; i++) {
            float reference = r.get(F32, 4L * i);
            float delta = u.get(F32, 4L * i) - reference;
            squares += (double) delta * delta;
            int id = book.idOf(delta);
            float value = block.values[id];
            if (id != 0 && admission.admits(i, reference, value)) {
                block.mask[i >> 3] |= (byte) (1 << (i & 7));
                block.ids[ids++] = (byte) id;
                double error = (double) delta - value;
                errors += error * error;
            } else {
                errors += (double) delta * delta;
            }
        }
        block.idCount = ids;
        deltaSquares = squares;
        errorSquares = errors;
    }

    double deltaSquares() {
        return deltaSquares;
    }

    double errorSquares() {
        return errorSquares;
    }
}
