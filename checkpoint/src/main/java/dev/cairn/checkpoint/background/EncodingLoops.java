package dev.cairn.checkpoint.background;

import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.Yardstick;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.huffman.SymbolCoder;
import dev.cairn.codec.lossless.DifferenceCodec;
import dev.cairn.codec.lossless.PlaneCodec;
import dev.cairn.codec.lossy.LogQuantizer;
import dev.cairn.codec.lossy.TableQuantizer;
import dev.cairn.codec.pattern.WarmPatterns;
import java.util.ArrayList;
import java.util.List;

/// The loops in which encoding a large state of float32 spends its time.
final class EncodingLoops {
    private EncodingLoops() {}

    /// Those of this codec: first the loops of deltas, of which there are more, then those of bases.
    static List<VectorLoop> of(Codec codec) {
        var loops = new ArrayList<VectorLoop>();
        switch (codec.ofWeights()) {
            case Codec.WithMoments _ -> throw new IllegalStateException("no codec of weights: " + codec.text());
            case Codec.Full _ -> {
                return loops;
            }
            case Codec.Lossless _ -> loops.addAll(DifferenceCodec.encodingLoops());
            case Codec.Uniform _, Codec.UniformOfState _ -> {
                loops.addAll(TableQuantizer.encodingLoops());
                loops.addAll(WarmPatterns.encodingLoops());
                loops.addAll(LogQuantizer.encodingLoops());
            }
            case Codec.Exponent _, Codec.ExponentAuto _ -> loops.addAll(LogQuantizer.encodingLoops());
            case Yardstick _ -> {}
        }
        loops.addAll(SymbolCoder.encodingLoops());
        loops.addAll(PlaneCodec.encodingLoops());
        return loops;
    }
}
