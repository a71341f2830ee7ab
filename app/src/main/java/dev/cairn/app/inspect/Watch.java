package dev.cairn.app.inspect;

import dev.cairn.app.text.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/// Shows an output that changes: on a terminal in place, elsewhere again when it has changed.
///
/// @param rows the height of the terminal; 0 if the output is none
record Watch(PrintWriter out, int rows) {
    private static final long PAUSE_MILLIS = 2000;
    private static final String HOME = "\033[H";
    private static final String REST_OF_LINE = "\033[K";
    private static final String REST_OF_SCREEN = "\033[J";

    /// Prints the output once.
    @FunctionalInterface
    interface Output {
        int print(PrintWriter out) throws IOException;
    }

    /// Watches on the terminal, if the program writes to one.
    static Watch onTerminalOr(PrintWriter out) {
        boolean terminal = Boolean.getBoolean("cairn.terminal")
                && Objects.requireNonNull(System.console()).isTerminal();
        return new Watch(out, terminal ? Table.height() : 0);
    }

    /// Waits until the next look.
    ///
    /// @return false if it was interrupted
    static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Shows the output until nobody reads it any more.
    ///
    /// @param pause waits, and returns whether to go on
    void show(Output output, BooleanSupplier pause) throws IOException {
        String shown = "";
        do {
            var text = new StringWriter();
            var lines = new PrintWriter(text);
            output.print(lines);
            lines.flush();
            if (rows > 0) {
                draw(text.toString().lines().toList());
            } else if (!text.toString().equals(shown)) {
                out.print(shown.isEmpty() ? text : System.lineSeparator() + text);
            }
            shown = text.toString();
        } while (!out.checkError() && pause.getAsBoolean());
    }

    /// Draws over what was there. Of a long output, the end is shown: there is what is new.
    private void draw(List<String> lines) {
        var screen = new StringBuilder(HOME);
        for (String line : lines.subList(Math.max(0, lines.size() - rows + 1), lines.size())) {
            screen.append(line).append(REST_OF_LINE).append(System.lineSeparator());
        }
        out.print(screen.append(REST_OF_SCREEN));
    }
}
