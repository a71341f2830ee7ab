package dev.cairn.jmh;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.ExactEncoder;
import dev.cairn.codec.block.ExactEncoder.Basis;
import dev.cairn.codec.block.LossyEncoder;
import dev.cairn.codec.lossy.LogQuantizer;
import dev.cairn.codec.lossy.TableQuantizer;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import dev.cairn.codec.lossy.kernel.UniformSetting;

/// Who takes part in [CodecBenchmark].
public enum Contender {
    /// A copy from live values to references.
    MEMCPY,
    /// Deltas in uniform steps.
    LOSSY,
    /// LC-Checkpoint with three bits.
    LC3,
    /// Adam's second moments, in doublings.
    SECOND_MOMENT,
    /// Bit for bit against the parent.
    LOSSLESS,
    /// Bit for bit from the values alone.
    LOSSLESS_ALONE,
    /// The values as they are, with their checksum.
    RAW,
    ZSTD_1,
    ZSTD_3,
    LZ4,
    DEFLATE_1,
    /// Those with `_PLANES` get the xor with the parent, byte planes apart.
    ZSTD_1_PLANES,
    ZSTD_3_PLANES,
    LZ4_PLANES,
    DEFLATE_1_PLANES;

    /// A uniform step that leaves an error of about half the change, in units of the changes' root mean square.
    private static final double STEP_OF_RMS = 2.07;

    private static final int DOUBLING = 23;

    Coder open(int megabytes) {
        if (this == SECOND_MOMENT) {
            var encoder = new LossyEncoder(ElementType.FLOAT32, new LogQuantizer(DOUBLING));
            return new CairnCoder(WorkingSet.ofSecondMoments(megabytes), encoder);
        }
        var weights = WorkingSet.ofWeights(megabytes);
        return switch (this) {
            case MEMCPY -> new MemcpyCoder(weights);
            case LOSSY -> lossy(weights, new Scheme.Uniform(uniform(weights)));
            case LC3 -> lossy(weights, new Scheme.Exponent(3));
            case SECOND_MOMENT -> throw new AssertionError("has no weights");
            case LOSSLESS -> exact(weights, Basis.REFERENCE);
            case LOSSLESS_ALONE -> exact(weights, Basis.ALONE);
            case RAW -> exact(weights, Basis.RAW);
            case ZSTD_1 -> PeerCoder.ofRaw(new Peer.Zstandard(1), weights);
            case ZSTD_3 -> PeerCoder.ofRaw(new Peer.Zstandard(3), weights);
            case LZ4 -> PeerCoder.ofRaw(new Peer.Lz4(), weights);
            case DEFLATE_1 -> PeerCoder.ofRaw(new Peer.Deflate(), weights);
            case ZSTD_1_PLANES -> PeerCoder.ofPlanes(new Peer.Zstandard(1), weights);
            case ZSTD_3_PLANES -> PeerCoder.ofPlanes(new Peer.Zstandard(3), weights);
            case LZ4_PLANES -> PeerCoder.ofPlanes(new Peer.Lz4(), weights);
            case DEFLATE_1_PLANES -> PeerCoder.ofPlanes(new Peer.Deflate(), weights);
        };
    }

    /// Whether decoding gives back the very bits that were encoded.
    boolean isExact() {
        return switch (this) {
            case LOSSY, LC3, SECOND_MOMENT -> false;
            case MEMCPY, LOSSLESS, LOSSLESS_ALONE, RAW -> true;
            case ZSTD_1, ZSTD_3, LZ4, DEFLATE_1, ZSTD_1_PLANES, ZSTD_3_PLANES, LZ4_PLANES, DEFLATE_1_PLANES -> true;
        };
    }

    private static UniformSetting uniform(WorkingSet weights) {
        return UniformSetting.ofStep((float) (STEP_OF_RMS * weights.rmsDelta()));
    }

    private static Coder lossy(WorkingSet weights, Scheme scheme) {
        var quantizer = new TableQuantizer(ElementType.FLOAT32, scheme);
        return new CairnCoder(weights, new LossyEncoder(ElementType.FLOAT32, quantizer));
    }

    private static Coder exact(WorkingSet weights, Basis basis) {
        return new CairnCoder(weights, new ExactEncoder(ElementType.FLOAT32, basis));
    }
}
