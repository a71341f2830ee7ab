package dev.cairn.checkpoint.encode;

import dev.cairn.checkpoint.CheckpointEvent.Remedy;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.checkpoint.Yardstick;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decides how the weights of a lossy checkpoint are quantized. Their error meets the user's target, and is never
/// larger than the change since the previous checkpoint, because otherwise restoring that one would be better.
///
/// A sample of the live values is kept from checkpoint to checkpoint, so the change is known. All weights share one
/// step: bits are spent best when one more bit would reduce the error equally everywhere. The buckets of
/// LC-Checkpoint are relative to the deltas, so there every block gets the same share of its deltas as error. If no
/// setting reaches the target, those weights are stored exactly, which also meets it. Only `lc:X` and the baselines
/// are left as they are, whatever their error.
public final class SchemeRule {
    /// An error up to this factor above the change counts as equal to it, because samples are only this precise.
    static final double TOLERANCE = 1.05;

    /// If the change limits the error, the target is this fraction of the change, to be safe.
    private static final double SAFE = 0.9;

    private static final double ROUNDING = 1 + 1e-6;

    private final Codec codec;
    private @Nullable StateSample before;
    private double overshoot;

    SchemeRule(Codec codec) {
        this.codec = codec.ofWeights();
    }

    /// How weights are quantized, and the basis of the decision.
    ///
    /// @param scheme the quantization; null if the weights are stored exactly, or by a baseline
    /// @param remedy what was done to avoid an error that would have been too large; null if there was none
    /// @param avoided that error, relative to the change since the previous checkpoint
    public record Decision(
            @Nullable Scheme scheme,
            double stateSquares,
            double changeSquares,
            @Nullable Remedy remedy,
            double avoided) {
        /// The weight error for this sum of squared errors.
        WeightError error(double errorSquares) {
            return WeightError.of(errorSquares, stateSquares, changeSquares);
        }
    }

    /// Stores the live values of an exact checkpoint.
    void observe(StateSample sample) {
        before = sample;
    }

    /// Decides for a checkpoint with these values.
    ///
    /// @param deltas what is quantized, in the order of size
    Decision next(StateSample sample, StateSample.Bins deltas) {
        double change = before == null || before.size() != sample.size()
                ? sample.deltaSquares() / 2
                : sample.changeSquares(before);
        double state = sample.stateSquares();
        before = sample;
        if (overshoot > 0) {
            return new Decision(null, state, change, Remedy.EXACT, overshoot);
        }
        return switch (codec) {
            case Codec.Full _, Codec.Lossless _ -> throw new IllegalStateException(codec.text() + " quantizes nothing");
            case Codec.Exponent(int bits) -> new Decision(new Scheme.Exponent(bits), state, change, null, 0);
            case Codec.WithMoments _ -> throw new IllegalStateException("no codec of weights: " + codec.text());
            case Yardstick _ -> new Decision(null, state, change, null, 0);
            case Codec.Uniform(double target) -> uniform(sample, deltas, target * target * change, state, change);
            case Codec.UniformOfState(double target) -> uniform(sample, deltas, target * target * state, state, change);
            case Codec.ExponentAuto(double target) -> exponent(sample, target * target * change, state, change);
        };
    }

    /// How first moments are quantized so that their relative error reaches the target; empty if no setting reaches
    /// it, and they are stored exactly. Their change and their earlier error do not count, because they are not
    /// what a training loses when it restores a checkpoint.
    static Optional<Scheme> ofMoments(StateSample sample, double target) {
        double wanted = target * target * sample.stateSquares();
        StepRule.Choice choice = StepRule.choose(sample.deltaBins(), wanted);
        if (choice.errorSquares() <= ROUNDING * wanted) {
            return Optional.of(new Scheme.Uniform(choice.setting()));
        }
        // If layers differ much in size, one step for all is too coarse for some of them. Buckets adapt to each
        // layer.
        return sample.leastBucketError() <= ROUNDING * wanted
                ? Optional.of(new Scheme.ExponentWithin(wanted / sample.deltaSquares()))
                : Optional.empty();
    }

    /// Notes that a checkpoint was made with this error. If the sample did not predict it, as with a few deltas
    /// that are far larger than all others, the next checkpoint corrects it by being exact.
    void made(WeightError error) {
        boolean asNamed = codec instanceof Codec.Exponent || codec instanceof Yardstick;
        overshoot = asNamed || error.ofChange() <= TOLERANCE ? 0 : error.ofChange();
    }

    private static Decision uniform(
            StateSample sample, StateSample.Bins deltas, double asked, double state, double change) {
        double wanted = wanted(asked, change);
        StepRule.Choice choice = StepRule.choose(deltas, wanted);
        return choice.errorSquares() > ROUNDING * wanted
                ? exact(choice.errorSquares(), state, change)
                : quantized(new Scheme.Uniform(choice.setting()), sample, asked, state, change);
    }

    private static Decision exponent(StateSample sample, double asked, double state, double change) {
        double wanted = wanted(asked, change);
        double deltas = sample.deltaSquares();
        double least = sample.leastBucketError();
        return least > ROUNDING * wanted
                ? exact(least, state, change)
                : quantized(new Scheme.ExponentWithin(deltas == 0 ? 1 : wanted / deltas), sample, asked, state, change);
    }

    private static double wanted(double asked, double change) {
        return asked > change ? SAFE * SAFE * change : asked;
    }

    private static Decision exact(double least, double state, double change) {
        return new Decision(null, state, change, Remedy.EXACT, WeightError.relative(least, change));
    }

    /// No setting leaves more error than the deltas themselves, whatever the target.
    private static Decision quantized(Scheme scheme, StateSample sample, double asked, double state, double change) {
        double avoided = WeightError.relative(Math.min(asked, sample.deltaSquares()), change);
        return new Decision(scheme, state, change, avoided > TOLERANCE ? Remedy.FINER : null, avoided);
    }
}
