package dev.cairn.app.inspect;

import dev.cairn.app.run.ScrubText;
import dev.cairn.app.text.CodecName;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Table;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.store.Clock;
import dev.cairn.store.Extent;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/// One checkpoint, for people.
record ShowText(CheckpointView view) {
    /// For a long chain, the base and this many of the newest checkpoints are shown.
    private static final int LAST_LINKS = 4;

    void print(PrintWriter out) {
        Commit checkpoint = view.checkpoint();
        out.printf(
                "step %d, %s, saved %s%n",
                checkpoint.step(),
                checkpoint.kind(),
                Instant.ofEpochSecond(checkpoint.time().getEpochSecond()));
        out.printf("id       %s (record %d)%n", checkpoint.id(), checkpoint.number());
        out.printf("codec    %s%n", CodecName.explained(checkpoint.codec()));
        out.printf(
                "size     %s of %s, %s%n",
                Quantities.bytes(checkpoint.storedBytes()),
                Quantities.bytes(checkpoint.fullBytes()),
                Quantities.ratio(checkpoint.fullBytes(), checkpoint.storedBytes()));
        Prose.print(out, "error    ", error());
        printRoles(out);
        printRestore(out);
        view.kept().ifPresent(why -> Prose.print(out, "kept     ", why));
        Prose.print(out, "cost     ", cost());
        Prose.print(
                out,
                "scrub    ",
                new ScrubText(view.scrub()).text(Clock.system().now()));
        out.println();
        printTensors(out);
    }

    /// Prints the attributes of the checkpoint.
    void printAttributes(PrintWriter out) {
        out.println();
        view.checkpoint().attributes().asMap().forEach((name, value) -> out.printf("%s = %s%n", name, value));
    }

    private String error() {
        OptionalDouble ofState = view.number(WeightError.OF_STATE);
        if (ofState.isEmpty()) {
            return "exact";
        }
        return "weights are off by %s, which is %s of their last change"
                .formatted(
                        Quantities.share(ofState.getAsDouble()),
                        Quantities.share(view.number(WeightError.OF_CHANGE).orElse(Double.NaN)));
    }

    /// Prints how the tensors of each role are stored.
    private void printRoles(PrintWriter out) {
        String start = "roles    ";
        List<CheckpointView.Tensors> roles = view.byRole();
        int width = roles.stream()
                .mapToInt(role -> role.role().label().length())
                .max()
                .orElse(0);
        for (CheckpointView.Tensors role : roles) {
            Prose.print(
                    out, (start + "%-" + width + "s  ").formatted(role.role().label()), fate(role));
            start = " ".repeat(start.length());
        }
    }

    private static String fate(CheckpointView.Tensors role) {
        String count = Quantities.count(role.tensors().size(), "tensor");
        String codecs = role.codecs().stream().map(CodecName::explained).collect(Collectors.joining(" and "));
        if (role.dropped() == role.tensors().size()) {
            return count + ", not stored: zeros after a restore";
        }
        OptionalDouble worst = role.worstError();
        String stored = worst.isEmpty()
                ? "error not measured"
                : worst.getAsDouble() == 0 ? "exact" : "off by up to " + Quantities.share(worst.getAsDouble());
        return role.dropped() == 0
                ? "%s, %s, %s".formatted(count, codecs, stored)
                : "%s: %d not stored, zeros after a restore; the others %s, %s"
                        .formatted(count, role.dropped(), codecs, stored);
    }

    private void printRestore(PrintWriter out) {
        if (view.problem().isPresent()) {
            Prose.print(out, "restore  ", "impossible: " + view.problem().get().getMessage());
            return;
        }
        String start = "chain    ";
        int all = view.chain().size();
        for (int i = 0; i < all; i++) {
            Commit link = view.chain().get(i);
            if (i == 0 || i >= all - LAST_LINKS) {
                out.printf(
                        "%sstep %d, %s, %s%n", start, link.step(), link.kind(), Quantities.bytes(link.storedBytes()));
            } else if (i == 1) {
                out.printf("%s... %d more%n", start, all - 1 - LAST_LINKS);
            }
            start = " ".repeat(start.length());
        }
        out.printf(
                "restore  reads %s, %s%n",
                Quantities.count(view.restoreFiles(), "file"), Quantities.bytes(view.restoreBytes()));
    }

    private String cost() {
        if (view.stallSeconds().isEmpty() || view.saveSeconds().isEmpty()) {
            return "not recorded";
        }
        return "the training waited %s; encoding and writing took %s"
                .formatted(
                        Quantities.seconds(view.stallSeconds().getAsDouble()),
                        Quantities.seconds(view.saveSeconds().getAsDouble()));
    }

    private void printTensors(PrintWriter out) {
        // Codecs are listed by role above; here only wide terminals show them.
        Table table = Table.columns()
                .text("tensor", 20)
                .text("type", 17)
                .spareWord("role")
                .spare("stored")
                .spare("ratio")
                .figure("error")
                .extra("codec")
                .build();
        for (CheckpointView.Tensor tensor : view.tensors()) {
            table.add(
                    tensor.spec().key(),
                    type(tensor.spec()),
                    tensor.spec().role().label(),
                    Quantities.bytes(tensor.storedBytes()),
                    tensor.isDropped() ? "-" : Quantities.ratio(tensor.spec().sizeBytes(), tensor.storedBytes()),
                    tensor.isDropped() ? "dropped" : error(tensor.relativeError()),
                    CodecName.typed(tensor.codec()));
        }
        table.print(out);
        out.println(Quantities.count(view.tensors().size(), "tensor"));
        for (CheckpointView.Tensor tensor : view.tensors()) {
            if (tensor.sameAs() != null) {
                Prose.print(out, Table.shown(tensor.spec().key() + " = " + tensor.sameAs() + ": stored once"));
            }
        }
    }

    /// `float32[5x7]`; of a part `float32[5x7] of [10x7]`.
    static String type(TensorSpec spec) {
        Extent extent = spec.extent();
        return spec.type().label() + shape(spec.shape()) + (extent == null ? "" : " of " + shape(extent.shape()));
    }

    private static String shape(List<Long> shape) {
        return shape.stream().map(String::valueOf).collect(Collectors.joining("x", "[", "]"));
    }

    private static String error(OptionalDouble error) {
        if (error.isEmpty()) {
            return "?";
        }
        return error.getAsDouble() == 0 ? "exact" : Quantities.share(error.getAsDouble());
    }
}
