package dev.cairn.store.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A base, 0, and deltas 1 to 9, each of the previous one.
class MergeChoiceTest {
    private final List<Commit> made = new ArrayList<>();
    private CheckpointStore store = new CheckpointStore(new MemoryBlobStore());

    @BeforeEach
    void commit() throws IOException {
        var samples =
                new ChainSamples(new MemoryBlobStore(), List.of(ChainSamples.weights("w", ElementType.FLOAT32, 100)));
        for (int i = 0; i < 10; i++) {
            made.add(samples.commit());
        }
        store = samples.store();
    }

    private Optional<MergeChoice> choice(Set<String> avoided, Integer... wanted) throws IOException {
        Set<Long> numbers =
                Stream.of(wanted).map(index -> made.get(index).number()).collect(Collectors.toSet());
        History history = store.history();
        return MergeChoice.of(history, PrunePlan.of(history, numbers, _ -> true), avoided);
    }

    private MergeChoice of(int index, int freed) {
        return new MergeChoice(made.get(index), freed);
    }

    @Test
    void theOldestWantedOfAChainFreesWhatIsBelow() throws IOException {
        assertThat(choice(Set.of(), 6, 7, 8, 9)).contains(of(6, 5));
    }

    @Test
    void ofSeveralGapsTheWidestIsChosen() throws IOException {
        assertThat(choice(Set.of(), 2, 7, 9)).contains(of(7, 4));
    }

    @Test
    void whatIsAvoidedIsNot() throws IOException {
        assertThat(choice(Set.of(made.get(7).id()), 2, 7, 9)).contains(of(2, 1));
    }

    @Test
    void nothingIsFreedWhereAllAreWantedOrOnlyTheBaseIsNeeded() throws IOException {
        assertThat(choice(Set.of(), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)).isEmpty();
        assertThat(choice(Set.of(), 1, 2, 3, 4, 5, 6, 7, 8, 9)).isEmpty();
    }
}
