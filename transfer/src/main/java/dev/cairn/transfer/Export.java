package dev.cairn.transfer;

import dev.cairn.formats.TensorFormat;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFileWriter;
import dev.cairn.formats.pt.TorchState;
import dev.cairn.store.DamagedException;
import dev.cairn.store.HealedDamage;
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

/// Exports a checkpoint to a file of another program. Every tensor has its own name and bytes in the file, even
/// if the checkpoint stores one tensor under several names.
public final class Export {
    private final CheckpointStore store;
    private final Manifest manifest;
    private final Commit checkpoint;
    private final Scope scope;
    private final Optional<TorchState.Optimizer> optimizer;
    private final Map<String, TensorSpec> specs = new HashMap<>();
    private final List<NamedTensor> tensors;
    private List<HealedDamage> healed = List.of();

    /// The part of a checkpoint to export.
    public enum Scope {
        /// Weights and buffers: the model.
        MODEL,
        /// All tensors, and as metadata the step, attributes and roles. [Import] can make the same checkpoint of
        /// it.
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
    /// @throws DamagedException if the checkpoint has only some parts of a tensor
    public Export(CheckpointStore store, Manifest manifest, Scope scope) throws DamagedException {
        this(store, manifest, scope, Optional.empty());
    }

    /// Exports a checkpoint of this run with its optimizer.
    ///
    /// @param optimizer the state of the PyTorch optimizer with the same rule, which is written to a `pt` file of
    ///     the whole state
    /// @throws DamagedException if the checkpoint has only some parts of a tensor
    public Export(CheckpointStore store, Manifest manifest, Scope scope, Optional<TorchState.Optimizer> optimizer)
            throws DamagedException {
        this.store = store;
        this.optimizer = optimizer;
        this.manifest = manifest;
        this.checkpoint = manifest.checkpoint();
        this.scope = scope;
        // The parts of a tensor become one tensor in the file.
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

    /// The number of tensors.
    public int count() {
        return tensors.size();
    }

    /// The size of the tensors.
    public long sizeBytes() {
        return tensors.stream().mapToLong(NamedTensor::sizeBytes).sum();
    }

    /// Writes a new file, which is durable when this method returns.
    ///
    /// @param progress receives the number of bytes of tensors written so far
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
            healed = reader.healed();
        }
    }

    /// The damage in files of the run that was healed while the file was written. Those files are still damaged.
    public List<HealedDamage> healed() {
        return healed;
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

    /// For a model, only safetensors can store metadata separately from the tensors.
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
            // Libraries that load models need this entry.
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
