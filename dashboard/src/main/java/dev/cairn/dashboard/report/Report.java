package dev.cairn.dashboard.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.dashboard.document.CheckpointsDocument;
import dev.cairn.dashboard.document.RunDocument;
import dev.cairn.dashboard.run.RunView;
import dev.cairn.dashboard.run.WatchedRun;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Collectors;

/// One run as one HTML file that a person can mail. It asks for nothing from elsewhere, and its policy forbids it to:
/// only its own script and style may run, which the policy names by their hashes.
public final class Report {
    private static final int COLUMNS = 1500;
    private static final int MOST_ROWS = 500;

    private Report() {}

    /// Returns the HTML text.
    ///
    /// @param run whose files are read now
    /// @param version of the program, for the foot of the page
    /// @throws IOException if the run cannot be read
    public static String of(WatchedRun run, String version) throws IOException {
        run.read();
        Optional<String> trouble = run.trouble();
        if (trouble.isPresent()) {
            throw new IOException(trouble.get());
        }
        RunView view = run.view();
        ObjectNode data = JsonNodeFactory.instance.objectNode().put("version", version);
        data.set("run", RunDocument.of(view, Optional.empty(), Optional.empty(), COLUMNS));
        data.set("checkpoints", CheckpointsDocument.of(run.records().now(), 0, MOST_ROWS));
        String style = Assets.STYLES.stream().map(Assets::text).collect(Collectors.joining("\n"));
        String script = Assets.SCRIPTS.stream().map(Assets::text).collect(Collectors.joining("\n")) + "\n"
                + Assets.text("report.js");
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'">
                <meta name="viewport" content="width=device-width,initial-scale=1">
                <meta name="referrer" content="no-referrer">
                <title>%s · Cairn</title>
                <style>%s</style>
                </head>
                <body>
                <main></main>
                <noscript>%s</noscript>
                <script type="application/json" id="data">%s</script>
                <script>%s</script>
                </body>
                </html>
                """.formatted(
                source(script),
                source(style),
                escaped(view.name()),
                style,
                escaped("%s: step %d of %d. The curves and tables of this report need JavaScript."
                        .formatted(
                                view.name(), view.story().step(), view.story().steps())),
                inScript(data.toString()),
                script);
    }

    /// How a policy names an inline script or style.
    private static String source(String content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never);
        }
    }

    /// JSON that cannot end the element in which it stands, nor begin a comment.
    static String inScript(String json) {
        return json.replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    /// Text between tags.
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replaceAll("[\\p{Cntrl}&&[^\n\t]]", "\uFFFD");
    }
}
