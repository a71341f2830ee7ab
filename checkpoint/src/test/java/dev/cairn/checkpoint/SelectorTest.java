package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.Attributes;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectorTest {
    private static Entry entry(long number, long replaces, double accuracy) {
        return new Entry.Intact(new Commit(
                number,
                "%016x".formatted(number),
                number,
                Instant.EPOCH,
                null,
                "lossless",
                "",
                replaces,
                0,
                Attributes.empty().with("accuracy", accuracy),
                List.of()));
    }

    @Test
    void theBestIsFoundAmongMergedCheckpointsToo() {
        var entries = List.of(entry(1, 0, 0.5), entry(7, 2, 0.9), entry(3, 0, 0.7));
        assertThat(Selector.parse("best").orElseThrow().inOrder(entries))
                .extracting(Entry::number)
                .startsWith(7L);
    }
}
