package dev.cairn.transfer;

import dev.cairn.formats.TensorFormat;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFileWriter;
import dev.cairn.formats.pt.TorchState;
import dev.cairn.store.DamagedException;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointReader.Piece;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.TensorParts;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A checkpoint as a file of other programs. Every tensor is there under its own name with its own bytes, also where
/// the checkpoint stores one under several names.
public final class Export {
    private final CheckpointStore store;
    private final Manifest manifest;
    private final Commit checkpoint;
    private final Scope scope;
    private final Optional<TorchState.Optimizer> optimizer;
    private final Map<String, TensorSpec> specs = new HashMap<>();
    private final List<NamedTensor> tensors;

    /// How much of a checkpoint.
    public enum Scope {
        /// Weights and buffers: what makes the model.
        MODEL,
        /// All tensors, and as metadata step, attributes and roles: enough to become a checkpoint again.
        ALL;

        private boolean has(TensorSpec tensor) {
            return this == ALL
                    || switch (tensor.role()) {
                        case WEIGHT, BUFFER -> true;
                        case FIRST_MOMENT, SECOND_MOMENT, OPTIMIZER, RNG, CURSOR -> false;
                    };
        }
    }

    /// Exports a checkpoint of this run.
    ///
    /// @throws DamagedException if it has only some parts of a tensor
    public Export(CheckpointStore store, Manifest manifest, Scope scope) throws DamagedException {
        this(store, manifest, scope, Optional.empty());
    }

    /// Exports a checkpoint of this run with its optimizer.
    ///
    /// @param optimizer what PyTorch's optimizer of the same rule would have;
    ///     written to a `pt` file of the whole state
    /// @throws DamagedException if it has only some parts of a tensor
    public Export(CheckpointStore store, Manifest manifest, Scope scope, Optional<TorchState.Optimizer> optimizer)
            throws DamagedException {
        this.store = store;
        this.optimizer = optimizer;
        this.manifest = manifest;
        this.checkpoint = manifest.checkpoint();
        this.scope = scope;
        // A tensor that is stored in parts is one tensor of the file.
        this.tensors = TensorParts.joined(
                        manifest.tensors().stream().map(TensorRef::spec).toList())
                .stream()
                .filter(scope::has)
                .peek(spec -> specs.put(spec.name(), spec))
                .map(spec -> new NamedTensor(spec.name(), spec.type(), spec.shape()))
                .toList();
        for (TensorSpec spec : specs.values()) {
            if (spec.extent() != null) {
                throw new DamagedException(
                        RunFiles.record(checkpoint.number()),
                        "it has only some parts of tensor %s, %s among them".formatted(spec.name(), spec));
            }
        }
    }

    /// How many tensors it has.
    public int count() {
        return tensors.size();
    }

    /// What its tensors take.
    public long sizeBytes() {
        return tensors.stream().mapToLong(NamedTensor::sizeBytes).sum();
    }

    /// Writes a new file, durable when this returns.
    ///
    /// @param progress told how many bytes of tensors are written
    public void write(TensorFormat format, Path file, LongConsumer progress) throws IOException {
        try (TensorFileWriter writer = create(format, file);
                CheckpointReader reader = store.open(checkpoint);
                var pieces = new PieceWriter(writer)) {
            long done = 0;
            for (NamedTensor tensor : writer.order()) {
                TensorSpec spec = Objects.requireNonNull(specs.get(tensor.name()));
                for (long at = 0; at < tensor.sizeBytes(); ) {
                    long length = Math.min(PieceWriter.PIECE_BYTES, tensor.sizeBytes() - at);
                    MemorySegment buffer = pieces.next();
                    reader.read(List.of(new Piece(spec, at, buffer.asSlice(0, length))));
                    pieces.write(buffer, length);
                    at += length;
                    done += length;
                    progress.accept(done);
                }
            }
            pieces.finish();
            writer.finish();
        }
    }

    private TensorFileWriter create(TensorFormat format, Path file) throws IOException {
        SortedMap<String, String> metadata = metadata(format);
        if (format != TensorFormat.PT || scope != Scope.ALL) {
            return format.create(file, tensors, metadata);
        }
        var state = new TorchState(
                specs.values().stream()
                        .filter(Scope.MODEL::has)
                        .map(TensorSpec::name)
                        .collect(Collectors.toSet()),
                optimizer);
        metadata.put(TorchNames.KEY, TorchNames.write(state));
        return format.create(file, tensors, metadata, state);
    }

    /// Of a model, only safetensors has a place for metadata that does not stand among the tensors.
    private SortedMap<String, String> metadata(TensorFormat format) {
        var kept = new TreeMap<String, String>();
        var own = new TreeMap<String, @Nullable Object>();
        checkpoint.attributes().asMap().forEach((name, value) -> {
            if (name.startsWith(Import.METADATA) && value instanceof String text) {
                kept.put(name.substring(Import.METADATA.length()), text);
            } else if (!name.equals(Import.SOURCE)) {
                own.put(name, value);
            }
        });
        if (format == TensorFormat.SAFETENSORS) {
            // Libraries that load models look for it.
            kept.putIfAbsent("format", "pt");
        }
        return switch (scope) {
            case MODEL -> format == TensorFormat.SAFETENSORS ? kept : new TreeMap<>();
            case ALL -> {
                kept.putAll(StateMetadata.write(manifest, own));
                yield kept;
            }
        };
    }
}
