package dev.cairn.dashboard.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The scripts and styles of pages, as they lie in this module's jar.
public final class Assets {
    /// The styles of all pages, in their order.
    public static final List<String> STYLES = List.of("uplot/uPlot.css", "look.css");

    /// What draws a run, in the order in which it must be loaded.
    public static final List<String> SCRIPTS =
            List.of("uplot/uPlot.js", "parts.js", "sentences.js", "spacetime.js", "lanes.js", "runpage.js");

    private static final String FOLDER = "/dev/cairn/dashboard/pages/";

    private Assets() {}

    /// The content of a file of the pages.
    public static byte[] bytes(String name) {
        try (InputStream in = Assets.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalArgumentException("pages have no file " + name);
            }
            return in.readAllBytes();
        } catch (IOException unreadableJar) {
            throw new IllegalStateException(unreadableJar);
        }
    }

    /// The content of a file of the pages, as text.
    public static String text(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }
}
