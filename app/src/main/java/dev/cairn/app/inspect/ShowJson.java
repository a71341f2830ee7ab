package dev.cairn.app.inspect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.run.ScrubText;
import dev.cairn.app.text.Json;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.store.DamagedException;
import dev.cairn.store.Extent;
import dev.cairn.store.log.AttributeJson;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.segment.SegmentRef;
import java.util.OptionalDouble;

/// One checkpoint, for scripts.
record ShowJson(CheckpointView view) {
    ObjectNode document() {
        Commit checkpoint = view.checkpoint();
        ObjectNode document = Json.object()
                .put("id", checkpoint.id())
                .put("step", checkpoint.step())
                .put("number", checkpoint.number())
                .put("time", checkpoint.time().toString())
                .put("kind", checkpoint.kind())
                .put(
                        "parent",
                        checkpoint.parent() == null ? null : checkpoint.parent().id())
                .put("codec", checkpoint.codec())
                .put("digest", checkpoint.digest())
                .put("bytes", checkpoint.storedBytes())
                .put("fullBytes", checkpoint.fullBytes());
        put(document, "errorOfState", view.number(WeightError.OF_STATE));
        put(document, "errorOfChange", view.number(WeightError.OF_CHANGE));
        put(document, "stallSeconds", view.stallSeconds());
        put(document, "saveSeconds", view.saveSeconds());
        boolean whole = view.problem().isEmpty();
        document.put("restoreBytes", whole ? Long.valueOf(view.restoreBytes()) : null);
        document.put("restoreFiles", whole ? Integer.valueOf(view.restoreFiles()) : null);
        document.put("kept", view.kept().orElse(null));
        document.put("problem", view.problem().map(DamagedException::getMessage).orElse(null));
        new ScrubText(view.scrub()).putInto(document);
        putChain(document);
        putTensors(document);
        checkpoint.segments().stream().map(SegmentRef::name).forEach(document.putArray("files")::add);
        document.set("attributes", AttributeJson.write(checkpoint.attributes().asMap()));
        return document;
    }

    private void putChain(ObjectNode document) {
        var chain = document.putArray("chain");
        for (Commit link : view.chain()) {
            chain.addObject()
                    .put("id", link.id())
                    .put("step", link.step())
                    .put("kind", link.kind())
                    .put("bytes", link.storedBytes());
        }
    }

    private void putTensors(ObjectNode document) {
        var tensors = document.putArray("tensors");
        for (CheckpointView.Tensor tensor : view.tensors()) {
            ObjectNode node = tensors.addObject()
                    .put("name", tensor.spec().name())
                    .put("dtype", tensor.spec().type().label())
                    .put("role", tensor.spec().role().label())
                    .put("fullBytes", tensor.spec().sizeBytes())
                    .put("codec", tensor.codec())
                    .put("dropped", tensor.isDropped())
                    .put("sameAs", tensor.sameAs());
            tensor.spec().shape().forEach(node.putArray("shape")::add);
            Extent extent = tensor.spec().extent();
            if (extent != null) {
                extent.shape().forEach(node.putArray("wholeShape")::add);
                extent.offset().forEach(node.putArray("offset")::add);
            }
            node.put("bytes", tensor.storedBytes());
            put(node, "relativeError", tensor.relativeError());
        }
    }

    private static void put(ObjectNode node, String key, OptionalDouble value) {
        Json.putNumber(node, key, value.orElse(Double.NaN));
    }
}
