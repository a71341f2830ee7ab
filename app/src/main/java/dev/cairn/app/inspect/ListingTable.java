package dev.cairn.app.inspect;

import dev.cairn.app.inspect.RunListing.Row;
import dev.cairn.app.run.Keeping;
import dev.cairn.app.text.CodecName;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Table;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.store.check.QuickCheck.Status;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.train.Measure;
import dev.cairn.train.ScoredStep;
import java.io.PrintWriter;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The checkpoints of one run, for people. What all rows have in common is said once, below them.
record ListingTable(RunListing listing, List<Commit> checkpoints) {
    private static final int LONGEST_CURVE = 40;

    private static final DateTimeFormatter OF_ONE_DAY = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final DateTimeFormatter OF_ONE_YEAR = DateTimeFormatter.ofPattern("MM-dd HH:mm");
    private static final DateTimeFormatter OF_YEARS = DateTimeFormatter.ofPattern("yyyy-MM-dd");

    static ListingTable of(RunListing listing) {
        var checkpoints = new ArrayList<Commit>();
        for (Row row : listing.rows()) {
            if (row.checkpoint() != null) {
                checkpoints.add(row.checkpoint());
            }
        }
        return new ListingTable(listing, checkpoints);
    }

    /// @param kind how the table shows the column
    /// @param cell the text for a checkpoint whose record can be read
    private record Column(
            BiFunction<Table.Builder, String, Table.Builder> kind, String head, Function<Commit, Object> cell) {}

    void print(PrintWriter out) {
        List<Column> columns = columns();
        Table.Builder builder = Table.columns();
        for (Column column : columns) {
            builder = column.kind().apply(builder, column.head());
        }
        Table table = builder.word("status").extra("id").build();
        for (Row row : listing.rows()) {
            Commit checkpoint = row.checkpoint();
            var cells = new ArrayList<Object>();
            columns.forEach(
                    column -> cells.add(checkpoint == null ? "?" : column.cell().apply(checkpoint)));
            cells.add(row.status() == Status.UNKNOWN ? "not checked" : row.statusText());
            cells.add(checkpoint == null ? "?" : checkpoint.id());
            table.add(cells.toArray());
        }
        table.print(out);
        notes().forEach(note -> Prose.print(out, note));
    }

    /// The columns for which this run has values.
    private List<Column> columns() {
        DateTimeFormatter time = timeFormat();
        var columns = new ArrayList<Column>();
        columns.add(new Column(Table.Builder::figure, "step", Commit::step));
        columns.add(new Column(Table.Builder::word, "saved", checkpoint -> time.format(when(checkpoint))));
        columns.add(new Column(Table.Builder::word, "kind", Commit::kind));
        if (codecs().size() > 1) {
            columns.add(
                    new Column(Table.Builder::extraWord, "codec", checkpoint -> CodecName.typed(checkpoint.codec())));
        }
        columns.add(
                new Column(Table.Builder::figure, "size", checkpoint -> Quantities.bytes(checkpoint.storedBytes())));
        columns.add(new Column(Table.Builder::spare, "ratio", ListingTable::ratio));
        for (Measure measure : Measure.values()) {
            if (has(measure.label())) {
                columns.add(
                        new Column(Table.Builder::figure, measure.label(), checkpoint -> score(checkpoint, measure)));
            }
        }
        if (has("loss")) {
            columns.add(new Column(
                    Table.Builder::spare, "loss", checkpoint -> Quantities.decimal(number(checkpoint, "loss"))));
        }
        if (has(WeightError.OF_STATE)) {
            columns.add(new Column(Table.Builder::spare, "error", ListingTable::error));
        }
        return columns;
    }

    private List<String> notes() {
        var notes = new ArrayList<String>();
        notes.add("%s, %s, codec %s, saved %s (UTC)"
                .formatted(
                        Quantities.count(listing.rows().size(), "checkpoint"),
                        Quantities.bytes(listing.storedBytes()),
                        codecs().isEmpty()
                                ? "unknown"
                                : codecs().stream().map(CodecName::explained).collect(Collectors.joining(", ")),
                        days()));
        String curve = listing.lossCurve(LONGEST_CURVE);
        if (!curve.isEmpty()) {
            notes.add("loss " + curve);
        }
        listing.keeping().flatMap(Keeping::note).ifPresent(notes::add);
        for (Row row : listing.rows()) {
            if (row.checkpoint() == null) {
                notes.add(row.file() + ", the record of a checkpoint, cannot be read");
            }
        }
        long damaged = listing.damaged();
        if (damaged > 0) {
            notes.add(
                    "%d damaged or built on a damaged one; see 'cairn verify', then 'cairn repair'".formatted(damaged));
        }
        var repeated = new TreeSet<Long>();
        var steps = new HashSet<Long>();
        for (Commit checkpoint : checkpoints) {
            if (!steps.add(checkpoint.step())) {
                repeated.add(checkpoint.step());
            }
        }
        for (long step : repeated) {
            notes.add("step %d was saved more than once: its last row is the newest".formatted(step));
        }
        return notes;
    }

    private boolean has(String attribute) {
        return checkpoints.stream().anyMatch(each -> !Double.isNaN(number(each, attribute)));
    }

    private List<String> codecs() {
        return checkpoints.stream().map(Commit::codec).distinct().toList();
    }

    private DateTimeFormatter timeFormat() {
        return dates().size() <= 1
                ? OF_ONE_DAY
                : dates().stream().map(LocalDate::getYear).distinct().count() == 1 ? OF_ONE_YEAR : OF_YEARS;
    }

    private TreeSet<LocalDate> dates() {
        return checkpoints.stream()
                .map(checkpoint -> when(checkpoint).toLocalDate())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private String days() {
        TreeSet<LocalDate> dates = dates();
        return dates.isEmpty()
                ? "at unknown times"
                : dates.size() == 1 ? "on " + dates.first() : "from %s to %s".formatted(dates.first(), dates.last());
    }

    private static ZonedDateTime when(Commit checkpoint) {
        return checkpoint.time().atZone(ZoneOffset.UTC);
    }

    private static String ratio(Commit checkpoint) {
        return Quantities.ratio(checkpoint.fullBytes(), checkpoint.storedBytes());
    }

    /// The score, in brackets if it was measured at an earlier step.
    private static String score(Commit checkpoint, Measure measure) {
        double value = number(checkpoint, measure.label());
        String text = Quantities.score(measure, value);
        return Double.isNaN(value) || ScoredStep.isOwn(Checkpoint.of(checkpoint)) ? text : "(" + text + ")";
    }

    /// The relative error of the weights.
    private static String error(Commit checkpoint) {
        double error = number(checkpoint, WeightError.OF_STATE);
        return Double.isNaN(error) ? "exact" : Quantities.share(error);
    }

    /// A number in the record; NaN if it is absent.
    private static double number(Commit checkpoint, String attribute) {
        return checkpoint.attributes().asMap().get(attribute) instanceof Double value ? value : Double.NaN;
    }
}
