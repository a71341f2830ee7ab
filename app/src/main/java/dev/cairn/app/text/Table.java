package dev.cairn.app.text;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A table that fits the terminal. If it is too wide, the widest columns that may shrink do so; the first column
/// shrinks last, because it says what the row is. Text that no longer fits is shortened in the middle. If that is not
/// enough, extra columns are left out, starting with the last one. Then the gaps between columns become smaller.
/// Finally, spare columns are left out, starting with the last one.
public final class Table {
    private static final int GAP = 2;
    private static final int USUAL_WIDTH = 80;
    private static final int USUAL_HEIGHT = 24;

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    /// @param least the minimum width
    private record Column(String head, boolean right, int least, Need need) {}

    /// How important a column is.
    private enum Need {
        ALWAYS,
        WHERE_THERE_IS_ANY_ROOM,
        WHERE_THERE_IS_ROOM
    }

    private Table(List<Column> columns) {
        this.columns = columns;
    }

    /// Returns a builder for a table.
    public static Builder columns() {
        return new Builder();
    }

    /// Collects the columns of a table, from left to right.
    public static final class Builder {
        private final List<Column> columns = new ArrayList<>();

        private Builder() {}

        /// Adds a column of text of any length, which is never narrower than `least`.
        public Builder text(String head, int least) {
            columns.add(new Column(head, false, least, Need.ALWAYS));
            return this;
        }

        /// Adds a column of text that is never shortened.
        public Builder word(String head) {
            columns.add(new Column(head, false, Integer.MAX_VALUE, Need.ALWAYS));
            return this;
        }

        /// Adds a column of figures that are never shortened.
        public Builder figure(String head) {
            columns.add(new Column(head, true, Integer.MAX_VALUE, Need.ALWAYS));
            return this;
        }

        /// Adds a column of figures that is left out if there is no space for it.
        public Builder extra(String head) {
            columns.add(new Column(head, true, Integer.MAX_VALUE, Need.WHERE_THERE_IS_ROOM));
            return this;
        }

        /// Adds a column of text that is left out if there is no space for it.
        public Builder extraWord(String head) {
            columns.add(new Column(head, false, Integer.MAX_VALUE, Need.WHERE_THERE_IS_ROOM));
            return this;
        }

        /// Adds a column of figures that is left out only if the gaps are already small and there is still no
        /// space.
        public Builder spare(String head) {
            columns.add(new Column(head, true, Integer.MAX_VALUE, Need.WHERE_THERE_IS_ANY_ROOM));
            return this;
        }

        /// Adds a column of text that is left out only if the gaps are already small and there is still no space.
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

    /// Replaces characters that would move the cursor or colour the screen with question marks, because a name may
    /// contain anything.
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

    /// The width of the terminal: `COLUMNS` if the user set it, else the width that the launcher detected, else 80.
    public static int width() {
        String said = System.getenv("COLUMNS");
        if (said != null && said.matches("[1-9][0-9]{0,4}")) {
            return Integer.parseInt(said);
        }
        return Integer.getInteger("cairn.columns", USUAL_WIDTH);
    }

    /// The height of the terminal: `LINES` if the user set it, else what the launcher detected, else 24.
    public static int height() {
        String said = System.getenv("LINES");
        if (said != null && said.matches("[1-9][0-9]{0,4}")) {
            return Integer.parseInt(said);
        }
        return Integer.getInteger("cairn.rows", USUAL_HEIGHT);
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

    /// The column that shrinks next; −1 if none can.
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

    /// Shortens a text in the middle: names of tensors differ at the beginning and the end.
    static String shortened(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        int end = (width - 1) / 2;
        return text.substring(0, width - 1 - end) + "…" + text.substring(text.length() - end);
    }
}
