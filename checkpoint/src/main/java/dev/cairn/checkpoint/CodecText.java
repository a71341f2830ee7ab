package dev.cairn.checkpoint;

import dev.cairn.store.UnknownNameException;
import java.util.List;
import java.util.function.DoubleFunction;

/// Reads the names of codecs.
final class CodecText {
    private static final List<String> KNOWN = List.of(
            "lossless",
            "full",
            "lossy",
            "uq:E (error E of the change)",
            "rel:E (error E of the weights)",
            "lc:X (1 to 8 bits)",
            "lc:auto:E (bits for error E of the change)");
    private static final String EXPLANATION =
            "lossy codecs drop first moments unless followed by +m or +m:E (error E of the moments)";
    private static final String MOMENTS = "+m";

    private CodecText() {}

    static Codec parse(String text) {
        try {
            int moments = text.indexOf(MOMENTS);
            return moments < 0 ? alone(text) : withMoments(parse(text.substring(0, moments)), text.substring(moments));
        } catch (NumberFormatException _) {
            throw new UnknownNameException("codec", text, KNOWN, EXPLANATION);
        }
    }

    /// @param end `+m` or `+m:E`
    private static Codec withMoments(Codec weights, String end) {
        return end.equals(MOMENTS)
                ? new Codec.WithMoments(weights, Codec.DEFAULT_MOMENT_TARGET)
                : number(end, MOMENTS + ":", target -> new Codec.WithMoments(weights, target));
    }

    private static Codec alone(String text) {
        return switch (text) {
            case "full" -> new Codec.Full();
            case "lossless" -> new Codec.Lossless();
            case "lossy" -> new Codec.Uniform(Codec.DEFAULT_TARGET);
            case "lc:auto" -> new Codec.ExponentAuto(Codec.DEFAULT_TARGET);
            case String auto when auto.startsWith("lc:auto:") -> number(auto, "lc:auto:", Codec.ExponentAuto::new);
            case String lc when lc.startsWith("lc:") -> new Codec.Exponent(Integer.parseInt(lc.substring(3)));
            case String rel when rel.startsWith("rel:") -> number(rel, "rel:", Codec.UniformOfState::new);
            default -> number(text, "uq:", Codec.Uniform::new);
        };
    }

    private static Codec number(String text, String before, DoubleFunction<Codec> codec) {
        if (!text.startsWith(before)) {
            throw new NumberFormatException(text);
        }
        return codec.apply(Double.parseDouble(text.substring(before.length())));
    }
}
