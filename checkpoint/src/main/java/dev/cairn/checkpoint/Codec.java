package dev.cairn.checkpoint;

import java.util.OptionalDouble;

/// How checkpoints are encoded. Users type the [#text] of a codec, and every checkpoint records it.
public sealed interface Codec
        permits Codec.Full,
                Codec.Lossless,
                Codec.WithMoments,
                Codec.Uniform,
                Codec.UniformOfState,
                Codec.Exponent,
                Codec.ExponentAuto,
                Yardstick {
    /// The error target of the lossy default. See `docs/adr/0007-the-lossy-default.md`.
    double DEFAULT_TARGET = 0.74;

    /// The default of the error that first moments may have if they are kept, relative to themselves.
    double DEFAULT_MOMENT_TARGET = 0.5;

    /// The text form, which [#parse] reads.
    String text();

    /// Stores every checkpoint in full, as it is in memory.
    record Full() implements Codec {
        @Override
        public String text() {
            return "full";
        }
    }

    /// Stores every checkpoint bit for bit, compressed by itself or as a difference from the previous one. The
    /// default of Cairn.
    record Lossless() implements Codec {
        @Override
        public String text() {
            return "lossless";
        }
    }

    /// A lossy codec that also keeps first moments (momentum, Adam's m), which it would otherwise drop: a reader
    /// gets them with this error instead of zeros.
    ///
    /// @param weights the codec for everything else
    /// @param target the error of all first moments together, relative to themselves
    record WithMoments(Codec weights, double target) implements Codec {
        public WithMoments {
            if (!weights.isLossy() || weights instanceof Yardstick || weights instanceof WithMoments) {
                throw new IllegalArgumentException("+m can follow only lossy, uq, rel and lc, not " + weights.text());
            }
            if (!(target >= 0.01 && target <= 1)) {
                throw new IllegalArgumentException("+m takes an error target from 0.01 to 1, not " + target);
            }
        }

        @Override
        public String text() {
            return weights.text() + "+m:" + target;
        }
    }

    /// Lossy deltas in uniform steps.
    ///
    /// @param target the error that a checkpoint may have, relative to the change since the previous one
    record Uniform(double target) implements Codec {
        public Uniform {
            if (!(target >= 0.01 && target <= 2)) {
                throw new IllegalArgumentException("uq takes an error target from 0.01 to 2, not " + target);
            }
        }

        @Override
        public String text() {
            return "uq:" + target;
        }
    }

    /// LC-Checkpoint: exponent buckets with this many bits of priority promotion.
    record Exponent(int bits) implements Codec {
        public Exponent {
            if (bits < 1 || bits > 8) {
                throw new IllegalArgumentException("lc takes 1 to 8 bits, not " + bits);
            }
        }

        @Override
        public String text() {
            return "lc:" + bits;
        }
    }

    /// Lossy deltas in uniform steps, whose size depends on the state instead of its change.
    ///
    /// @param target the error that a checkpoint may have, relative to the weights themselves
    record UniformOfState(double target) implements Codec {
        public UniformOfState {
            if (!(target >= 1e-9 && target <= 1)) {
                throw new IllegalArgumentException("rel takes an error target from 1e-9 to 1, not " + target);
            }
        }

        @Override
        public String text() {
            return "rel:" + target;
        }
    }

    /// LC-Checkpoint's buckets with as many bits as each block needs.
    ///
    /// @param target the error that a checkpoint may have, relative to the change since the previous one
    record ExponentAuto(double target) implements Codec {
        public ExponentAuto {
            if (!(target >= 0.01 && target <= 2)) {
                throw new IllegalArgumentException("lc:auto takes an error target from 0.01 to 2, not " + target);
            }
        }

        @Override
        public String text() {
            return "lc:auto:" + target;
        }
    }

    /// Reads `full`, `lossless`, `lossy`, `uq:E`, `rel:E`, `lc:X`, `lc:auto` or `lc:auto:E`. A lossy codec may be
    /// followed by `+m` or `+m:E`, which keeps first moments.
    static Codec parse(String text) {
        return CodecText.parse(text);
    }

    /// The codec for weights.
    default Codec ofWeights() {
        return this instanceof WithMoments(Codec weights, double _) ? weights : this;
    }

    /// The error that first moments may have, relative to themselves; empty unless this is a [WithMoments].
    default OptionalDouble momentTarget() {
        return this instanceof WithMoments(Codec _, double target) ? OptionalDouble.of(target) : OptionalDouble.empty();
    }

    /// Whether a restored state may differ from the saved one.
    default boolean isLossy() {
        return switch (this) {
            case Full _, Lossless _ -> false;
            case Uniform _, UniformOfState _, Exponent _, ExponentAuto _, WithMoments _, Yardstick _ -> true;
        };
    }
}
