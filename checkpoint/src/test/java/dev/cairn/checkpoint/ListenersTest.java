package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointEvent.SaveFailed;
import dev.cairn.checkpoint.SavePolicy.EverySteps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every listener receives events, whatever the others do.
class ListenersTest {
    @TempDir
    Path run;

    private final Logger logger = Logger.getLogger("dev.cairn.checkpoint");
    private final List<LogRecord> lines = new CopyOnWriteArrayList<>();
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

    private static CheckpointOptions options() {
        return CheckpointOptions.defaults().withPolicy(new EverySteps(1));
    }

    /// One save that fails, then one that is committed.
    private void failAndSave(CheckpointOptions options) throws IOException {
        var state = new CountingState();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            Files.writeString(run.resolve("segments"), "in the way");
            state.makeStep();
            checkpoints.saveNow(1, state);
            Files.delete(run.resolve("segments"));
            checkpoints.saveNow(1, state);
            assertThat(checkpoints.statistics().committed()).isEqualTo(1);
            assertThat(checkpoints.statistics().failed()).isEqualTo(1);
        }
    }

    private static List<String> kinds(List<CheckpointEvent> events) {
        return events.stream().map(event -> event.getClass().getSimpleName()).toList();
    }

    private List<LogRecord> linesThatBegin(String beginning) {
        return lines.stream()
                .filter(line -> line.getMessage().startsWith(beginning))
                .toList();
    }

    @Test
    void listenersAddUpAndHearOfEventsInTheirOrder() throws IOException {
        List<String> heard = new CopyOnWriteArrayList<>();
        failAndSave(options()
                .withListener(event -> heard.add("first " + event.getClass().getSimpleName()))
                .withListener(event -> heard.add("second " + event.getClass().getSimpleName())));
        assertThat(heard)
                .containsExactly("first SaveFailed", "second SaveFailed", "first Committed", "second Committed");
        assertThat(linesThatBegin("save failed step=1")).as("the log hears too").hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneThatThrowsSilencesNeitherTheLogNorTheOthers(boolean badly) throws IOException {
        List<CheckpointEvent> before = new CopyOnWriteArrayList<>();
        List<CheckpointEvent> after = new CopyOnWriteArrayList<>();
        List<Throwable> thrown = new ArrayList<>();
        failAndSave(options()
                .withListener(before::add)
                .withListener(event -> {
                    if (badly) {
                        var error = new OutOfMemoryError("of a listener");
                        thrown.add(error);
                        throw error;
                    }
                    var exception = new IllegalStateException("of a listener");
                    thrown.add(exception);
                    throw exception;
                })
                .withListener(after::add));
        assertThat(kinds(before)).containsExactly("SaveFailed", "Committed");
        assertThat(after).isEqualTo(before);
        assertThat(linesThatBegin("save failed step=1"))
                .singleElement()
                .satisfies(line -> assertThat(line.getThrown()).isSameAs(((SaveFailed) before.getFirst()).cause()));
        assertThat(linesThatBegin("listener failed"))
                .allMatch(line -> line.getLevel().equals(Level.SEVERE))
                .extracting(LogRecord::getThrown)
                .isEqualTo(thrown);
        assertThat(thrown).hasSize(2);
    }

    @Test
    void withoutTheLogTheOthersHearStill() throws IOException {
        List<CheckpointEvent> heard = new CopyOnWriteArrayList<>();
        failAndSave(options().withListener(heard::add).withoutLog());
        assertThat(kinds(heard)).containsExactly("SaveFailed", "Committed");
        assertThat(lines).isEmpty();
    }

    @Test
    void anotherListenerChangesNothingOfTheOptionsThatItWasAddedTo() {
        CheckpointOptions plain = options();
        CheckpointOptions more = plain.withListener(_ -> {});
        assertThat(plain.listeners()).hasSize(1);
        assertThat(more.listeners()).hasSize(2).startsWith(plain.listeners().getFirst());
        assertThat(more.withoutLog().listeners())
                .containsExactly(more.listeners().getLast());
    }
}
