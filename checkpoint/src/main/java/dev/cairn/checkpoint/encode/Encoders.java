package dev.cairn.checkpoint.encode;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.ExactEncoder;
import dev.cairn.codec.block.ExactEncoder.Basis;
import dev.cairn.codec.block.LossyEncoder;
import dev.cairn.codec.block.ZeroEncoder;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossy.LogQuantizer;
import dev.cairn.codec.lossy.PatternedQuantizer;
import dev.cairn.codec.lossy.TableQuantizer;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import dev.cairn.codec.pattern.AmountFinder;
import dev.cairn.codec.pattern.PatternBlock;
import java.util.EnumMap;
import java.util.Map;

/// The encoders that tensors share. Each is created once, because its buffers and code tables are reused. For one
/// thread, and one tensor at a time.
final class Encoders {
    /// One step is a factor of two.
    private static final int LOG_SHIFT = 23;

    private final Map<Basis, Map<ElementType, BlockEncoder>> exact = new EnumMap<>(Basis.class);
    private final Quantized weights;
    private final Quantized moments;
    private final TableSet codeTables;
    private final AmountFinder amountFinder = new AmountFinder();
    private final PatternBlock amounts;
    private final BlockEncoder logarithms;
    private final BlockEncoder zeros = new ZeroEncoder();

    /// @param codeTables the code tables of the checkpoint being encoded
    Encoders(TableSet codeTables) {
        this.codeTables = codeTables;
        this.weights = new Quantized(codeTables);
        this.moments = new Quantized(codeTables);
        this.amounts = new PatternBlock(codeTables);
        this.logarithms = new LossyEncoder(ElementType.FLOAT32, new LogQuantizer(LOG_SHIFT, codeTables), codeTables);
    }

    BlockEncoder exact(ElementType type, Basis basis) {
        return exact.computeIfAbsent(basis, _ -> new EnumMap<>(ElementType.class))
                .computeIfAbsent(type, _ -> new ExactEncoder(type, basis, codeTables));
    }

    BlockEncoder quantized(ElementType type, Scheme scheme) {
        return weights.encoder(type, scheme);
    }

    /// A new encoder of a float32 matrix that has patterns. It shares all buffers with the others.
    BlockEncoder patterned(Scheme.Uniform scheme, PatternRule.Matrix matrix) {
        TableQuantizer rest = weights.quantizer(ElementType.FLOAT32, scheme);
        double precision = matrix.precision(scheme.setting().step());
        return new LossyEncoder(
                ElementType.FLOAT32,
                new PatternedQuantizer(rest, amountFinder, amounts, matrix.target(), precision),
                codeTables);
    }

    /// The encoder of first moments, which have their own steps.
    BlockEncoder moments(ElementType type, Scheme scheme) {
        return moments.encoder(type, scheme);
    }

    /// Encoders that share a scheme.
    private static final class Quantized {
        private final Map<ElementType, TableQuantizer> quantizers = new EnumMap<>(ElementType.class);
        private final Map<ElementType, BlockEncoder> encoders = new EnumMap<>(ElementType.class);
        private final TableSet codeTables;

        Quantized(TableSet codeTables) {
            this.codeTables = codeTables;
        }

        TableQuantizer quantizer(ElementType type, Scheme scheme) {
            TableQuantizer quantizer =
                    quantizers.computeIfAbsent(type, _ -> new TableQuantizer(type, scheme, codeTables));
            quantizer.use(scheme);
            return quantizer;
        }

        BlockEncoder encoder(ElementType type, Scheme scheme) {
            TableQuantizer quantizer = quantizer(type, scheme);
            return encoders.computeIfAbsent(type, _ -> new LossyEncoder(type, quantizer, codeTables));
        }
    }

    /// The encoder of non-negative float32 values.
    BlockEncoder logarithms() {
        return logarithms;
    }

    BlockEncoder zeros() {
        return zeros;
    }
}
