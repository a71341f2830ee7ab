package dev.cairn.app.text;

import dev.cairn.app.files.HalfMade;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/// A drawing in SVG. Numbers are written with at most two decimals, text is escaped.
public final class Svg {
    private final StringBuilder body = new StringBuilder();
    private final double width;
    private final double height;

    public Svg(double width, double height) {
        this.width = width;
        this.height = height;
    }

    /// Writes a drawing to a file, completely or not at all. An existing file stays until then. If the path is a
    /// link, the file that it points to is written.
    public static void write(Path named, String drawing) throws IOException {
        boolean there = Files.exists(named);
        if (there ? !Files.isRegularFile(named) || isStream(named) : Files.isSymbolicLink(named)) {
            Files.writeString(named, drawing); // cannot be replaced by a move
            return;
        }
        Path file = there ? named.toRealPath() : named;
        Path made = file.resolveSibling("." + file.getFileName() + ".made");
        try (var _ = new HalfMade(made)) {
            Files.writeString(made, drawing);
            Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException | AccessDeniedException folder) {
            Files.writeString(file, drawing); // fails with an error that names this file
        }
    }

    /// Whether the path is standard output or similar, even if that is a file: other programs write there too.
    private static boolean isStream(Path named) {
        Path whole = named.toAbsolutePath();
        return Files.isSymbolicLink(named) && (whole.startsWith("/dev") || whole.startsWith("/proc"));
    }

    /// Draws a line.
    ///
    /// @param style further attributes, besides the coordinates
    public void line(double x1, double y1, double x2, double y2, String style) {
        element("<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" %s/>".formatted(n(x1), n(y1), n(x2), n(y2), style));
    }

    public void rect(double x, double y, double wide, double high, String style) {
        element("<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" %s/>"
                .formatted(n(x), n(y), n(wide), n(high), style));
    }

    public void circle(double x, double y, double radius, String style) {
        element("<circle cx=\"%s\" cy=\"%s\" r=\"%s\" %s/>".formatted(n(x), n(y), n(radius), style));
    }

    /// Draws lines from point to point.
    ///
    /// @param points x and y in turn
    public void polyline(double[] points, String style) {
        var text = new StringBuilder();
        for (int i = 0; i + 1 < points.length; i += 2) {
            text.append(i == 0 ? "" : " ").append(n(points[i])).append(',').append(n(points[i + 1]));
        }
        element("<polyline points=\"%s\" fill=\"none\" %s/>".formatted(text, style));
    }

    public void text(double x, double y, String text, String style) {
        element("<text x=\"%s\" y=\"%s\" %s>%s</text>".formatted(n(x), n(y), style, escape(text)));
    }

    private void element(String text) {
        body.append("  ").append(text).append('\n');
    }

    private static String n(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.endsWith(".00") ? text.substring(0, text.length() - 3) : text;
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    @Override
    public String toString() {
        return """
                <svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" \
                font-family="sans-serif" font-size="13">
                  <defs><marker id="arrow" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="7" markerHeight="7" \
                orient="auto"><path d="M0 1L10 5L0 9z" fill="#555"/></marker></defs>
                  <rect width="100%%" height="100%%" fill="white"/>
                %s</svg>
                """.formatted(n(width), n(height), n(width), n(height), body);
    }
}
