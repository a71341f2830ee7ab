package dev.cairn.checkpoint.encode;

import dev.cairn.checkpoint.CheckpointEvent.Remedy;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.checkpoint.Yardstick;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decides how the weights of a lossy checkpoint are quantized: so that their error meets the target that the user
/// stated, and is never larger than the change since the checkpoint before, because then that one would be the better
/// to go back to.
///
/// A sample of the live values is kept from checkpoint to checkpoint: so the change is known. All weights share
/// one step: bits are spent best where a further bit would take equally much off the error everywhere. Buckets of
/// LC-Checkpoint are relative to their deltas, so there every block gets the same share of its deltas as error. A
/// target that no setting reaches is met all the same: those weights are stored exactly. Only `lc:X` and the
/// yardsticks are left as they are, whatever their error.
public final class SchemeRule {
    /// How far above the change an error may be taken for equal to it: samples are this good.
    static final double TOLERANCE = 1.05;

    /// Where the change is what limits the error: so much of it, to be safe.
    private static final double SAFE = 0.9;

    private static final double ROUNDING = 1 + 1e-6;

    private final Codec codec;
    private @Nullable StateSample before;
    private double overshoot;

    SchemeRule(Codec codec) {
        this.codec = codec.ofWeights();
    }

    /// How weights are quantized, and what that rests on.
    ///
    /// @param scheme null: stored exactly, or by a yardstick
    /// @param remedy what was done about an error that would have been too large; null where it is not
    /// @param avoided that error, relative to the change since the checkpoint before
    public record Decision(
            @Nullable Scheme scheme,
            double stateSquares,
            double changeSquares,
            @Nullable Remedy remedy,
            double avoided) {
        /// What the error that was made comes to.
        WeightError error(double errorSquares) {
            return WeightError.of(errorSquares, stateSquares, changeSquares);
        }
    }

    /// Remembers the live values of a checkpoint that is exact.
    void observe(StateSample sample) {
        before = sample;
    }

    /// The decision for a checkpoint of these values.
    Decision next(StateSample sample) {
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
            case Codec.Uniform(double target) -> uniform(sample, target * target * change, state, change);
            case Codec.UniformOfState(double target) -> uniform(sample, target * target * state, state, change);
            case Codec.ExponentAuto(double target) -> exponent(sample, target * target * change, state, change);
        };
    }

    /// How first moments are quantized so that their error is so much of themselves; empty where no setting reaches
    /// that, and they are stored exactly. They are not what a training loses when it goes back, so neither their
    /// change nor the error made before counts.
    static Optional<Scheme> ofMoments(StateSample sample, double target) {
        double wanted = target * target * sample.stateSquares();
        StepRule.Choice choice = StepRule.choose(sample, wanted);
        if (choice.errorSquares() <= ROUNDING * wanted) {
            return Optional.of(new Scheme.Uniform(choice.setting()));
        }
        // Layers of very different sizes: one step for all is too coarse for some, and buckets follow each.
        return sample.leastBucketError() <= ROUNDING * wanted
                ? Optional.of(new Scheme.ExponentWithin(wanted / sample.deltaSquares()))
                : Optional.empty();
    }

    /// A checkpoint was made with this error. One that the sample did not foresee, as with few deltas that are far
    /// larger than all others, is made good by the next checkpoint, which is exact.
    void made(WeightError error) {
        boolean asNamed = codec instanceof Codec.Exponent || codec instanceof Yardstick;
        overshoot = asNamed || error.ofChange() <= TOLERANCE ? 0 : error.ofChange();
    }

    private static Decision uniform(StateSample sample, double asked, double state, double change) {
        double wanted = wanted(asked, change);
        StepRule.Choice choice = StepRule.choose(sample, wanted);
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

    /// No setting leaves more error than there are deltas, whatever is asked.
    private static Decision quantized(Scheme scheme, StateSample sample, double asked, double state, double change) {
        double avoided = WeightError.relative(Math.min(asked, sample.deltaSquares()), change);
        return new Decision(scheme, state, change, avoided > TOLERANCE ? Remedy.FINER : null, avoided);
    }
}
