package dev.cairn.checkpoint.encode;

import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.encode.PatternRule.Found;
import dev.cairn.checkpoint.encode.PatternRule.Matrix;
import dev.cairn.checkpoint.encode.SchemeRule.Decision;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.ExactEncoder.Basis;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.segment.TensorRef;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Chooses how each tensor is encoded with a codec, by its role, type and size.
///
/// @param lanes the encoders of each thread
record TensorEncodings(Codec codec, List<Encoders> lanes) {
    /// Smaller tensors are stored exactly: their tables would cost more than they save.
    private static final int SMALLEST_LOSSY = 1024;

    TensorEncodings {
        lanes = List.copyOf(lanes);
    }

    /// Whether a lossy codec may store the tensor with an error.
    static boolean mayBeLossy(TensorSpec spec) {
        return spec.type().isFloating()
                && spec.sizeBytes() >= (long) SMALLEST_LOSSY * spec.type().sizeBytes();
    }

    /// Stores every bit.
    ///
    /// @param base whether the checkpoint is a base, and not a delta
    TensorEncoding exact(TensorSpec spec, boolean base) {
        if (codec instanceof Codec.Full) {
            return exactly("raw", encoders -> encoders.exact(spec.type(), Basis.RAW));
        }
        Basis basis = base ? Basis.ALONE : Basis.REFERENCE;
        return exactly("lossless", encoders -> encoders.exact(spec.type(), basis));
    }

    /// Stores a tensor of a lossy delta.
    ///
    /// @param decided the decision for weights
    /// @param patterns the patterns of weight matrices
    /// @param moments the scheme for first moments, if they are kept; empty to keep them exactly
    TensorEncoding lossy(TensorSpec spec, Decision decided, Found patterns, Optional<Scheme> moments) {
        if (!mayBeLossy(spec)) {
            return exact(spec, false);
        }
        return switch (spec.role()) {
            case WEIGHT -> {
                Scheme scheme = decided.scheme();
                yield scheme == null
                        ? exact(spec, false)
                        : nearly(
                                codec.text(),
                                weights(spec, scheme, patterns.matrices().get(spec.key())));
            }
            case FIRST_MOMENT -> firstMoment(spec, moments);
            case SECOND_MOMENT ->
                spec.type() == ElementType.FLOAT32 ? nearly("log2", Encoders::logarithms) : exact(spec, false);
            case OPTIMIZER, BUFFER, RNG, CURSOR -> exact(spec, false);
        };
    }

    private static Function<Encoders, BlockEncoder> weights(TensorSpec spec, Scheme scheme, @Nullable Matrix matrix) {
        return matrix != null && scheme instanceof Scheme.Uniform uniform
                ? encoders -> encoders.patterned(uniform, matrix)
                : encoders -> encoders.quantized(spec.type(), scheme);
    }

    private TensorEncoding firstMoment(TensorSpec spec, Optional<Scheme> moments) {
        if (codec.momentTarget().isEmpty()) {
            return nearly(TensorRef.DROPPED, Encoders::zeros);
        }
        return moments.map(scheme -> nearly(
                        "m:" + codec.momentTarget().getAsDouble(), encoders -> encoders.moments(spec.type(), scheme)))
                .orElseGet(() -> exact(spec, false));
    }

    private TensorEncoding exactly(String label, Function<Encoders, BlockEncoder> choice) {
        return new TensorEncoding(label, lanes.stream().map(choice).toList(), true);
    }

    private TensorEncoding nearly(String label, Function<Encoders, BlockEncoder> choice) {
        return new TensorEncoding(label, lanes.stream().map(choice).toList(), false);
    }
}
