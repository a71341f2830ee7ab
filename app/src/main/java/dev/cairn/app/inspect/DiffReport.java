package dev.cairn.app.inspect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Table;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointDifference;
import dev.cairn.store.reading.TensorDifference;
import dev.cairn.store.reading.TensorDifference.Compared;
import dev.cairn.store.reading.TensorDifference.Missing;
import dev.cairn.store.reading.TensorDifference.Reshaped;
import dev.cairn.store.reading.TensorDifference.Unexpected;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Predicate;

/// How two checkpoints differ, for people and for scripts.
record DiffReport(Commit first, Commit second, CheckpointDifference difference) {
    void print(PrintWriter out) {
        out.printf("A  step %d, id %s%n", first.step(), first.id());
        out.printf("B  step %d, id %s%n", second.step(), second.id());
        out.println();
        Table table = Table.columns()
                .text("tensor", 12)
                .text("what", 7)
                .figure("change")
                .figure("of A")
                .spare("largest")
                .figure("equal")
                .build();
        for (TensorDifference tensor : difference.tensors()) {
            switch (tensor) {
                case Compared same when same.isSame() -> table.add(same.name(), "same", "", "", "", "");
                case Compared changed ->
                    table.add(
                            changed.name(),
                            changed.notFinite() == 0 ? "changed" : "changed, not finite: " + changed.notFinite(),
                            figure(changed.norm()),
                            Quantities.share(changed.relativeNorm()),
                            figure(changed.largest()),
                            equal(changed));
                case Missing missing -> table.add(missing.name(), "only in A", "", "", "", "");
                case Unexpected unexpected -> table.add(unexpected.name(), "only in B", "", "", "", "");
                case Reshaped reshaped ->
                    table.add(
                            reshaped.name(),
                            ShowText.type(reshaped.first()) + " in A, " + ShowText.type(reshaped.second()) + " in B",
                            "",
                            "",
                            "",
                            "");
            }
        }
        table.print(out);
        out.println(summary());
    }

    private String summary() {
        if (difference.isNone()) {
            return "the same, bit for bit"
                    + (difference.read() ? "" : " (the digests of all values are equal: nothing was read)");
        }
        return "%d changed, %d the same, %d only in A, %d only in B, %d with another type or shape"
                .formatted(
                        count(tensor -> tensor instanceof Compared compared && !compared.isSame()),
                        count(TensorDifference::isNone),
                        count(Missing.class::isInstance),
                        count(Unexpected.class::isInstance),
                        count(Reshaped.class::isInstance));
    }

    private long count(Predicate<TensorDifference> which) {
        return difference.tensors().stream().filter(which).count();
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }

    /// The share of equal elements; never 100 % if an element differs.
    private static String equal(Compared changed) {
        double share = Math.floor(10_000 * changed.equalShare()) / 10_000;
        return String.format(Locale.ROOT, "%.2f %%", 100 * share);
    }

    ObjectNode json() {
        ObjectNode document = Json.object().put("same", difference.isNone()).put("read", difference.read());
        document.putObject("a").put("id", first.id()).put("step", first.step());
        document.putObject("b").put("id", second.id()).put("step", second.step());
        var tensors = document.putArray("tensors");
        for (TensorDifference tensor : difference.tensors()) {
            ObjectNode node = tensors.addObject().put("name", tensor.name());
            switch (tensor) {
                case Compared compared -> putCompared(node, compared);
                case Missing missing -> putSpec(node.put("change", "missing"), "a", missing.first());
                case Unexpected unexpected -> putSpec(node.put("change", "unexpected"), "b", unexpected.second());
                case Reshaped reshaped -> {
                    boolean retyped =
                            reshaped.first().type() != reshaped.second().type();
                    node.put("change", retyped ? "retyped" : "reshaped");
                    putSpec(node, "a", reshaped.first());
                    putSpec(node, "b", reshaped.second());
                }
            }
        }
        return document;
    }

    private static void putCompared(ObjectNode node, Compared compared) {
        node.put("change", compared.isSame() ? "none" : "values")
                .put("elements", compared.elements())
                .put("equalElements", compared.equalElements())
                .put("equalShare", compared.equalShare())
                .put("notFinite", compared.notFinite());
        Json.putNumber(node, "norm", compared.norm());
        Json.putNumber(node, "relativeNorm", compared.relativeNorm());
        Json.putNumber(node, "largest", compared.largest());
    }

    private static void putSpec(ObjectNode node, String side, TensorSpec spec) {
        ObjectNode own = node.putObject(side).put("dtype", spec.type().label());
        spec.shape().forEach(own.putArray("shape")::add);
    }
}
