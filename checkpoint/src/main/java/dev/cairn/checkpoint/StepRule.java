package dev.cairn.checkpoint;

import dev.cairn.codec.Distortion;
import dev.cairn.codec.lossy.UniformSetting;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Chooses the uniform quantizer's step so that the error of a checkpoint lands at the wanted share of the change since
/// the one before, and puts its values where the deltas are.
///
/// The live values are compared with the reference on a sample. What is found there is the change plus the error that
/// the
/// last checkpoint left, and the two are all but independent: so the change is known without the last live values. The
/// error grows with the step about in proportion; what the proportion really is, the last checkpoint has shown.
final class StepRule {
    private static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Measured on MNIST networks with Adam and momentum: an error of E times the change comes with a step of 4.1 E
    /// times
    /// its root mean square.
    private static final double USUAL_STEPS_PER_ERROR = 4.1;

    /// With error feedback a wider dead zone does not pay: what is dropped comes back.
    private static final float THRESHOLD = 0.55f;

    private static final float USUAL_OFFSET = 0.45f;
    private static final int RUN = 256;
    private static final int EVERY = 32;

    private final double target;
    private double stepsPerError = USUAL_STEPS_PER_ERROR;
    private double lastErrorMeanSquare;
    private double lastStep;

    StepRule(double target) {
        this.target = target;
    }

    /// A pair of memory regions of float32.
    record Pair(MemorySegment u, MemorySegment r) {}

    /// The setting for a checkpoint of these tensors.
    UniformSetting next(List<Pair> tensors) {
        float[] sample = sample(tensors);
        double squares = 0;
        for (float delta : sample) {
            squares += (double) delta * delta;
        }
        double meanSquare = sample.length == 0 ? 0 : squares / sample.length;
        // Where little happened the difference may come out too small, or negative.
        double change = Math.sqrt(Math.max(meanSquare - lastErrorMeanSquare, meanSquare / 16));
        lastStep = Math.clamp(stepsPerError * target * change, 1e-30, 1e30);
        return withCentroids(UniformSetting.of((float) lastStep, THRESHOLD, USUAL_OFFSET), sample);
    }

    /// What came of it.
    void encoded(Distortion distortion) {
        lastErrorMeanSquare = distortion.errorSquares() / distortion.elements();
        double error = Math.sqrt(lastErrorMeanSquare);
        if (error > 0) {
            double shown = Math.clamp(lastStep / error, USUAL_STEPS_PER_ERROR / 4, USUAL_STEPS_PER_ERROR * 4);
            stepsPerError += 0.5 * (shown - stepsPerError);
        }
    }

    /// The reference is the live state: nothing is left over.
    void exact() {
        lastErrorMeanSquare = 0;
    }

    /// The finite deltas of every 32nd run of elements.
    private static float[] sample(List<Pair> tensors) {
        long elements = 0;
        for (Pair pair : tensors) {
            elements += pair.u().byteSize() / Float.BYTES / EVERY + RUN;
        }
        float[] sample = new float[Math.toIntExact(Math.min(elements, 1 << 24))];
        int count = 0;
        for (Pair pair : tensors) {
            long size = pair.u().byteSize() / Float.BYTES;
            for (long from = 0; from < size; from += (long) RUN * EVERY) {
                long to = Math.min(from + RUN, size);
                for (long i = from; i < to && count < sample.length; i++) {
                    float delta = pair.u().get(F32, 4 * i) - pair.r().get(F32, 4 * i);
                    if (Float.isFinite(delta)) {
                        sample[count++] = delta;
                    }
                }
            }
        }
        return Arrays.copyOf(sample, count);
    }

    private static UniformSetting withCentroids(UniformSetting setting, float[] sample) {
        double[] sums = new double[UniformSetting.MAGNITUDES + 1];
        long[] counts = new long[UniformSetting.MAGNITUDES + 1];
        for (float delta : sample) {
            int magnitude = setting.magnitudeOf(Math.abs(delta));
            sums[magnitude] += Math.abs(delta);
            counts[magnitude]++;
        }
        var offsets = new ArrayList<Float>();
        for (int magnitude = 1; magnitude <= UniformSetting.MAGNITUDES; magnitude++) {
            double lower = (magnitude - 1 + setting.threshold()) * (double) setting.step();
            double offset = counts[magnitude] < 16
                    ? USUAL_OFFSET
                    : (sums[magnitude] / counts[magnitude] - lower) / setting.step();
            offsets.add((float) Math.clamp(offset, 0.0, 1.0));
        }
        return new UniformSetting(setting.step(), setting.threshold(), offsets);
    }
}
