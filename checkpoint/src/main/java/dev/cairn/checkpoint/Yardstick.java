package dev.cairn.checkpoint;

import java.util.Locale;

/// A published scheme that studies compare Cairn with, exactly as it was published. Not for training: all of them
/// are lossy, and none of them bounds its error.
///
/// @param setting the fraction of the state that [Scheme#SCAR] and [Scheme#TOPN] store, above 0 and up to 1; the
///     bits of [Scheme#L2], from 1 to 7; 0 for [Scheme#EXCP]
public record Yardstick(Scheme scheme, double setting) implements Codec {
    /// The published schemes.
    public enum Scheme {
        /// Stores the rows that changed most, without loss.
        SCAR,
        /// Stores the elements that changed most, without loss.
        TOPN,
        /// Uses as many values as LC-Checkpoint with the same number of bits, chosen for the least squared error.
        L2,
        /// Stores pruned residuals and moments, each as one of 15 k-means centres.
        EXCP
    }

    public Yardstick {
        switch (scheme) {
            case SCAR, TOPN -> require(setting > 0 && setting <= 1, scheme, "a fraction above 0 and up to 1", setting);
            case L2 ->
                require(setting >= 1 && setting <= 7 && setting == (int) setting, scheme, "1 to 7 bits", setting);
            case EXCP -> require(setting == 0, scheme, "no setting", setting);
        }
    }

    private static void require(boolean holds, Scheme scheme, String takes, double setting) {
        if (!holds) {
            throw new IllegalArgumentException(name(scheme) + " takes " + takes + ", not " + setting);
        }
    }

    /// Reads `scar:F`, `topn:F`, `l2:X` or `excp`, and everything that [Codec#parse] reads.
    public static Codec parse(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        for (Scheme scheme : Scheme.values()) {
            if (name.equals(name(scheme)) && (colon < 0) == (scheme == Scheme.EXCP)) {
                try {
                    return new Yardstick(scheme, colon < 0 ? 0 : Double.parseDouble(text.substring(colon + 1)));
                } catch (NumberFormatException noNumber) {
                    return Codec.parse(text); // Throws: the codec is unknown.
                }
            }
        }
        return Codec.parse(text);
    }

    @Override
    public String text() {
        return switch (scheme) {
            case SCAR, TOPN -> name(scheme) + ":" + setting;
            case L2 -> name(scheme) + ":" + (int) setting;
            case EXCP -> name(scheme);
        };
    }

    private static String name(Scheme scheme) {
        return scheme.name().toLowerCase(Locale.ROOT);
    }
}
