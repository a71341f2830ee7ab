package dev.cairn.train.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.Selector;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.observe.Observers;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.StorageSettings;
import dev.cairn.train.Goals;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.data.Dataset;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.fetch.DataProgress;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingJobTest {
    private static final Beginning RESUME = new Beginning.Resume(_ -> Matching.WHOLE);

    @TempDir
    Path folder;

    private final List<String> loaded = new ArrayList<>();
    private Path run = Path.of("");

    @BeforeEach
    void nameTheRun() {
        run = folder.resolve("run");
    }

    private static Place place(Path path) {
        return new Place(new RunLocation.Folder(path), StorageSettings.none());
    }

    private JobPlan plan(long steps, Beginning beginning, Optional<Path> copy) {
        return new JobPlan(
                TrainingRequest.of("lr").with("steps", steps).with("threads", 1),
                Goals.NONE,
                place(run),
                beginning,
                new Saving(CheckpointOptions.defaults().withoutLog(), copy.map(TrainingJobTest::place)));
    }

    private JobResult train(JobPlan plan, DataSource data) throws IOException, JobRefusedException, RefusedException {
        return TrainingJob.checked(plan).run(data, Observers.of(), Notices.none(), JobListener.NONE);
    }

    private JobResult train(JobPlan plan) throws IOException, JobRefusedException, RefusedException {
        return train(plan, this::load);
    }

    private Dataset load(String name) throws IOException {
        loaded.add(name);
        return DataSets.load(name, DataPlaces.of(Optional.empty()), DataProgress.NONE);
    }

    private static Beginning fork(Path source) {
        return new Beginning.Fork(
                new RunLocation.Folder(source),
                new Selector.Latest(),
                () -> ForkPoint.of(source, new Selector.Latest()),
                _ -> Matching.WHOLE);
    }

    private static Refusal refusal(ThrowingCallable job) {
        var refusals = new ArrayList<Refusal>();
        assertThatThrownBy(job)
                .isInstanceOfSatisfying(JobRefusedException.class, refused -> refusals.add(refused.refusal()));
        return refusals.getFirst();
    }

    /// A folder that cannot be looked at may have checkpoints. A link that leads to itself stands for any error.
    @Test
    void aPlaceThatCannotBeLookedAtIsNotAnEmptyOne() throws IOException {
        Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
        assertThatThrownBy(() -> TrainingJob.checked(plan(5, RESUME, Optional.of(loop))))
                .hasMessageContaining("Too many levels of symbolic links");
        run = loop;
        assertThatThrownBy(() -> TrainingJob.checked(plan(5, RESUME, Optional.empty())))
                .hasMessageContaining("Too many levels of symbolic links");
    }

    @Test
    void trainsANewRunAndResumesIt() throws Exception {
        JobResult first = train(plan(5, RESUME, Optional.empty()));
        assertThat(first.training().resumedFromStep()).isNull();
        assertThat(first.checkpoints()).isPositive();
        assertThat(first.history().currentCheckpoints().getLast().step()).isEqualTo(5);
        assertThat(first.lag()).isEmpty();
        assertThat(loaded).containsExactly("digits");
        JobResult second = train(plan(8, RESUME, Optional.empty()));
        assertThat(second.training().resumedFromStep()).isEqualTo(5);
        assertThat(second.training().step()).isEqualTo(8);
    }

    @Test
    void startsAtStepZeroIfFresh() throws Exception {
        train(plan(5, RESUME, Optional.empty()));
        JobResult fresh = train(plan(3, new Beginning.Fresh(), Optional.empty()));
        assertThat(fresh.training().resumedFromStep()).isNull();
        assertThat(fresh.history().currentCheckpoints().getLast().step()).isEqualTo(3);
    }

    @Test
    void refusesOverlappingPlacesAndMakesNothing() {
        assertThat(refusal(() -> train(plan(5, RESUME, Optional.of(run)))))
                .isEqualTo(new Refusal.CopyOverlaps(Refusal.Overlap.SAME_PLACE));
        assertThat(refusal(() -> train(plan(5, RESUME, Optional.of(run.resolve("copy"))))))
                .isEqualTo(new Refusal.CopyOverlaps(Refusal.Overlap.COPY_INSIDE_RUN));
        assertThat(refusal(() -> train(plan(5, RESUME, Optional.of(folder)))))
                .isEqualTo(new Refusal.CopyOverlaps(Refusal.Overlap.RUN_INSIDE_COPY));
        assertThat(refusal(() -> train(plan(5, fork(run), Optional.empty())))).isEqualTo(new Refusal.ForkOfItself());
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void dataThatDoesNotSuitTheWorkloadLeavesNothingBehind() {
        assertThat(refusal(() -> train(plan(5, RESUME, Optional.empty()), _ -> load("fake-ratings"))))
                .isInstanceOf(Refusal.Invalid.class);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theSamePlanResumesAForkWhoseSourceIsGone() throws Exception {
        Path source = folder.resolve("source");
        Path fork = run;
        run = source;
        train(plan(5, RESUME, Optional.empty()));
        run = fork;
        assertThat(train(plan(7, fork(source), Optional.empty())).training().resumedFromStep())
                .isEqualTo(5);
        Files.move(source, folder.resolve("gone"));
        assertThat(train(plan(9, fork(source), Optional.empty())).training().resumedFromStep())
                .isEqualTo(7);
        assertThat(refusal(() -> train(plan(11, fork(folder.resolve("gone")), Optional.empty()))))
                .isInstanceOfSatisfying(Refusal.NotThisFork.class, other -> {
                    assertThat(other.holder()).isEqualTo(Refusal.Holder.RUN);
                    assertThat(other.origin().orElseThrow().run()).isEqualTo("source");
                });
    }

    @Test
    void resumesALostRunFromItsCopy() throws Exception {
        Path copy = folder.resolve("copy");
        JobResult first = train(plan(5, RESUME, Optional.of(copy)));
        assertThat(first.lag().orElseThrow().isNone()).isTrue();
        Files.move(run, folder.resolve("lost"));
        JobResult second = train(plan(8, RESUME, Optional.of(copy)));
        assertThat(second.training().resumedFromStep()).isEqualTo(5);
    }
}
