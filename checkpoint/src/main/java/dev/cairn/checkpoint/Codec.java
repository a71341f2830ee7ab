package dev.cairn.checkpoint;

/// How checkpoints are encoded, as a user names it.
public sealed interface Codec {
    /// The lossy default's error target. See `docs/adr/0007-the-lossy-default.md`.
    double DEFAULT_TARGET = 0.74;

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

    /// Reads `full`, `lossless`, `lossy`, `lc:X` or `uq:E`.
    static Codec parse(String text) {
        try {
            return switch (text) {
                case "full" -> new Full();
                case "lossless" -> new Lossless();
                case "lossy" -> new Uniform(DEFAULT_TARGET);
                case String lc when lc.startsWith("lc:") -> new Exponent(Integer.parseInt(lc.substring(3)));
                case String uq when uq.startsWith("uq:") -> new Uniform(Double.parseDouble(uq.substring(3)));
                default -> throw new NumberFormatException();
            };
        } catch (NumberFormatException unknown) {
            throw new IllegalArgumentException(
                    "unknown codec '" + text
                            + "'; known: lossless, full, lossy, lc:X (1 to 8 bits), uq:E (error target)",
                    unknown);
        }
    }

    /// Whether a restored state may differ from the saved one.
    default boolean isLossy() {
        return switch (this) {
            case Full _, Lossless _ -> false;
            case Uniform _, Exponent _ -> true;
        };
    }
}
