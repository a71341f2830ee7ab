package dev.cairn.observe.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.cairn.observe.TrainingEvent.Begin;
import dev.cairn.observe.recording.Lines;
import dev.cairn.observe.recording.Sink;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.RecordingName.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Events in storage that cannot append.
class BlobSinkTest {
    private static final int MOST_PARTS = 16;

    /// A store that is not a folder, like object storage.
    private static final class Objects extends ForwardingBlobStore {
        private int refused;

        Objects(BlobStore below) {
            super(below);
        }

        @Override
        public void createIfAbsent(String name, byte[] content) throws IOException {
            if (refused > 0) {
                refused--;
                throw new IOException("injected");
            }
            super.createIfAbsent(name, content);
        }
    }

    @TempDir
    Path folder;

    @Test
    void partsAreMergedSoThatThereAreFew() throws IOException {
        var store = new Objects(new LocalBlobStore(folder));
        var lines = new Lines(EventLog.MOST_BYTES, EventKinds::isNeeded);
        var sink = Sink.in(store, Series.EVENTS, "w0");
        write(sink, lines, 1, 100);
        assertThat(store.list("events/")).hasSizeLessThanOrEqualTo(MOST_PARTS);
        assertThat(Samples.currentSteps(store)).containsExactlyElementsOf(upTo(100));
    }

    @Test
    void partsThatTheirWriterDidNotGetToRemoveAreReadOnce() throws IOException {
        var store = new Objects(new LocalBlobStore(folder));
        var lines = new Lines(EventLog.MOST_BYTES, EventKinds::isNeeded);
        var sink = Sink.in(store, Series.EVENTS, "w0");
        write(sink, lines, 1, 10);
        byte[] fourth = store.readAll("events/0000000001-w0-0000000004-0000000004.jsonl", 10_000);
        sink.replace(lines.all());
        assertThat(store.list("events/")).hasSize(1);
        store.createIfAbsent("events/0000000001-w0-0000000004-0000000004.jsonl", fourth);
        assertThat(Samples.currentSteps(store)).containsExactlyElementsOf(upTo(10));
    }

    @Test
    void whatFailedIsWrittenWithAllElseNextTime() throws IOException {
        var store = new Objects(new LocalBlobStore(folder));
        var lines = new Lines(EventLog.MOST_BYTES, EventKinds::isNeeded);
        var sink = Sink.in(store, Series.EVENTS, "w0");
        write(sink, lines, 1, 3);
        store.refused = 1;
        lines.add(EventKinds.STEP, 4, line(4));
        assertThatIOException().isThrownBy(() -> sink.append(lines.fresh()));
        sink.replace(lines.all());
        assertThat(store.list("events/")).containsExactly("events/0000000001-w0-0000000001-0000000005.jsonl");
        assertThat(Samples.currentSteps(store)).containsExactlyElementsOf(upTo(4));
    }

    @Test
    void aTrainingWritesWithItsCommitsAndAtItsEnd() throws IOException {
        var store = new Objects(new LocalBlobStore(folder));
        Samples.record(store, Begin.NEW, 0, 30);
        Samples.record(store, Begin.RESUMED, 20, 40);
        assertThat(store.list("events/"))
                .contains(
                        "events/0000000001-w0-0000000001-0000000001.jsonl",
                        "events/0000000002-w0-0000000001-0000000001.jsonl");
        assertThat(Samples.currentSteps(store)).containsExactlyElementsOf(upTo(40));
    }

    private static void write(Sink sink, Lines lines, long from, long to) throws IOException {
        for (long step = from; step <= to; step++) {
            lines.add(EventKinds.STEP, step, line(step));
            if (step == from) {
                sink.open(1, _ -> lines.all());
            } else if (sink.wantsAll()) {
                sink.replace(lines.all());
            } else {
                sink.append(lines.fresh());
            }
            lines.written();
        }
    }

    private static byte[] line(long step) {
        return (EventJson.of(Samples.step(step)) + "\n").getBytes(UTF_8);
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }
}
