package dev.cairn.dashboard.document;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.dashboard.run.Records;
import dev.cairn.dashboard.run.Records.Snapshot;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.log.AttributeJson;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;

/// One checkpoint, as the records tell of it: its tensors, its chain and what a restore reads.
public final class CheckpointDocument {
    /// The largest tensors are listed.
    private static final int MOST_TENSORS = 1000;

    private CheckpointDocument() {}

    /// Returns the document of one of the checkpoints of these records.
    ///
    /// @throws IOException if its record cannot be read
    public static ObjectNode of(Records records, Snapshot snapshot, Commit checkpoint) throws IOException {
        ObjectNode document = CheckpointsDocument.row(checkpoint);
        document.put("digest", checkpoint.digest());
        document.put(
                "parent",
                checkpoint.parent() == null ? null : checkpoint.parent().id());
        CheckpointsDocument.attribute(document, checkpoint, WeightError.OF_STATE, "errorOfState");
        CheckpointsDocument.attribute(document, checkpoint, WeightError.OF_CHANGE, "errorOfChange");
        document.set("restore", CheckpointsDocument.restore(snapshot, checkpoint));
        ArrayNode files = document.putArray("files");
        checkpoint.segments().stream().map(SegmentRef::name).forEach(files::add);
        document.set("attributes", AttributeJson.write(checkpoint.attributes().asMap()));
        snapshot.plan().ifPresent(plan -> {
            document.put("leaves", !plan.kept().contains(checkpoint.number()));
            document.put("parentOnly", plan.needed().contains(checkpoint.number()));
        });
        document.put("keep", snapshot.keep().orElse(null));
        tensors(document, records.manifest(checkpoint).tensors(), checkpoint);
        return document;
    }

    private static void tensors(ObjectNode document, List<TensorRef> tensors, Commit checkpoint) {
        boolean exact = !checkpoint.attributes().asMap().containsKey(WeightError.OF_STATE);
        document.put("tensorCount", tensors.size());
        ArrayNode list = document.putArray("tensors");
        var owners = new HashMap<List<Long>, String>();
        tensors.stream()
                .sorted(Comparator.comparingLong((TensorRef ref) -> -ref.spec().sizeBytes()))
                .limit(MOST_TENSORS)
                .forEach(ref -> {
                    TensorSpec spec = ref.spec();
                    ObjectNode tensor = list.addObject()
                            .put("name", spec.name())
                            .put("role", spec.role().label())
                            .put("dtype", spec.type().label())
                            .put("bytes", ref.storedBytes())
                            .put("fullBytes", spec.sizeBytes())
                            .put("codec", ref.codec())
                            .put("dropped", ref.isDropped());
                    ArrayNode shape = tensor.putArray("shape");
                    spec.shape().forEach(shape::add);
                    String owner = spec.sizeBytes() == 0
                            ? null
                            : owners.putIfAbsent(List.of((long) ref.segment(), ref.firstBlock()), spec.name());
                    tensor.put("sameAs", owner);
                    Numbers.put(
                            tensor,
                            "relativeError",
                            ref.relativeError().orElse(exact && !ref.isDropped() ? 0 : Double.NaN));
                });
    }
}
