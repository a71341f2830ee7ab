package dev.cairn.observe.system;

/// Bytes per second in both directions.
///
/// @param in read or received; NaN if unknown
/// @param out written or sent; NaN if unknown
public record ByteRates(double in, double out) {
    /// Both directions unknown.
    public static final ByteRates UNKNOWN = new ByteRates(Double.NaN, Double.NaN);
}
