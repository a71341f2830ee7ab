package dev.cairn.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.store.CheckpointStore;
import dev.cairn.store.CheckpointStore.Entry;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.SegmentRef;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;
import dev.cairn.store.StoreVerifier;
import dev.cairn.store.StoreVerifier.Depth;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn ls`.
@Command(
        name = "ls",
        description = "Lists a run's checkpoints, oldest first.",
        footer = {
            "",
            "kind    base: stands alone; delta: needs the checkpoint that it changes;",
            "        merged: stored anew in place of a long chain, bit for bit.",
            "error   how far off the weights are, relative to them; exact: not at all.",
            "status  The newest checkpoints are read and checked, up to 256 MB in all",
            "        (16 MB from object storage):",
            "        good or damaged. Of older ones only records and sizes are checked:",
            "        unknown means that nothing wrong was seen. 'cairn verify' reads all."
        })
final class LsCommand implements Callable<Integer> {
    private static final long CHECKED_BYTES = 256 << 20;
    private static final long CHECKED_REMOTE_BYTES = 16 << 20;
    private static final List<String> UNKNOWN = List.of(
            "id", "step", "time", "kind", "parent", "bytes", "fullBytes", "codec", "errorOfState", "errorOfChange");

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(paramLabel = "RUN", description = "The run's folder, or s3://bucket/prefix.")
    private Path run;

    @Mixin
    private StorageOptions storage;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    LsCommand() {}

    /// One checkpoint as it is listed; without step, time and files where its record cannot be read.
    private record Row(long number, String file, @Nullable Checkpoint checkpoint, String status) {}

    @Override
    public Integer call() throws IOException {
        List<Row> rows = withParents(rows(
                RunFolder.open(spec, run, storage), RunFolder.isRemote(run) ? CHECKED_REMOTE_BYTES : CHECKED_BYTES));
        PrintWriter out = spec.commandLine().getOut();
        if (common.json) {
            printJson(out, rows);
        } else {
            printTable(out, rows);
        }
        return ExitCode.DONE;
    }

    /// @param checkedBytes how much is read, to be checked
    private static List<Row> rows(CheckpointStore store, long checkedBytes) throws IOException {
        var rows = new ArrayList<Row>();
        long budget = checkedBytes;
        for (Entry entry : store.currentEntries().reversed()) {
            switch (entry) {
                case Entry.Unreadable unreadable ->
                    rows.addFirst(new Row(
                            unreadable.number(),
                            entry.file(),
                            null,
                            unreadable.reason() instanceof NewerFormatException ? "unknown" : "damaged"));
                case Entry.Intact(Checkpoint checkpoint) -> {
                    budget -= checkpoint.storedBytes();
                    Depth depth = budget >= 0 ? Depth.CHECKSUMS : Depth.FAST;
                    rows.addFirst(
                            new Row(checkpoint.number(), entry.file(), checkpoint, status(store, checkpoint, depth)));
                }
            }
        }
        return rows;
    }

    /// A delta is worth no more than its parent: where that is damaged or unknown, so is the delta.
    private static List<Row> withParents(List<Row> rows) {
        var statuses = new HashMap<String, String>();
        var judged = new ArrayList<Row>();
        for (Row row : rows) {
            Checkpoint checkpoint = row.checkpoint();
            String status = row.status();
            if (checkpoint != null && checkpoint.parent() != null && status.equals("good")) {
                status = statuses.getOrDefault(checkpoint.parent().id(), "damaged");
            } else if (checkpoint != null && checkpoint.parent() != null && status.equals("unknown")) {
                String parent = statuses.getOrDefault(checkpoint.parent().id(), "damaged");
                status = parent.equals("damaged") ? parent : status;
            }
            if (checkpoint != null) {
                statuses.put(checkpoint.id(), status);
            }
            judged.add(new Row(row.number(), row.file(), checkpoint, status));
        }
        return judged;
    }

    private static String status(CheckpointStore store, Checkpoint checkpoint, Depth depth) throws IOException {
        try {
            StoreVerifier.verify(store, checkpoint, depth);
            return depth == Depth.CHECKSUMS ? "good" : "unknown";
        } catch (StoreException e) {
            return "damaged";
        }
    }

    private void printTable(PrintWriter out, List<Row> rows) {
        if (rows.isEmpty()) {
            out.println("no checkpoints in " + run);
            return;
        }
        String format = "%10s  %-20s  %-6s  %10s  %-7s  %-7s  %s%n";
        out.printf(format, "step", "time (UTC)", "kind", "size", "error", "status", "id");
        var repeated = new TreeSet<Long>();
        var steps = new HashSet<Long>();
        long bytes = 0;
        for (Row row : rows) {
            Checkpoint checkpoint = row.checkpoint();
            if (checkpoint == null) {
                out.printf(format, "?", "?", "?", "?", "?", row.status(), row.file());
                continue;
            }
            out.printf(
                    format,
                    checkpoint.step(),
                    Instant.ofEpochSecond(checkpoint.time().getEpochSecond()),
                    checkpoint.kind(),
                    Quantities.bytes(checkpoint.storedBytes()),
                    error(checkpoint),
                    row.status(),
                    checkpoint.id());
            bytes += checkpoint.storedBytes();
            if (!steps.add(checkpoint.step())) {
                repeated.add(checkpoint.step());
            }
        }
        out.printf("%s, %s%n", Quantities.count(rows.size(), "checkpoint"), Quantities.bytes(bytes));
        for (long step : repeated) {
            out.printf("step %d was saved more than once: the lowest row of it is the newest%n", step);
        }
    }

    /// How far off the weights are.
    private static String error(Checkpoint checkpoint) {
        return checkpoint
                .attributes()
                .number(WeightError.OF_STATE)
                .map(Quantities::percent)
                .orElse("exact");
    }

    private static @Nullable String parentId(Checkpoint checkpoint) {
        return checkpoint.parent() == null ? null : checkpoint.parent().id();
    }

    /// Null where the record does not tell, as those of exact checkpoints do not, or where the change was nothing.
    private static void putError(ObjectNode node, String key, Checkpoint checkpoint, String attribute) {
        Object value = checkpoint.attributes().asMap().get(attribute);
        Json.putNumber(node, key, value instanceof Double error ? error : Double.NaN);
    }

    private static void printJson(PrintWriter out, List<Row> rows) {
        ObjectNode document = Json.object();
        var list = document.putArray("checkpoints");
        for (Row row : rows) {
            ObjectNode node = list.addObject().put("number", row.number());
            Checkpoint checkpoint = row.checkpoint();
            if (checkpoint != null) {
                node.put("id", checkpoint.id())
                        .put("step", checkpoint.step())
                        .put("time", checkpoint.time().toString())
                        .put("kind", checkpoint.kind())
                        .put("parent", parentId(checkpoint))
                        .put("bytes", checkpoint.storedBytes())
                        .put("fullBytes", checkpoint.fullBytes())
                        .put("codec", checkpoint.codec());
                putError(node, "errorOfState", checkpoint, WeightError.OF_STATE);
                putError(node, "errorOfChange", checkpoint, WeightError.OF_CHANGE);
            } else {
                for (String unknown : UNKNOWN) {
                    node.putNull(unknown);
                }
            }
            node.put("status", row.status());
            var files = node.putArray("files").add(row.file());
            if (checkpoint != null) {
                checkpoint.segments().stream().map(SegmentRef::name).forEach(files::add);
            }
        }
        Json.print(out, document);
    }
}
