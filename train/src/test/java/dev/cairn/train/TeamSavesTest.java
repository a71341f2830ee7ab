package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.GradientExchange;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.train.Trainer.Start;
import dev.cairn.train.batch.Share;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.fetch.DataProgress;
import dev.cairn.train.data.sets.DataSets;
import dev.cairn.train.team.Replica;
import dev.cairn.train.team.Team;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the leader of a team saves.
class TeamSavesTest {
    private static final int EVERY = 10;

    @TempDir
    Path folder;

    /// A team whose other processes have another state each second time that it is compared.
    private static final class OftenOdd implements Team {
        final List<Long> agreed = new ArrayList<>();
        final List<Long> odd = new ArrayList<>();
        private boolean saves;

        @Override
        public Share share() {
            return Share.ALL;
        }

        @Override
        public void form(Replica replica) {}

        @Override
        public GradientExchange exchange(long step, int examples, boolean wantsSave) {
            saves = wantsSave;
            return (_, loss) -> loss;
        }

        @Override
        public boolean stops() {
            return false;
        }

        @Override
        public boolean saves() {
            return saves;
        }

        @Override
        public boolean regroups() {
            return false;
        }

        @Override
        public boolean decide(boolean leaders) {
            return leaders;
        }

        @Override
        public void agree(Replica replica) {
            boolean isOdd = odd.size() <= agreed.size();
            (isOdd ? odd : agreed).add(replica.step());
            if (isOdd) {
                throw new BrokenGroupException("another state", new IllegalStateException());
            }
        }

        @Override
        public void addUp(double[] parts) {}

        @Override
        public void finish() {}
    }

    @Test
    void aStateThatIsNotTheSameOnAllWorkersIsNotSaved() throws Exception {
        var team = new OftenOdd();
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(EVERY))
                .withRetention(Retention.parse("all"))
                .withoutLog();
        var request = TrainingRequest.of("lr").with("steps", 95L).with("threads", 1);
        TrainingSettings settings =
                TrainingSettings.resolve(request, Optional.empty()).settings();
        var data = DataSets.load(settings.data(), DataPlaces.of(Optional.empty()), DataProgress.NONE);
        try (Checkpoints checkpoints = Checkpoints.open(folder, options)) {
            new Trainer(settings, data, Goals.NONE, _ -> {}, Notices.none())
                    .lead(checkpoints, new Start.Resume(Matching.WHOLE), team);
        }
        assertThat(team.odd).hasSizeGreaterThan(3).contains(10L);
        assertThat(team.agreed).hasSizeGreaterThan(3).contains(95L);
        // A save may be skipped because the one before is still running.
        assertThat(steps()).hasSizeGreaterThan(1).contains(95L).isSubsetOf(team.agreed);
    }

    private List<Long> steps() throws IOException {
        return new CheckpointStore(new LocalBlobStore(folder))
                .history().currentCheckpoints().stream().map(Commit::step).toList();
    }
}
