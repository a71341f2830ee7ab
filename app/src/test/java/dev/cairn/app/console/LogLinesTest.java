package dev.cairn.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import java.util.logging.LogManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogLinesTest {
    private final StringWriter err = new StringWriter();

    @AfterEach
    void restoreLogging() throws IOException {
        LogManager.getLogManager().readConfiguration();
    }

    @Test
    void aWarningIsOneLineWithoutClasses() {
        LogLines.show(new PrintWriter(err, true));
        System.getLogger("dev.cairn.s3")
                .log(Level.WARNING, "cannot look for abandoned uploads: access is denied\nmore");
        assertThat(err.toString())
                .isEqualTo(
                        "cairn: warning: cannot look for abandoned uploads: access is denied" + System.lineSeparator());
    }

    @Test
    void itsCauseIsToldAndNoStack() {
        LogLines.show(new PrintWriter(err, true));
        System.getLogger("dev.cairn.checkpoint").log(Level.WARNING, "run not released", new IOException("gone"));
        assertThat(err.toString()).isEqualTo("cairn: warning: run not released: gone" + System.lineSeparator());
    }

    @Test
    void whatOthersLogIsNotShown() {
        LogLines.show(new PrintWriter(err, true));
        System.getLogger("software.amazon.awssdk").log(Level.ERROR, "something of its own");
        System.getLogger("dev.cairn.s3").log(Level.DEBUG, "for developers");
        System.getLogger("dev.cairn.s3").log(Level.INFO, "for developers");
        assertThat(err.toString()).isEmpty();
    }
}
