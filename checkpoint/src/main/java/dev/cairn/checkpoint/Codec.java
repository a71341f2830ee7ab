package dev.cairn.checkpoint;

import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.huffman.SymbolCoder;
import dev.cairn.codec.lossless.DifferenceCodec;
import dev.cairn.codec.lossless.PlaneCodec;
import dev.cairn.codec.lossy.LogQuantizer;
import dev.cairn.codec.lossy.TableQuantizer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/// How checkpoints are encoded, as a user names it.
public sealed interface Codec {
    /// The lossy default's error target. See `docs/adr/0007-the-lossy-default.md`.
    double DEFAULT_TARGET = 0.74;

    /// The error that first moments may have where they are kept and no other is named, relative to themselves.
    double DEFAULT_MOMENT_TARGET = 0.5;

    /// The name that [#parse] reads.
    String text();

    /// Every checkpoint whole, as it is in memory.
    record Full() implements Codec {
        @Override
        public String text() {
            return "full";
        }
    }

    /// Bit for bit: compressed alone, or against the checkpoint before. The product's default.
    record Lossless() implements Codec {
        @Override
        public String text() {
            return "lossless";
        }
    }

    /// A lossy codec that keeps first moments (momentum, Adam's m), which it would drop alone: a reader gets them with
    /// this error instead of zeros.
    ///
    /// @param weights the codec of everything else
    /// @param target the error of all first moments together, relative to themselves
    record WithMoments(Codec weights, double target) implements Codec {
        public WithMoments {
            if (!weights.isLossy() || weights.isYardstick() || weights instanceof WithMoments) {
                throw new IllegalArgumentException(
                        "+m keeps what lossy, uq, rel and lc drop; " + weights.text() + " needs none");
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
    /// @param target the error that a checkpoint may have, relative to the change since the one before
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

    /// LC-Checkpoint: exponent buckets with so many bits of priority promotion.
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

    /// Lossy deltas in uniform steps, by the state rather than by its change.
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
    /// @param target the error that a checkpoint may have, relative to the change since the one before
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

    /// SCAR, a yardstick for studies: the fraction of the rows that changed most, as they are.
    record Scar(double fraction) implements Codec {
        public Scar {
            requireFraction("scar", fraction);
        }

        @Override
        public String text() {
            return "scar:" + fraction;
        }
    }

    /// TOPN, a yardstick for studies: the fraction of the elements that changed most, as they are.
    record TopN(double fraction) implements Codec {
        public TopN {
            requireFraction("topn", fraction);
        }

        @Override
        public String text() {
            return "topn:" + fraction;
        }
    }

    /// l2, a yardstick for studies: as many values as LC-Checkpoint has with so many bits, of least squared error.
    record LeastSquares(int bits) implements Codec {
        public LeastSquares {
            if (bits < 1 || bits > 7) {
                throw new IllegalArgumentException("l2 takes 1 to 7 bits, not " + bits);
            }
        }

        @Override
        public String text() {
            return "l2:" + bits;
        }
    }

    /// ExCP, a yardstick for studies: pruned residuals and moments by 15 k-means centres.
    record Excp() implements Codec {
        @Override
        public String text() {
            return "excp";
        }
    }

    private static void requireFraction(String name, double fraction) {
        if (!(fraction > 0 && fraction <= 1)) {
            throw new IllegalArgumentException(
                    name + " takes a fraction of the state, above 0 and up to 1, not " + fraction);
        }
    }

    /// Reads `full`, `lossless`, `lossy`, `uq:E`, `rel:E`, `lc:X`, `lc:auto` or `lc:auto:E`, the lossy ones with `+m`
    /// or `+m:E` after them where first moments are to be kept; and the yardsticks
    /// `scar:F`,
    /// `topn:F`, `l2:X`, `excp`.
    static Codec parse(String text) {
        try {
            return switch (text) {
                case String moments
                when moments.endsWith("+m") ->
                    new WithMoments(parse(moments.substring(0, moments.length() - 2)), DEFAULT_MOMENT_TARGET);
                case String moments
                when moments.contains("+m:") -> {
                    int end = moments.indexOf("+m:");
                    yield new WithMoments(
                            parse(moments.substring(0, end)), Double.parseDouble(moments.substring(end + 3)));
                }
                case "full" -> new Full();
                case "lossless" -> new Lossless();
                case "lossy" -> new Uniform(DEFAULT_TARGET);
                case "lc:auto" -> new ExponentAuto(DEFAULT_TARGET);
                case String auto
                when auto.startsWith("lc:auto:") ->
                    new ExponentAuto(Double.parseDouble(auto.substring("lc:auto:".length())));
                case String rel when rel.startsWith("rel:") -> new UniformOfState(Double.parseDouble(rel.substring(4)));
                case String lc when lc.startsWith("lc:") -> new Exponent(Integer.parseInt(lc.substring(3)));
                case String uq when uq.startsWith("uq:") -> new Uniform(Double.parseDouble(uq.substring(3)));
                case String scar when scar.startsWith("scar:") -> new Scar(Double.parseDouble(scar.substring(5)));
                case String topN when topN.startsWith("topn:") -> new TopN(Double.parseDouble(topN.substring(5)));
                case String l2 when l2.startsWith("l2:") -> new LeastSquares(Integer.parseInt(l2.substring(3)));
                case "excp" -> new Excp();
                default -> throw new NumberFormatException();
            };
        } catch (NumberFormatException unknown) {
            throw new IllegalArgumentException(
                    "unknown codec '" + text
                            + "'; known: lossless, full, lossy, uq:E (error E of the change), rel:E (error E of the "
                            + "weights), lc:X (1 to 8 bits), lc:auto:E (bits for error E of the change); lossy ones drop first moments unless followed by +m or "
                            + "+m:E (error E of the moments); for studies: scar:F, "
                            + "topn:F (fraction of the state), l2:X (1 to 7 bits), excp",
                    unknown);
        }
    }

    /// The loops in which encoding a large state of float32 spends its time: those of deltas, of which there are more,
    /// then those of bases.
    default List<VectorLoop> encodingLoops() {
        var loops = new ArrayList<VectorLoop>();
        switch (ofWeights()) {
            case WithMoments _ -> throw new IllegalStateException("no codec of weights: " + text());
            case Full _ -> {
                return loops;
            }
            case Lossless _ -> loops.addAll(DifferenceCodec.encodingLoops());
            case Uniform _, UniformOfState _ -> {
                loops.addAll(TableQuantizer.encodingLoops());
                loops.addAll(LogQuantizer.encodingLoops());
            }
            case Exponent _, ExponentAuto _ -> loops.addAll(LogQuantizer.encodingLoops());
            case Scar _, TopN _, LeastSquares _, Excp _ -> {}
        }
        loops.addAll(SymbolCoder.encodingLoops());
        loops.addAll(PlaneCodec.encodingLoops());
        return loops;
    }

    /// How weights are encoded.
    default Codec ofWeights() {
        return this instanceof WithMoments(Codec weights, double _) ? weights : this;
    }

    /// The error that first moments may have, relative to themselves; empty where a lossy codec drops them.
    default OptionalDouble momentTarget() {
        return this instanceof WithMoments(Codec _, double target) ? OptionalDouble.of(target) : OptionalDouble.empty();
    }

    /// Whether it is a published scheme that Cairn is compared with, kept exactly as published.
    default boolean isYardstick() {
        return switch (this) {
            case Full _, Lossless _, Uniform _, UniformOfState _, Exponent _, ExponentAuto _, WithMoments _ -> false;
            case Scar _, TopN _, LeastSquares _, Excp _ -> true;
        };
    }

    /// Whether a restored state may differ from the saved one.
    default boolean isLossy() {
        return switch (this) {
            case Full _, Lossless _ -> false;
            case Uniform _, UniformOfState _, Exponent _, ExponentAuto _, WithMoments _ -> true;
            case Scar _, TopN _, LeastSquares _, Excp _ -> true;
        };
    }
}
