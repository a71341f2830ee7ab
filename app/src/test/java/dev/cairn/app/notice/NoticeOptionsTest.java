package dev.cairn.app.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.app.Cli;
import dev.cairn.app.text.Span;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.store.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class NoticeOptionsTest {
    private static final Instant START = Instant.parse("2026-11-15T12:00:00Z");

    private final List<String> warnings = new ArrayList<>();
    private volatile Duration sinceStart = Duration.ZERO;
    private final Clock time = new Clock() {
        @Override
        public Instant now() {
            return START.plus(sinceStart);
        }

        @Override
        public long nanos() {
            return sinceStart.toNanos();
        }
    };

    @ParameterizedTest
    @CsvSource({
        "90s, PT90S",
        "3h50m, PT3H50M",
        "1d12h, PT36H",
        "2m, PT2M",
    })
    void aSpanIsWrittenAsPeopleWriteIt(String text, Duration span) {
        assertThat(new Span().convert(text)).isEqualTo(span);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "90", "0s", "-1s", "1.5h", "50m3h", "1w"})
    void anythingElseIsNoSpan(String text) {
        assertThatThrownBy(() -> new Span().convert(text)).hasMessageContaining("3h50m");
    }

    @ParameterizedTest
    @CsvSource({
        "--time-limit=1h --grace=2m, PT58M, the time limit",
        "--deadline=2026-11-15T13:00:00Z --grace=10m, PT50M, the deadline",
        "--deadline=2026-11-15T14:00+01:00 --grace=10m, PT50M, the deadline",
        "--time-limit=3h --deadline=2026-11-15T13:00:00Z --grace=10m, PT50M, the deadline",
        "--time-limit=1h, PT59M20S, the time limit",
        "--time-limit=20s, PT10S, the time limit",
    })
    void aDeadlineGivesNoticeInTime(String options, Duration notice, String reason) {
        assertNotice(options(Map.of(), options), notice, reason);
    }

    @Test
    void theEndOfASlurmJobIsADeadline() {
        String end = Long.toString(START.plusSeconds(3600).getEpochSecond());
        assertNotice(
                options(Map.of("SLURM_JOB_END_TIME", end), "--grace=5m"),
                Duration.ofMinutes(55),
                "the end of the Slurm job");
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "1", ""})
    void anEndThatIsNoneIsNotUsed(String end) {
        try (Notices notices = watch(options(Map.of("SLURM_JOB_END_TIME", end), ""))) {
            assertThat(notices.isGiven()).isFalse();
        }
        assertThat(warnings).singleElement().asString().contains("SLURM_JOB_END_TIME=" + end);
    }

    @ParameterizedTest
    @CsvSource({
        "--deadline=2026-11-15T12:00:00Z, has passed",
        "--time-limit=1m --grace=1m, is not shorter",
        "--grace=1m, needs a deadline"
    })
    void whatMakesNoSenseIsRefused(String options, String why) {
        assertThat(options(Map.of(), options).problem(time)).contains(why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--deadline=tomorrow", "--notice-url=/etc/passwd", "--notice-url=http://", "--grace=x"})
    void whatCannotBeReadIsWrongUsage(String option) {
        Cli refused = Cli.run("train", "lenet", "--run", "unused", option);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err().lines()).singleElement().asString().contains("such as");
    }

    private void assertNotice(NoticeOptions options, Duration expected, String reason) {
        assertThat(options.problem(time)).isNull();
        try (Notices notices = watch(options)) {
            sinceStart = expected.minusMillis(1);
            assertThat(notices.isGiven()).isFalse();
            sinceStart = expected;
            assertThat(notices.isGiven()).isTrue();
            assertThat(notices.first().map(Notice::reason)).contains(reason);
        }
    }

    private Notices watch(NoticeOptions options) {
        return options.watch(() -> Duration.ofSeconds(40), time, warnings::add);
    }

    private static NoticeOptions options(Map<String, String> environment, String text) {
        String[] args = text.isEmpty() ? new String[0] : text.split(" ", -1);
        return CommandLine.populateCommand(new NoticeOptions(environment), args);
    }
}
