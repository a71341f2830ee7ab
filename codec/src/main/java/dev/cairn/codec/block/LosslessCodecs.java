package dev.cairn.codec.block;

import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossless.DifferenceCodec;
import dev.cairn.codec.lossless.MagnitudeCodec;
import dev.cairn.codec.lossless.PlaneCodec;
import dev.cairn.codec.lossless.ScaleCodec;
import org.jspecify.annotations.Nullable;

/// The lossless codecs of an encoder or decoder. Each has buffers of at least the size of a block, so it is created
/// when a block first needs it.
final class LosslessCodecs {
    private final @Nullable TableSet tables;
    private @Nullable PlaneCodec planes;
    private @Nullable MagnitudeCodec magnitudes;
    private @Nullable DifferenceCodec differences;
    private @Nullable ScaleCodec scales;

    LosslessCodecs(@Nullable TableSet tables) {
        this.tables = tables;
    }

    PlaneCodec planes() {
        PlaneCodec made = planes == null ? new PlaneCodec(tables) : planes;
        planes = made;
        return made;
    }

    MagnitudeCodec magnitudes() {
        MagnitudeCodec made = magnitudes == null ? new MagnitudeCodec(tables) : magnitudes;
        magnitudes = made;
        return made;
    }

    DifferenceCodec differences() {
        DifferenceCodec made = differences == null ? new DifferenceCodec(tables) : differences;
        differences = made;
        return made;
    }

    ScaleCodec scales() {
        ScaleCodec made = scales == null ? new ScaleCodec(tables) : scales;
        scales = made;
        return made;
    }
}
