package dev.cairn.transfer;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.ExactEncoder;
import dev.cairn.codec.block.ExactEncoder.Basis;
import dev.cairn.codec.block.SegmentTables;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.TensorSource;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.CheckpointWriter.Description;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// Imports a file of another program as a base checkpoint, bit for bit. Tensors become weights. If the file is an
/// [Export] of a whole state, the checkpoint gets the same step, attributes and roles as the exported one.
public final class Import {
    /// The attribute with the name of the file.
    public static final String SOURCE = "cairn.importedFrom";

    /// The prefix of attributes that come from the file's metadata.
    static final String METADATA = "metadata.";

    /// The writer of the segment.
    private static final String IMPORTER = "import";

    private static final int THREADS = Math.min(8, Runtime.getRuntime().availableProcessors());

    /// The number of blocks in memory for each thread. The store lets threads be at most four blocks ahead.
    private static final int WINDOW = 8;

    private static final int LONGEST_NAME = 1024;
    private static final int LONGEST_TEXT = 1 << 20;

    private final TensorFile file;
    private final List<TensorSpec> specs = new ArrayList<>();
    private final List<String> notes;
    private final long step;
    private final Attributes attributes;

    /// Prepares the import of this file. Reads its description, but no values.
    ///
    /// @param name the name of the file, without its folder
    /// @param askedStep the step of the checkpoint; if empty, the step in the file, or 0
    /// @throws UnsupportedException if a checkpoint cannot have a tensor with this name
    public Import(TensorFile file, String name, OptionalLong askedStep) throws IOException {
        this.file = file;
        this.notes = new ArrayList<>(file.notes());
        var metadata = new TreeMap<>(file.metadata());
        boolean nested = TorchNames.isIn(metadata);
        TorchNames names =
                nested ? TorchNames.take(name, metadata, file.tensors().size()) : new TorchNames(Map.of());
        if (nested) {
            notes.clear(); // options of the optimizer, which are also attributes
        }
        StateMetadata state = StateMetadata.take(name, metadata, file.tensors().size());
        var taken = new HashSet<String>();
        for (NamedTensor tensor : file.tensors()) {
            String own = nested ? names.of(tensor.name()) : tensor.name();
            Role role = state.roles().getOrDefault(own, Role.WEIGHT);
            if (!taken.add(own)) {
                throw new UnsupportedException(name, "two tensors would have the name " + own);
            }
            try {
                specs.add(new TensorSpec(own, tensor.type(), tensor.shape(), role));
            } catch (IllegalArgumentException e) {
                throw new UnsupportedException(name, String.valueOf(e.getMessage()));
            }
        }
        if (specs.isEmpty()) {
            throw new UnsupportedException(name, "no tensor in it" + (notes.isEmpty() ? "" : ": " + notes.getFirst()));
        }
        this.step = askedStep.orElse(state.step().orElse(0));
        this.attributes = attributes(name, state, metadata);
    }

    private Attributes attributes(String name, StateMetadata state, Map<String, String> metadata) {
        var values = new TreeMap<String, Object>(state.attributes().asMap());
        metadata.forEach((key, text) -> {
            if (METADATA.length() + key.length() > LONGEST_NAME || text.length() > LONGEST_TEXT) {
                notes.add("metadata of %d characters with a name of %d".formatted(text.length(), key.length()));
            } else {
                values.put(METADATA + key, text);
            }
        });
        values.put(SOURCE, name);
        return Attributes.of(values);
    }

    /// Returns the part of a file that is certainly the model: the only one that is not an optimizer's. Empty if
    /// all of the file is meant, such as a file that [Export] made.
    public static Optional<String> modelOf(TensorFile file) {
        List<TensorFile.Part> models =
                file.parts().stream().filter(part -> !part.optimizer()).toList();
        return models.size() != 1 || isState(file)
                ? Optional.empty()
                : Optional.of(models.getFirst().name());
    }

    /// Whether [Export] made the file from a whole state, nested as in PyTorch programs.
    public static boolean isState(TensorFile file) {
        return TorchNames.isIn(file.metadata());
    }

    /// Returns the contents of the file that are not imported, one per line.
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /// The number of tensors.
    public int count() {
        return specs.size();
    }

    /// The size of the tensors.
    public long sizeBytes() {
        return specs.stream().mapToLong(TensorSpec::sizeBytes).sum();
    }

    /// Commits the checkpoint.
    ///
    /// @param progress receives the number of bytes of tensors encoded so far, from several threads
    public Commit commit(CheckpointWriter writer, Instant time, LongConsumer progress) throws IOException {
        try (Arena arena = Arena.ofShared()) {
            var blocks = new BlockWindow(file, WINDOW * THREADS, arena);
            var tables = TableSet.empty();
            var done = new AtomicLong();
            var lanes = new ArrayList<Lane>();
            for (int i = 0; i < THREADS; i++) {
                lanes.add(new Lane(blocks, tables, arena, bytes -> progress.accept(done.addAndGet(bytes))));
            }
            var sources = new ArrayList<TensorSource>();
            long first = 0;
            for (TensorSpec spec : specs) {
                var source = new Source(spec, first, lanes);
                sources.add(source);
                first += source.blocks();
            }
            var description = new Description(step, time, null, "lossless", attributes);
            return writer.commit(IMPORTER, description, new Contents(sources, SegmentTables.of(tables), THREADS));
        }
    }

    /// The buffers with which one thread encodes blocks.
    private static final class Lane {
        private final BlockWindow blocks;
        private final TableSet tables;
        private final MemorySegment values;
        private final MemorySegment reference;
        private final LongConsumer progress;
        private final Map<ElementType, ExactEncoder> encoders = new EnumMap<>(ElementType.class);

        Lane(BlockWindow blocks, TableSet tables, Arena arena, LongConsumer progress) {
            this.blocks = blocks;
            this.tables = tables;
            this.values = arena.allocate(BlockEncoder.BLOCK_BYTES, 64);
            this.reference = arena.allocate(BlockEncoder.BLOCK_BYTES, 64);
            this.progress = progress;
        }

        void encode(ElementType type, long number, long length, Frame frame) throws IOException {
            MemorySegment block = values.asSlice(0, length);
            blocks.read(number, block);
            encoders.computeIfAbsent(type, _ -> new ExactEncoder(type, Basis.ALONE, tables))
                    .encode(block, reference.asSlice(0, length), frame);
            progress.accept(length);
        }
    }

    /// @param first the number of its first block, counted over all tensors
    private record Source(TensorSpec spec, long first, List<Lane> lanes) implements TensorSource {
        @Override
        public String codec() {
            return "lossless";
        }

        @Override
        public void encode(long block, int lane, Frame frame) throws IOException {
            long blockBytes = BlockEncoder.blockBytes(spec.type());
            long length = Math.min(blockBytes, spec.sizeBytes() - block * blockBytes);
            lanes.get(lane).encode(spec.type(), first + block, length, frame);
        }
    }
}
