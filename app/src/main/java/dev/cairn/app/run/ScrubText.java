package dev.cairn.app.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Table;
import dev.cairn.store.scrub.ScrubReport;
import java.time.Duration;
import java.time.Instant;

/// How far scrubbing is, for people and for scripts.
public record ScrubText(ScrubReport report) {
    /// One sentence without a period.
    public String text(Instant now) {
        var text = new StringBuilder(checked(now));
        if (report.rewritten() > 0) {
            text.append("; ").append(report.rewritten()).append(" rewritten");
        }
        if (!report.damaged().isEmpty()) {
            text.append("; damaged, and does not heal: ")
                    .append(Table.shown(String.join(", ", report.damaged().keySet())));
        }
        return text.toString();
    }

    private String checked(Instant now) {
        String files = Quantities.count(report.files(), "file");
        if (report.oldest().isEmpty()) {
            return "none of %s checked yet".formatted(files);
        }
        Duration ago = Duration.between(report.oldest().get(), now);
        String age = Quantities.seconds((double) Math.max(0, ago.toSeconds()));
        return report.checked() == report.files()
                ? "%s%s checked within the last %s".formatted(report.files() > 1 ? "all " : "", files, age)
                : "%d of %s checked, the oldest %s ago".formatted(report.checked(), files, age);
    }

    /// Puts the figures into a document under `scrub`.
    public void putInto(ObjectNode document) {
        ObjectNode scrub = document.putObject("scrub")
                .put("files", report.files())
                .put("checked", report.checked())
                .put("oldest", report.oldest().map(Instant::toString).orElse(null))
                .put("rewritten", report.rewritten());
        var damaged = scrub.putArray("damaged");
        report.damaged()
                .forEach((file, reason) -> damaged.addObject().put("file", file).put("reason", reason));
    }
}
