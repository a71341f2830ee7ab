package dev.cairn.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;

/// Runs the program in this process and keeps what it said.
public record Cli(int code, String out, String err) {
    public static Cli run(String... args) {
        return run(new StringWriter(), args);
    }

    /// The same, with this as its standard output.
    public static Cli run(Writer out, String... args) {
        var err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Cli(code, out.toString(), err.toString());
    }

    public ObjectNode json() {
        try {
            return Json.parse(out);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not one JSON document: " + out + "\nstandard error: " + err, e);
        }
    }

    public String weights() {
        return json().path("weightsSha256").asText();
    }

    public List<String> errorLines() {
        return err.lines().filter(line -> line.startsWith("cairn: ")).toList();
    }
}
