package dev.cairn.app.text;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Rows of text in columns that fit the terminal: where they are too wide, the widest of those that may
/// give way do, the first column last, because it says what the row is; and what no longer fits is
/// shortened in its middle. Where that is not enough, columns that are extra are left out, the last first,
/// then columns stand closer, and at last those that can be spared are left out, the last first.
public final class Table {
    private static final int GAP = 2;
    private static final int USUAL_WIDTH = 80;

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    /// @param least how narrow it may become
    private record Column(String head, boolean right, int least, Need need) {}

    /// When a column is left out.
    private enum Need {
        ALWAYS,
        WHERE_THERE_IS_ANY_ROOM,
        WHERE_THERE_IS_ROOM
    }

    private Table(List<Column> columns) {
        this.columns = columns;
    }

    /// Begins a table.
    public static Builder columns() {
        return new Builder();
    }

    /// What a table has, from left to right.
    public static final class Builder {
        private final List<Column> columns = new ArrayList<>();

        private Builder() {}

        /// Text of any length, never narrower than this.
        public Builder text(String head, int least) {
            columns.add(new Column(head, false, least, Need.ALWAYS));
            return this;
        }

        /// Text that is always shown whole.
        public Builder word(String head) {
            columns.add(new Column(head, false, Integer.MAX_VALUE, Need.ALWAYS));
            return this;
        }

        /// A figure, always shown whole.
        public Builder figure(String head) {
            columns.add(new Column(head, true, Integer.MAX_VALUE, Need.ALWAYS));
            return this;
        }

        /// A figure that is shown whole, or not at all where there is no room.
        public Builder extra(String head) {
            columns.add(new Column(head, true, Integer.MAX_VALUE, Need.WHERE_THERE_IS_ROOM));
            return this;
        }

        /// The same of text.
        public Builder extraWord(String head) {
            columns.add(new Column(head, false, Integer.MAX_VALUE, Need.WHERE_THERE_IS_ROOM));
            return this;
        }

        /// A figure that is left out only where columns stand close already and there still is no room.
        public Builder spare(String head) {
            columns.add(new Column(head, true, Integer.MAX_VALUE, Need.WHERE_THERE_IS_ANY_ROOM));
            return this;
        }

        /// The same of text.
        public Builder spareWord(String head) {
            columns.add(new Column(head, false, Integer.MAX_VALUE, Need.WHERE_THERE_IS_ANY_ROOM));
            return this;
        }

        public Table build() {
            return new Table(List.copyOf(columns));
        }
    }

    public void add(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException("cells=%d columns=%d".formatted(cells.length, columns.size()));
        }
        var row = new ArrayList<String>(cells.length);
        for (Object cell : cells) {
            row.add(shown(cell.toString()));
        }
        rows.add(row);
    }

    /// Names are anybody's: what would move the cursor or colour the screen is shown as a question mark.
    public static String shown(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isHidden(text.charAt(i))) {
                return text.codePoints()
                        .map(c -> isHidden(c) ? '?' : c)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
            }
        }
        return text;
    }

    private static boolean isHidden(int c) {
        return Character.isISOControl(c) || (c > 0x7f && Character.getType(c) == Character.FORMAT);
    }

    /// How wide the terminal is: as the user says, as the launcher found out, or 80 columns.
    public static int width() {
        String said = System.getenv("COLUMNS");
        if (said != null && said.matches("[1-9][0-9]{0,4}")) {
            return Integer.parseInt(said);
        }
        return Integer.getInteger("cairn.columns", USUAL_WIDTH);
    }

    public void print(PrintWriter out) {
        lines(width()).forEach(out::println);
    }

    public List<String> lines(int width) {
        var shown = new ArrayList<Integer>();
        for (int i = 0; i < columns.size(); i++) {
            shown.add(i);
        }
        int[] widths = widths(shown, width, GAP);
        while (total(widths, GAP) > width && remove(shown, Need.WHERE_THERE_IS_ROOM)) {
            widths = widths(shown, width, GAP);
        }
        int gap = total(widths, GAP) > width ? 1 : GAP;
        while (total(widths, gap) > width && remove(shown, Need.WHERE_THERE_IS_ANY_ROOM)) {
            widths = widths(shown, width, gap);
        }
        var lines = new ArrayList<String>();
        lines.add(line(columns.stream().map(Column::head).toList(), shown, widths, " ".repeat(gap)));
        for (List<String> row : rows) {
            lines.add(line(row, shown, widths, " ".repeat(gap)));
        }
        return lines;
    }

    private boolean remove(List<Integer> shown, Need need) {
        for (int i = shown.size() - 1; i >= 0; i--) {
            if (columns.get(shown.get(i)).need() == need) {
                shown.subList(i, i + 1).clear();
                return true;
            }
        }
        return false;
    }

    private static int total(int[] widths, int gap) {
        return Arrays.stream(widths).sum() + gap * (widths.length - 1);
    }

    private int[] widths(List<Integer> shown, int width, int gap) {
        int[] widths = new int[shown.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = shown.get(i);
            widths[i] = Math.max(
                    columns.get(column).head().length(),
                    rows.stream()
                            .mapToInt(row -> row.get(column).length())
                            .max()
                            .orElse(0));
        }
        for (int total = total(widths, gap); total > width; total--) {
            int giving = giving(shown, widths);
            if (giving < 0) {
                return widths;
            }
            widths[giving]--;
        }
        return widths;
    }

    /// The column that gives way next; −1 where none can.
    private int giving(List<Integer> shown, int[] widths) {
        int widest = -1;
        for (int i = 1; i < widths.length; i++) {
            if (widths[i] > columns.get(shown.get(i)).least() && (widest < 0 || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        return widest < 0 && widths[0] > columns.get(shown.getFirst()).least() ? 0 : widest;
    }

    private String line(List<String> cells, List<Integer> shown, int[] widths, String gap) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            int column = shown.get(i);
            String cell = shortened(cells.get(column), widths[i]);
            String space = " ".repeat(widths[i] - cell.length());
            line.append(i == 0 ? "" : gap).append(columns.get(column).right() ? space + cell : cell + space);
        }
        return line.toString().stripTrailing();
    }

    /// The beginning and the end of a text that is too long: names of tensors differ there.
    static String shortened(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        int end = (width - 1) / 2;
        return text.substring(0, width - 1 - end) + "…" + text.substring(text.length() - end);
    }
}
