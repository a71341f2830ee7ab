package dev.cairn.app.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.store.Attributes;
import dev.cairn.store.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GlanceTest {
    private static final Instant TIME = Instant.EPOCH;

    private final ManualClock clock = new ManualClock();

    @Test
    void theSpeedIsThatOfTheLastSeconds() {
        var glance = new Glance(SavePolicy.automatic(), clock);
        steps(glance, 1, 100, 1000); // a step a second
        assertThat(glance.view().stepsPerSecond()).isEqualTo(1, within(0.01));
        steps(glance, 101, 3000, 10);
        assertThat(glance.view().stepsPerSecond()).isEqualTo(100, within(1.0));
    }

    @Test
    void theNextSaveIsKnownByThePolicy() {
        var byStep = new Glance(new SavePolicy.EverySteps(50), clock);
        steps(byStep, 1, 50, 10);
        assertThat(byStep.view().next()).hasValue(new Glance.Next.AtStep(100));

        var byTime = new Glance(new SavePolicy.EveryDuration(Duration.ofSeconds(30)), clock);
        byTime.on(committed(7));
        clock.advance(Duration.ofSeconds(10));
        assertThat(byTime.view().next()).hasValue(new Glance.Next.In(Duration.ofSeconds(20)));
        assertThat(byTime.view().savedStep()).isEqualTo(7);
        assertThat(byTime.view().savedAgo()).isEqualTo(Duration.ofSeconds(10));
        clock.advance(Duration.ofSeconds(30));
        assertThat(byTime.view().next()).hasValue(new Glance.Next.In(Duration.ZERO));

        assertThat(new Glance(SavePolicy.automatic(), clock).view().next()).isEmpty();
    }

    @Test
    void theCourseOfTheLossTakesBoundedMemory() {
        var trail = new Trail();
        for (int i = 0; i < 1_000_000; i++) {
            trail.add(1_000_000 - i);
        }
        trail.add(Double.NaN);
        assertThat(trail.values()).hasSizeBetween(64, 128);
        assertThat(trail.values()[0]).isGreaterThan(990_000);
        assertThat(trail.values()[trail.values().length - 1]).isLessThan(20_000);
    }

    private void steps(Glance glance, long from, long to, long millis) {
        for (long step = from; step <= to; step++) {
            clock.advance(Duration.ofMillis(millis));
            glance.on(new TrainingEvent.StepMade(TIME, step, 0, 1, 0.1, 64));
        }
    }

    private static TrainingEvent committed(long step) {
        var checkpoint = new Checkpoint(
                step,
                "00",
                step,
                TIME,
                Checkpoint.Kind.BASE,
                Optional.empty(),
                "lossless",
                1,
                1,
                WeightError.NONE,
                Attributes.empty());
        return new TrainingEvent.Checkpointed(
                TIME,
                new CheckpointEvent.Committed(
                        checkpoint, Duration.ZERO, Duration.ZERO, WeightError.NONE, Optional.empty()));
    }
}
