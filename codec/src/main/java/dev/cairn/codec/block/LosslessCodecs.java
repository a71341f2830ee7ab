package dev.cairn.codec.block;

import dev.cairn.codec.lossless.MagnitudeCodec;
import dev.cairn.codec.lossless.PlaneCodec;
import org.jspecify.annotations.Nullable;

/// The exact codecs of an encoder or decoder. Each has buffers of the size of a block or more, so it is made when a
/// block
/// first needs it.
final class LosslessCodecs {
    private @Nullable PlaneCodec planes;
    private @Nullable MagnitudeCodec magnitudes;

    PlaneCodec planes() {
        PlaneCodec made = planes == null ? new PlaneCodec() : planes;
        planes = made;
        return made;
    }

    MagnitudeCodec magnitudes() {
        MagnitudeCodec made = magnitudes == null ? new MagnitudeCodec() : magnitudes;
        magnitudes = made;
        return made;
    }
}
