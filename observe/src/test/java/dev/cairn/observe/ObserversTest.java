package dev.cairn.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.observe.TrainingEvent.StepMade;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class ObserversTest {
    @Test
    void oneThatThrowsIsLoggedOnceAndTheOthersAreToldAllTheSame() {
        var told = new ArrayList<TrainingEvent>();
        var logged = new ArrayList<LogRecord>();
        Logger logger = Logger.getLogger("dev.cairn.observe");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            TrainingObserver broken = event -> {
                throw new IllegalStateException("broken");
            };
            TrainingObserver worse = event -> {
                throw new StackOverflowError();
            };
            Observers observers = Observers.of(List.of(broken, worse, told::add));
            for (int step = 1; step <= 3; step++) {
                observers.on(new StepMade(Instant.EPOCH, step, 0, 1, 1, 1));
            }
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
        assertThat(told).hasSize(3);
        assertThat(logged).hasSize(2);
    }
}
