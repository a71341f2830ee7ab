package dev.cairn.app.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.checkpoint.CopyLag;
import java.io.PrintWriter;
import java.time.Duration;

/// The one JSON document that `--json` puts on standard output.
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final double NANOS_PER_SECOND = 1e9;

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static void print(PrintWriter out, ObjectNode document) {
        out.println(text(document));
        out.flush();
    }

    public static String text(ObjectNode document) {
        try {
            return MAPPER.writeValueAsString(document);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public static ObjectNode parse(String text) throws JsonProcessingException {
        return MAPPER.readValue(text, ObjectNode.class);
    }

    /// Puts a number, or null if it is not finite: JSON has no NaN.
    public static void putNumber(ObjectNode object, String key, double value) {
        if (Double.isFinite(value)) {
            object.put(key, value);
        } else {
            object.putNull(key);
        }
    }

    public static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }

    /// Puts how far a run's copy is behind; the steps are null if they are unknown.
    public static void putLag(ObjectNode json, CopyLag lag) {
        json.put("copyReachable", lag.reachable())
                .put("copyKept", lag.kept())
                .put("copyLagCheckpoints", lag.checkpoints())
                .put("copyLagSteps", lag.steps().isPresent() ? lag.steps().getAsLong() : null)
                .put("copyLagSeconds", seconds(lag.time()));
    }
}
