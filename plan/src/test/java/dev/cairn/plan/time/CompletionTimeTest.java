package dev.cairn.plan.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The worked examples of Koren and Krishna, in minutes.
class CompletionTimeTest {
    private static final Job FIVE_HOURS = new Job(300, 1, 2, 0.5, 0);

    @Test
    void ofTheWorkedCase() {
        var hourly = CompletionTime.every(FIVE_HOURS, 60);
        assertThat(hourly.saves()).isEqualTo(4);
        assertThat(hourly.expectedInterval()).isEqualTo(61);
        assertThat(hourly.withoutFailure()).isEqualTo(304);
        assertThat(hourly.withOneFailure(30)).isEqualTo(335.5);
    }

    @Test
    void ofTheWorstCaseAndTheBestCount() {
        var job = new Job(300, 1, 1, 0, 0);
        assertThat(CompletionTime.idealSaves(job, 1)).isEqualTo(16.32, within(0.005));
        assertThat(CompletionTime.best(job, 1).saves()).isEqualTo(16);
        assertThat(new CompletionTime(job, 16).worstCase(1)).isEqualTo(333.647, within(0.0005));
        assertThat(new CompletionTime(job, 17).worstCase(1)).isEqualTo(333.667, within(0.0005));
        assertThat(new CompletionTime(job, 16).repaidOverhead(1)).isEqualTo(1);
    }

    /// Compares with trying all numbers of saves.
    @ParameterizedTest
    @CsvSource({"300,1,1", "300,1,7", "10,40,1", "1000,0.3,2", "5,100,1", "300,1,0"})
    void theBestCountIsTheBest(double work, double overhead, long failures) {
        var job = new Job(work, overhead, overhead, 0, 0);
        CompletionTime best = CompletionTime.best(job, failures);
        for (long saves = 0; saves < 500; saves++) {
            assertThat(new CompletionTime(job, saves).worstCase(failures))
                    .isGreaterThanOrEqualTo(best.worstCase(failures));
        }
    }

    @Test
    void aPartThatIsLeftOverIsAPartToo() {
        assertThat(CompletionTime.every(FIVE_HOURS, 70).saves()).isEqualTo(4);
        assertThat(CompletionTime.every(FIVE_HOURS, 400).saves()).isZero();
        assertThat(CompletionTime.every(new Job(0.3, 0, 0, 0, 0), 0.1).saves()).isEqualTo(2);
    }

    @Test
    void impossibleTimesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Job(0, 1, 1, 0, 0))
                .withMessageContaining("work=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Job(1, 2, 1, 0, 0))
                .withMessageContaining("latency");
        assertThatIllegalArgumentException().isThrownBy(() -> new Job(1, -1, 1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Job(1, 0, 1, 0, Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> CompletionTime.every(FIVE_HOURS, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CompletionTime.every(FIVE_HOURS, 60).withOneFailure(-1));
    }
}
