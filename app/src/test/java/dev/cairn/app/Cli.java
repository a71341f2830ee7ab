package dev.cairn.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/// Runs the program in this process and keeps what it said.
record Cli(int code, String out, String err) {
    static Cli run(String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Cli(code, out.toString(), err.toString());
    }

    ObjectNode json() {
        try {
            return Json.parse(out);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not one JSON document: " + out + "\nstandard error: " + err, e);
        }
    }

    String weights() {
        return json().path("weightsSha256").asText();
    }

    List<String> errorLines() {
        return err.lines().filter(line -> line.startsWith("cairn: ")).toList();
    }
}
