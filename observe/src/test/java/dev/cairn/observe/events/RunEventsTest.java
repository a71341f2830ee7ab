package dev.cairn.observe.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.observe.TrainingEvent.Begin;
import dev.cairn.observe.TrainingEvent.WentBack;
import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Readers see each step that led to the current state once.
class RunEventsTest {
    @TempDir
    Path run;

    private LocalBlobStore store;

    @BeforeEach
    void begin() {
        store = new LocalBlobStore(run);
    }

    @Test
    void aResumeSupersedesWhatCameAfterItsCheckpoint() throws IOException {
        Samples.record(store, Begin.NEW, 0, 50);
        Samples.record(store, Begin.RESUMED, 30, 70);
        Samples.record(store, Begin.RESUMED, 60, 80);
        assertThat(Samples.currentSteps(store))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 80).boxed().toList());
        assertThat(Samples.current(store).stream()
                        .filter(event -> event.kind().equals("step"))
                        .filter(event -> event.step().orElseThrow() == 31))
                .singleElement()
                .extracting(RecordedEvent::attempt)
                .isEqualTo(2L);
        var all = new ArrayList<RecordedEvent>();
        new RunEvents(store).all(all::add);
        assertThat(all.stream().filter(event -> event.kind().equals("step"))).hasSize(50 + 40 + 20);
    }

    @Test
    void anOlderCheckpointSupersedesSeveralAttempts() throws IOException {
        Samples.record(store, Begin.NEW, 0, 50);
        Samples.record(store, Begin.RESUMED, 40, 70);
        Samples.record(store, Begin.RESUMED, 20, 25);
        assertThat(Samples.currentSteps(store))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 25).boxed().toList());
        assertThat(Samples.current(store)).extracting(RecordedEvent::attempt).doesNotContain(0L);
    }

    @Test
    void aNewBeginningSupersedesAll() throws IOException {
        for (Begin begin : Begin.values()) {
            if (begin != Begin.RESUMED) {
                Samples.record(store, Begin.RESUMED, 3, 9);
                Samples.record(store, begin, 5, 7);
                assertThat(Samples.currentSteps(store)).as(begin.name()).containsExactly(6L, 7L);
                assertThat(Samples.current(store))
                        .extracting(RecordedEvent::attempt)
                        .containsOnly(Samples.current(store).getLast().attempt());
            }
        }
    }

    @Test
    void goingBackSupersedesWhatCameAfter() throws IOException {
        Samples.record(store, Begin.NEW, 0, 10);
        try (EventLog log = Samples.log(store)) {
            log.on(Samples.started(Begin.RESUMED, 10));
            Samples.steps(log, 11, 20);
            log.on(new WentBack(Samples.TIME, 8, 20, "the loss is no number any more", 0.005));
            Samples.steps(log, 9, 15);
        }
        assertThat(Samples.currentSteps(store))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 15).boxed().toList());
        Samples.record(store, Begin.RESUMED, 12, 13);
        assertThat(Samples.current(store))
                .as("it happened on the way here")
                .anySatisfy(event -> assertThat(event.kind()).isEqualTo("wentBack"));
        assertThat(Samples.currentSteps(store))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 13).boxed().toList());
    }

    @Test
    void aRunWithoutEventsHasNone() throws IOException {
        assertThat(Samples.current(store)).isEmpty();
    }
}
