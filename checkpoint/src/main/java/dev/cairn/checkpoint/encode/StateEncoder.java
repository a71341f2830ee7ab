package dev.cairn.checkpoint.encode;

import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.checkpoint.Yardstick;
import dev.cairn.checkpoint.baseline.Baseline;
import dev.cairn.checkpoint.baseline.TensorPair;
import dev.cairn.checkpoint.capture.Capture;
import dev.cairn.checkpoint.chain.Lineage;
import dev.cairn.checkpoint.encode.PatternRule.Found;
import dev.cairn.checkpoint.encode.SchemeRule.Decision;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.segment.TensorSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Plans each checkpoint as a base or a delta, and keeps the reference: the values that a reader of the last checkpoint
/// holds, bit for bit. [TensorEncodings] chooses how each tensor is encoded. The reference is one more copy of the
/// state, unless every checkpoint is stored whole.
///
/// A checkpoint is a base, which needs no other, or a delta of the last committed checkpoint. After a failure the
/// reference is incomplete and is never used, and neither is a chain that is in doubt: the next checkpoint is a base.
/// For one thread at a time.
public final class StateEncoder implements AutoCloseable {
    /// A chain may grow to this many times its maximum length before a merge shortens it.
    private static final int LAG = 4;

    private final Codec codec;
    private final int longestChain;
    private final SchemeRule schemeRule;
    private final PatternRule patternRule;
    private final @Nullable Baseline baseline;
    private final TableSet codeTables = TableSet.empty();
    private final TensorEncodings encodings;
    private @Nullable Arena arena;
    private List<MemorySegment> references = List.of();
    private List<Named> layout = List.of();
    private @Nullable Parent parent;
    private final Lineage lineage;

    /// @param longestChain the maximum number of deltas after a base or a merged checkpoint
    /// @param threads the maximum number of threads that encode at a time
    /// @param lineage updated here; nothing is built on it once it is in doubt
    public StateEncoder(Codec codec, int longestChain, int threads, Lineage lineage) {
        this.codec = codec;
        this.longestChain = longestChain;
        this.lineage = lineage;
        this.schemeRule = new SchemeRule(codec);
        this.patternRule = new PatternRule(codec);
        this.baseline = baseline(codec);
        this.encodings = new TensorEncodings(
                codec,
                Stream.generate(() -> new Encoders(codeTables)).limit(threads).toList());
    }

    /// The precision that a checkpoint must have.
    public enum Precision {
        /// The precision of the codec.
        USUAL,
        /// Bit for bit, because this is known to be the last checkpoint.
        EXACT
    }

    /// How much processor time a lossy delta may take.
    public enum Effort {
        /// All that makes it smaller.
        USUAL,
        /// Without patterns.
        QUICK
    }

    /// A tensor in the state. Tensors that share memory also share a reference.
    private record Named(TensorSpec spec, @Nullable String sameAs) {}

    /// Plans the next checkpoint. Blocks are encoded when the tensors are asked for them.
    public EncodingPlan plan(List<Capture.Tensor> state, Precision precision, Effort effort) {
        List<Capture.Tensor> captured =
                state.stream().filter(tensor -> tensor.sameAs() == null).toList();
        List<Named> wanted = state.stream()
                .map(tensor -> new Named(tensor.spec(), tensor.sameAs()))
                .toList();
        if (!wanted.equals(layout)) {
            allocate(captured);
            layout = wanted;
        }
        if (lineage.isInDoubt()) {
            forget();
        }
        boolean base = parent == null || isChainTooLong() || codec instanceof Codec.Full;
        boolean exactly = base || precision == Precision.EXACT || !codec.isLossy();
        Found patterns = exactly || effort == Effort.QUICK ? Found.NONE : patternRule.find(captured, references);
        StateSample weights = base && !codec.isLossy() ? null : StateSample.of(pairs(captured, Role.WEIGHT));
        Decision decision = decide(captured, weights, exactly, patterns);
        Optional<Scheme> moments = exactly ? Optional.empty() : momentScheme(captured);
        Map<String, BlockEncoder> baselines = baselines(captured, exactly);
        var tensors = new ArrayList<BlockwiseTensor>();
        for (int i = 0; i < captured.size(); i++) {
            Capture.Tensor tensor = captured.get(i);
            BlockEncoder yardstick = baselines.get(tensor.spec().key());
            TensorEncoding encoding;
            if (yardstick != null) {
                encoding = new TensorEncoding(codec.text(), List.of(yardstick), false);
            } else if (decision == null || codec instanceof Yardstick) {
                encoding = encodings.exact(tensor.spec(), base);
            } else {
                encoding = encodings.lossy(tensor.spec(), decision, patterns, moments);
            }
            MemorySegment reference = references.isEmpty() ? tensor.bytes() : references.get(i);
            tensors.add(new BlockwiseTensor(
                    tensor.spec(),
                    encoding.label(),
                    tensor.bytes(),
                    reference,
                    encoding.encoders(),
                    errorSample(tensor.spec(), encoding, decision)));
        }
        codeTables.startAnew();
        // Baselines encode one block after the other.
        int threads = baselines.isEmpty() ? encodings.lanes().size() : 1;
        return new EncodingPlan(
                base ? null : parent,
                withAliases(state, tensors),
                tensors,
                decision,
                base || weights == null ? Optional.empty() : Optional.of(weights.deltaExponents()),
                patterns.tables(codeTables),
                threads);
    }

    private static ErrorSample errorSample(TensorSpec spec, TensorEncoding encoding, @Nullable Decision decision) {
        if (decision == null) {
            return new ErrorSample.NotAsked();
        }
        return encoding.exact() ? new ErrorSample.None() : new ErrorSample.Sampled(spec);
    }

    /// All tensors of the state in order: the encoded ones and, between them, those that share their blocks.
    private static List<TensorSource> withAliases(List<Capture.Tensor> state, List<BlockwiseTensor> encoded) {
        var originals = new HashMap<String, TensorSource>();
        encoded.forEach(tensor -> originals.put(tensor.spec().key(), tensor));
        var all = new ArrayList<TensorSource>();
        for (Capture.Tensor tensor : state) {
            String key = tensor.sameAs() == null ? tensor.spec().key() : tensor.sameAs();
            TensorSource original = Objects.requireNonNull(originals.get(key));
            all.add(tensor.sameAs() == null ? original : new AliasedTensor(tensor.spec(), original));
        }
        return all;
    }

    /// Notes that the last plan was committed as this checkpoint. The reference is now what a reader of it holds.
    ///
    /// @param error the error that was made
    public void committed(Commit checkpoint, WeightError error) {
        schemeRule.made(error);
        lineage.committed(checkpoint);
        parent = Parent.of(checkpoint);
    }

    /// Merging keeps chains short. If it cannot keep up, a base does.
    private boolean isChainTooLong() {
        return lineage.unmerged() >= LAG * longestChain;
    }

    /// Notes that the training was restored to this checkpoint. If the reference belongs to another checkpoint,
    /// that one was skipped, and nothing may be built on it.
    public void restored(Commit checkpoint) {
        if (parent != null && !parent.id().equals(checkpoint.id())) {
            forget();
        }
    }

    /// Drops the reference: the next checkpoint is a base.
    public void forget() {
        parent = null;
        lineage.clear();
    }

    @Override
    public void close() {
        if (arena != null) {
            arena.close();
            arena = null;
        }
        references = List.of();
        layout = List.of();
        forget();
    }

    private Optional<Scheme> momentScheme(List<Capture.Tensor> captured) {
        return codec.momentTarget().isEmpty()
                ? Optional.empty()
                : SchemeRule.ofMoments(
                        StateSample.of(pairs(captured, Role.FIRST_MOMENT)),
                        codec.momentTarget().getAsDouble());
    }

    /// The decision for the weights; null for an exact checkpoint.
    private @Nullable Decision decide(
            List<Capture.Tensor> captured, @Nullable StateSample sample, boolean exactly, Found patterns) {
        if (sample == null || !codec.isLossy()) {
            return null;
        }
        if (exactly) {
            schemeRule.observe(sample);
            return null;
        }
        return schemeRule.next(sample, patterns.bins(sample, keys(captured, Role.WEIGHT)));
    }

    /// The keys of the tensors of [#pairs].
    private static List<String> keys(List<Capture.Tensor> captured, Role role) {
        return captured.stream()
                .map(Capture.Tensor::spec)
                .filter(spec -> spec.role() == role && spec.type().isFloating())
                .map(TensorSpec::key)
                .toList();
    }

    private List<StateSample.Pair> pairs(List<Capture.Tensor> captured, Role role) {
        var pairs = new ArrayList<StateSample.Pair>();
        for (int i = 0; i < captured.size(); i++) {
            TensorSpec spec = captured.get(i).spec();
            if (spec.role() == role && spec.type().isFloating()) {
                pairs.add(new StateSample.Pair(spec.type(), captured.get(i).bytes(), references.get(i)));
            }
        }
        return pairs;
    }

    private static @Nullable Baseline baseline(Codec codec) {
        return codec instanceof Yardstick yardstick ? Baseline.of(yardstick) : null;
    }

    /// The encoders of a baseline; none for other codecs.
    private Map<String, BlockEncoder> baselines(List<Capture.Tensor> captured, boolean exactly) {
        if (baseline == null || exactly) {
            return Map.of();
        }
        var state = new ArrayList<TensorPair>();
        for (int i = 0; i < captured.size(); i++) {
            TensorSpec spec = captured.get(i).spec();
            boolean trained = switch (spec.role()) {
                case WEIGHT, FIRST_MOMENT, SECOND_MOMENT, OPTIMIZER -> true;
                case BUFFER, RNG, CURSOR -> false;
            };
            if (trained && TensorEncodings.mayBeLossy(spec)) {
                state.add(new TensorPair(spec, captured.get(i).bytes(), references.get(i)));
            }
        }
        return baseline.prepare(state);
    }

    private void allocate(List<Capture.Tensor> captured) {
        close();
        if (codec instanceof Codec.Full) {
            return;
        }
        Arena fresh = Arena.ofShared();
        arena = fresh;
        references = captured.stream()
                .map(tensor -> fresh.allocate(tensor.spec().sizeBytes(), Capture.ALIGNMENT))
                .toList();
    }
}
