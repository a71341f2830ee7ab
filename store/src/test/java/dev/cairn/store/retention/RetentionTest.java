package dev.cairn.store.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.Attributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables of checkpoints, policies and kept numbers. Checkpoints are numbered from 1 in the order in which they are
/// written.
class RetentionTest {
    private static final Instant BEGIN = Instant.parse("2026-01-02T00:00:00Z");

    /// `step`, or `step!` for a damaged one; ten minutes apart.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                ""                                | latest:3          | ""
                7                                 | latest:3          | 1
                7                                 | every:100         | 1
                10 20 30 40 50                    | latest:2          | 4 5
                10 20 30                          | latest:9          | 1 2 3
                10 20 30! 40 50!                  | latest:2          | 2 4 5
                10! 20! 30!                       | latest:1          | 1 2 3
                10! 20 30! 40                     | latest:1          | 4
                10 20 20 20                       | latest:2          | 3 4
                10 20 30 40 50 60                 | every:20          | 2 4 6
                10 20 30 40 50                    | every:20          | 2 4 5
                7 19 23 38 41 57                  | every:20          | 3 5 6
                5 10 15                           | every:100         | 3
                100 150 100                       | every:100         | 3
                100 200 100 150                   | every:100         | 2 3 4
                100 200 300                       | every:100         | 1 2 3
                100! 110 200                      | every:100         | 2 3
                10 20 30                          | all               | 1 2 3
                10! 20 30                         | all               | 2 3
                10 20 30 40                       | every:10m         | 1 2 3 4
                10 20 30 40 50 60 70 80           | every:30m         | 1 4 7 8
                10! 20 30 40 50 60                | every:30m         | 2 5 6
                10 20 30 40 50 60                 | newer:20m         | 4 5 6
                10 20 30 40 50 60                 | newer:1s          | 6
                10 20 30 40 50!                   | newer:10m         | 4 5
                10 20 30                          | atleast:2         | 2 3
                10 20 30                          | atleast:9         | 1 2 3
                10 20! 30                         | atleast:2         | 1 3
                10 20 30 40 50 60                 | newer:1s,atleast:3 | 4 5 6
                10 20 30 40 50 60                 | atleast:3,every:20 | 2 4 6
                10 20 30 40 50 60                 | atleast:4,every:20 | 2 4 5 6
                10 20 30 40 50 60 70 80           | latest:2,every:30 | 3 6 7 8
                """)
    void keeps(String steps, String keep, String expected) {
        var candidates = new ArrayList<Candidate>();
        for (String word : words(steps)) {
            boolean damaged = word.endsWith("!");
            candidates.add(new Candidate(
                    candidates.size() + 1L,
                    Long.parseLong(damaged ? word.substring(0, word.length() - 1) : word),
                    BEGIN.plus(Duration.ofMinutes(10L * candidates.size())),
                    Attributes.empty(),
                    damaged));
        }
        assertThat(kept(candidates, keep)).isEqualTo(expected);
    }

    /// The minutes at which checkpoints were made, by a clock that may go back; the newest is always kept.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                0 0 0 0                           | every:1h          | 1 4
                0 59 60 61 119 120 121            | every:1h          | 1 3 6 7
                0 500 1000 1010                   | every:1h          | 1 2 3 4
                0 30 60 -10000 -9990 -9950 -9940  | every:1h          | 1 3 4 7
                0 90000 10 20 70 80               | every:1h          | 1 2 3 5 6
                0 30 29 60 61                     | every:1h          | 1 4 5
                0 1 2 3 4                         | newer:2m          | 3 4 5
                900 901 2 3 4                     | newer:1m          | 1 2 4 5
                """)
    void keepsByTime(String minutes, String keep, String expected) {
        var candidates = new ArrayList<Candidate>();
        for (String minute : words(minutes)) {
            long number = candidates.size() + 1L;
            candidates.add(new Candidate(
                    number,
                    10 * number,
                    BEGIN.plus(Duration.ofMinutes(Long.parseLong(minute))),
                    Attributes.empty(),
                    false));
        }
        assertThat(kept(candidates, keep)).isEqualTo(expected);
    }

    /// `accuracy/loss`; `-` if there is none. The newest is always kept.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                0.1/9 0.9/5 0.5/1 0.2/8           | best:1            | 2 4
                0.1/9 0.9/5 0.5/1 0.2/8           | best:2            | 2 3 4
                0.1/9 0.9/5 0.5/1 0.2/8           | best:1@loss       | 3 4
                0.1/9 0.9/5 0.5/1 0.2/8           | best:1@loss:max   | 1 4
                0.1/9 0.9/5 0.5/1 0.2/8           | best:1@accuracy:min | 1 4
                0.1/9 0.9/5 0.5/1 0.2/8           | best:1@unheard    | 1 2 3 4
                NaN/3 NaN/2 NaN/4 NaN/5           | best:1            | 2 4
                NaN/3 NaN/2 0.3/4 NaN/5           | best:1            | 3 4
                NaN/- NaN/- -/- -/NaN             | best:2            | 4
                -/3 0.5/- NaN/NaN 0.4/3           | best:9            | 2 4
                0.5/1 0.9/1 0.9/1 0.9/1 0.7/1     | best:2            | 2 5
                0.9/1 0.5/1 0.9/1 0.7/1 0.6/1     | best:2            | 1 4 5
                0.9/1 0.5/1 0.9/1 0.7/1           | best:1            | 1 4
                -Infinity/1 0/1 Infinity/1 0/1    | best:1            | 3 4
                """)
    void keepsTheBest(String metrics, String keep, String expected) {
        var candidates = new ArrayList<Candidate>();
        for (String pair : words(metrics)) {
            String[] values = pair.split("/", 2);
            long number = candidates.size() + 1L;
            Attributes attributes = Attributes.empty();
            if (!values[0].equals("-")) {
                attributes = attributes.with("accuracy", Double.parseDouble(values[0]));
            }
            if (!values[1].equals("-")) {
                attributes = attributes.with("loss", Double.parseDouble(values[1]));
            }
            candidates.add(new Candidate(number, number, BEGIN, attributes, false));
        }
        assertThat(kept(candidates, keep)).isEqualTo(expected);
    }

    @Test
    void aDamagedBestIsNoneAndTextIsNoMetric() {
        var good = new Candidate(1, 1, BEGIN, Attributes.empty().with("accuracy", 0.5), false);
        var damaged = new Candidate(2, 2, BEGIN, Attributes.empty().with("accuracy", 0.9), true);
        var text = new Candidate(3, 3, BEGIN, Attributes.empty().with("accuracy", "high"), false);
        var whole = new Candidate(4, 4, BEGIN, Attributes.empty().with("accuracy", 1L), false);
        var newest = new Candidate(5, 5, BEGIN, Attributes.empty(), false);
        assertThat(Retention.parse("best:1").keep(List.of(good, damaged, text, newest), BEGIN))
                .containsExactly(1L, 5L);
        assertThat(Retention.parse("best:1").keep(List.of(good, damaged, text, whole, newest), BEGIN))
                .containsExactly(4L, 5L);
    }

    /// Random histories and policies: the newest good checkpoint stays, a second pruning removes no good one, and
    /// the order of the input does not matter.
    @Test
    void whatIsKeptStaysKept() {
        var random = new Random(5);
        String[] policies = {"latest:3", "every:50", "every:1h", "best:2@loss", "newer:3h", "atleast:4"};
        for (int round = 0; round < 2000; round++) {
            String keep = policies[random.nextInt(policies.length)] + "," + policies[random.nextInt(policies.length)];
            List<Candidate> candidates = history(random);
            Retention retention = Retention.parse(keep);
            SortedSet<Long> kept = retention.keep(candidates, BEGIN);
            candidates.stream()
                    .filter(candidate -> !candidate.damaged())
                    .reduce((_, last) -> last)
                    .ifPresent(newest -> assertThat(kept).contains(newest.number()));
            var rest = new ArrayList<>(candidates);
            rest.removeIf(candidate -> !kept.contains(candidate.number()));
            Collections.shuffle(rest, random);
            assertThat(retention.keep(rest, BEGIN))
                    .as("round %d, %s of %s", round, keep, candidates)
                    .isEqualTo(kept);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "latest:5,every:1h,best:1",
                "every:1000",
                "every:90s",
                "every:250ms",
                "newer:2d,atleast:3",
                "newer:1w",
                "best:3@accuracy",
                "best:3@loss",
                "best:3@loss:max",
                "best:2@f1:min",
                "all"
            })
    void textReadsBack(String text) {
        assertThat(Retention.parse(text).text()).isEqualTo(text);
    }

    @Test
    void theUsualRetentionIsTheDocumentedOne() {
        assertThat(Retention.usual()).isEqualTo(Retention.parse("latest:5, every:60m, best:1"));
        assertThat(Retention.usual().text()).isEqualTo("latest:5,every:1h,best:1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                ""           | use latest:5
                latest:5,    | use latest:5
                newest:5     | 'newest:5' is not a retention policy
                latest       | 'latest' needs a whole number
                latest:0     | 'latest:0' needs a whole number
                latest:-1    | needs a whole number
                latest:1h    | needs a whole number
                every        | needs a number of steps
                every:0      | needs a number of steps
                every:1.5h   | needs a number of steps
                every:0s     | longer than zero
                newer:5      | needs a time with its unit
                newer:0d     | longer than zero
                atleast:x    | needs a whole number
                best:x@loss  | needs a whole number
                best:1@      | letters, digits
                best:1@a b   | letters, digits
                best:1@a:up  | should end with :max, :min
                all:1        | should be just 'all'
                """)
    void anythingElseIsRefusedWithACure(String text, String message) {
        assertThatThrownBy(() -> Retention.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private static List<Candidate> history(Random random) {
        var candidates = new ArrayList<Candidate>();
        long step = 0;
        long minute = -600;
        int size = random.nextInt(25);
        for (int number = 1; number <= size; number++) {
            step = random.nextInt(10) == 0 ? Math.max(0, step - 70) : step + random.nextInt(30);
            minute += random.nextInt(10) == 0 ? -200 : random.nextInt(40);
            Attributes metrics = random.nextInt(4) == 0
                    ? Attributes.empty()
                    : Attributes.empty().with("loss", random.nextInt(20) == 0 ? Double.NaN : random.nextInt(6) / 5.0);
            candidates.add(new Candidate(
                    number, step, BEGIN.plus(Duration.ofMinutes(minute)), metrics, random.nextInt(5) == 0));
        }
        return candidates;
    }

    /// Asked at the time of the newest checkpoint.
    private static String kept(List<Candidate> candidates, String keep) {
        Instant now = candidates.isEmpty() ? BEGIN : candidates.getLast().time();
        var kept = new TreeSet<>(Retention.parse(keep).keep(candidates, now));
        return kept.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    private static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.trim().split(" +"));
    }
}
