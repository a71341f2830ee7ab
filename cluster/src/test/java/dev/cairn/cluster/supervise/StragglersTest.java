package dev.cairn.cluster.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.Tally;
import dev.cairn.cluster.supervise.Stragglers.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StragglersTest {
    private static final double WINDOW = Stragglers.WINDOW.toNanos() / 1e9;

    private final Stragglers stragglers = new Stragglers();
    private final List<Use> used = new ArrayList<>(List.of(none(0), none(1), none(2)));
    private long nanos;

    private static Use none(int rank) {
        return new Use(rank, rank, Tally.NONE, 0);
    }

    /// The next window, in which the workers were busy so long, and this one waited for its data and its saves and had
    /// the processor.
    private Optional<String> window(int slow, double busy, double data, double save, double processor) {
        for (int rank = 0; rank < used.size(); rank++) {
            boolean is = rank == slow;
            var done =
                    new Tally(100, 100, 1, WINDOW, WINDOW - (is ? busy : 1), is ? data : 0, is ? save : 0, null, null);
            Use before = used.get(rank);
            used.set(
                    rank,
                    new Use(
                            before.number(),
                            before.rank(),
                            before.tally().plus(done),
                            before.processorSeconds() + (is ? processor : 1)));
        }
        nanos += Stragglers.WINDOW.toNanos();
        assertThat(stragglers.isDue(nanos)).isTrue();
        return stragglers.look(used, nanos);
    }

    private Optional<String> again(int slow, double data, double save, double processor) {
        window(slow, 4, data, save, processor); // without an earlier one to compare it with
        assertThat(window(slow, 4, data, save, processor)).isEmpty();
        assertThat(window(slow, 4, data, save, processor)).isEmpty();
        return window(slow, 4, data, save, processor);
    }

    @Test
    void namesTheOneThatIsSlowAgainAndAgainOnce() {
        assertThat(again(1, 0, 0, 4))
                .hasValueSatisfying(line -> assertThat(line)
                        .startsWith("w1 is slower than the others: its share takes 4.0 times as long")
                        .endsWith("it waits for its processor, which takes longer for the same work"));
        assertThat(window(1, 4, 0, 0, 4)).isEmpty();
        assertThat(window(1, 1, 0, 0, 1)).isEmpty();
        assertThat(window(1, 4, 0, 0, 4)).isEmpty();
        assertThat(window(1, 4, 0, 0, 4)).isEmpty();
        assertThat(window(1, 4, 0, 0, 4)).isPresent();
    }

    @Test
    void tellsWhatItWaitsFor() {
        assertThat(again(0, 3, 0, 1))
                .hasValueSatisfying(line -> assertThat(line).endsWith("waits for its data"));
    }

    @Test
    void tellsOfSaves() {
        assertThat(again(0, 0, 3, 1))
                .hasValueSatisfying(line -> assertThat(line).contains("its disk"));
    }

    @Test
    void tellsOfAProcessorThatOthersUse() {
        assertThat(again(2, 0, 0, 1))
                .hasValueSatisfying(line -> assertThat(line).contains("of which it gets less"));
    }

    @Test
    void namesNobodyIfItIsAlwaysAnotherOneOrHardlySlower() {
        for (int i = 0; i < 12; i++) {
            assertThat(window(i % 3, 4, 0, 0, 4)).isEmpty();
        }
        for (int i = 0; i < 12; i++) {
            assertThat(window(1, 1.3, 0, 0, 1.3)).isEmpty();
        }
    }
}
