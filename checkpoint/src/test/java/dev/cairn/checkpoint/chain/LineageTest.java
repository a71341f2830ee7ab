package dev.cairn.checkpoint.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LineageTest {
    @Test
    void aDoubtDuringASaveHoldsForTheNext() {
        var lineage = new Lineage();
        Commit base = checkpoint(1, null);
        Commit delta = checkpoint(2, base);
        lineage.committed(base);
        lineage.doubt(base); // while the delta is being written
        lineage.committed(delta);
        assertThat(lineage.doubt(base)).as("what needs it").isEqualTo(delta);
        assertThat(lineage.isInDoubt()).isTrue();
        lineage.committed(checkpoint(3, null));
        assertThat(lineage.isInDoubt()).isFalse();
        lineage.doubt(delta); // late, of what nothing is built on any more
        assertThat(lineage.isInDoubt()).isFalse();
    }

    private static Commit checkpoint(long number, @Nullable Commit parent) {
        return new Commit(
                number,
                "000000000000000" + number,
                number,
                Instant.EPOCH,
                parent == null ? null : Parent.of(parent),
                "lossless",
                "",
                0,
                0,
                Attributes.empty(),
                List.of());
    }
}
