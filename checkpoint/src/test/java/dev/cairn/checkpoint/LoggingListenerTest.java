package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoggingListenerTest {
    private final Logger logger = Logger.getLogger("dev.cairn.checkpoint");
    private final List<LogRecord> lines = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void forget() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    @Test
    void aFailureThatStaysIsOneLineEachAndOneStack() {
        var listener = new LoggingListener();
        for (int step = 10; step <= 40; step += 10) {
            listener.on(new CheckpointEvent.SaveFailed(step, new IOException("No space left on device, " + step)));
        }
        listener.on(new CheckpointEvent.SaveFailed(50, new OutOfMemoryError("another")));
        assertThat(lines)
                .extracting(LogRecord::getMessage)
                .hasSize(5)
                .allMatch(line -> line.matches("save failed step=[0-9]+ reason=.*(space|another).*"));
        assertThat(lines).extracting(line -> line.getThrown() != null).containsExactly(true, false, false, false, true);
    }
}
