package dev.cairn.store;

import dev.cairn.codec.huffman.TableSet;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.FreshStart;
import dev.cairn.store.LogRecord.Parent;
import dev.cairn.store.LogRecord.TensorRef;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Commits checkpoints to one run, one after the other: segment, fsync, then the record. Not thread-safe.
///
/// A failed commit leaves the run as it was, and the next may be tried; after a [CommitConflictException] every later
/// commit fails too, because another writer is at work.
public final class CheckpointWriter {
    /// Room that a commit needs besides the tensors: index, record, folders.
    private static final long MARGIN_BYTES = 256 << 10;

    private final BlobStore blobs;
    private final CommitLog log;
    private final Guard stillOurs;
    private final SecureRandom random = new SecureRandom();
    private long nextNumber;

    CheckpointWriter(BlobStore blobs, CommitLog log, Guard stillOurs, long nextNumber) {
        this.blobs = blobs;
        this.log = log;
        this.stillOurs = stillOurs;
        this.nextNumber = nextNumber;
    }

    /// Asked right before each commit whether the run is still this writer's.
    public interface Guard {
        void check() throws IOException;
    }

    /// A tensor to be stored: its description, and its blocks when they are asked for.
    public interface TensorSource {
        TensorSpec spec();

        /// How it is encoded, for people.
        String codec();

        /// The name of an earlier tensor of the same type and shape whose blocks are this one's too; null for a
        /// tensor with blocks of its own.
        default @Nullable String sameAs() {
            return null;
        }

        /// Encodes the tensor's blocks one after the other and hands each frame over.
        void encode(BlockSink sink) throws IOException;
    }

    /// Takes the frames of a tensor in order.
    public interface BlockSink {
        void append(MemorySegment frame) throws IOException;
    }

    /// What a checkpoint says of itself besides its tensors.
    ///
    /// @param parent what it is a delta of; null for a base
    /// @param codec what the user asked for
    public record Description(
            long step, Instant time, @Nullable Parent parent, String codec, Attributes attributes) {}

    /// Stores these tensors, whose blocks carry their code tables themselves, as a checkpoint.
    public Checkpoint commit(Description description, List<? extends TensorSource> tensors) throws IOException {
        return commit(description, tensors, TableSet.empty(), Attributes::empty);
    }

    /// Stores these tensors as a checkpoint. When this returns, the checkpoint survives a power cut.
    ///
    /// @param tables the code tables that the tensors' blocks name, complete when the last is encoded
    /// @param findings attributes that are known only then
    public Checkpoint commit(
            Description description,
            List<? extends TensorSource> tensors,
            TableSet tables,
            Supplier<Attributes> findings)
            throws IOException {
        checkRoom(tensors.stream()
                .filter(tensor -> tensor.sameAs() == null)
                .mapToLong(tensor -> tensor.spec().sizeBytes())
                .sum());
        checkNames(tensors);
        long number = nextNumber;
        long id = random.nextLong();
        String segmentName = CheckpointStore.SEGMENTS + CommitLog.digits(number) + "-"
                + HexFormat.of().toHexDigits(id) + ".seg";
        var refs = new ArrayList<TensorRef>();
        LogRecord.SegmentRef segment;
        try (var writer = new SegmentWriter(segmentName, blobs.write(segmentName), id)) {
            for (TensorSource tensor : tensors) {
                if (tensor.sameAs() != null) {
                    refs.add(new TensorRef(tensor.spec(), tensor.codec(), 0, firstBlock(refs, tensor)));
                } else {
                    refs.add(new TensorRef(tensor.spec(), tensor.codec(), 0, writer.nextBlock()));
                    tensor.encode(writer::appendBlock);
                }
            }
            segment = writer.finish(tables);
        }
        var checkpoint = new Checkpoint(
                number,
                HexFormat.of().toHexDigits(id),
                description.step(),
                description.time().truncatedTo(ChronoUnit.MILLIS),
                description.parent(),
                description.codec(),
                description.attributes().with(findings.get()),
                List.of(segment),
                refs);
        try {
            stillOurs.check();
            blobs.read(segmentName).close();
            log.append(checkpoint);
        } catch (IOException e) {
            afterFailedAppend(number, segmentName);
            throw e;
        }
        nextNumber = number + 1;
        return checkpoint;
    }

    /// Begins the run anew: all checkpoints so far stay where they are, but are no longer part of it.
    public void commitFreshStart(Instant time) throws IOException {
        log.append(new FreshStart(nextNumber, time.truncatedTo(ChronoUnit.MILLIS)));
        nextNumber++;
    }

    /// Where the blocks begin that the tensor shares with one before it.
    private static long firstBlock(List<TensorRef> before, TensorSource tensor) {
        TensorSpec spec = tensor.spec();
        for (TensorRef ref : before) {
            TensorSpec earlier = ref.spec();
            if (earlier.name().equals(tensor.sameAs())
                    && earlier.type() == spec.type()
                    && earlier.shape().equals(spec.shape())) {
                return ref.firstBlock();
            }
        }
        throw new IllegalArgumentException(
                "tensor %s shares the blocks of %s, but none before it has that name, type and shape"
                        .formatted(spec, tensor.sameAs()));
    }

    private static void checkNames(List<? extends TensorSource> tensors) {
        var names = new HashSet<String>();
        for (TensorSource tensor : tensors) {
            if (!names.add(tensor.spec().name())) {
                throw new IllegalArgumentException(
                        "two tensors have the name " + tensor.spec().name());
            }
        }
    }

    /// Throws where a checkpoint of this size would not fit.
    public void checkRoom(long tensorBytes) throws IOException {
        long needed = tensorBytes + tensorBytes / 1024 + MARGIN_BYTES;
        long usable = blobs.usableBytes();
        if (usable < needed) {
            throw new StoreFullException(needed, usable);
        }
    }

    static long parseId(Checkpoint checkpoint) throws DamagedException {
        try {
            return HexFormat.fromHexDigitsToLong(checkpoint.id());
        } catch (IllegalArgumentException notHexadecimal) {
            throw new DamagedException(CommitLog.name(checkpoint.number()), "id is not a number");
        }
    }

    /// The record may stand although its creation reported an error (a failed fsync of the folder): then its number is
    /// taken and its segment must stay.
    private void afterFailedAppend(long number, String segmentName) {
        try {
            if (log.numbers().contains(number)) {
                if (log.read(number) instanceof Checkpoint checkpoint
                        && checkpoint.segments().getFirst().name().equals(segmentName)) {
                    nextNumber = number + 1;
                    return;
                }
            }
            blobs.delete(segmentName);
        } catch (IOException secondary) {
            // The first error is the one to report; the next writer removes the segment if no record names it.
        }
    }
}
