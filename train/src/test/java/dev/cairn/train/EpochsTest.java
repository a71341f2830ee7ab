package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.engine.InvalidSettingException;
import dev.cairn.store.Attributes;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.train.TrainingSettings.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How long a training is, how its examples are shared out, and in which order they come.
class EpochsTest {
    /// The 12,000 digits to train on are 47 batches of 256.
    private static final int EPOCH = 47;

    private static final TrainingRequest REQUEST =
            TrainingRequest.of("lr").with("threads", 1).with("batch", 256).with("evaluateEvery", 1_000_000);

    @TempDir
    Path folder;

    private static CheckpointOptions savingEpochs() {
        return CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EveryEpoch())
                .withRetention(Retention.parse("all"))
                .withoutLog();
    }

    @Test
    void everyEpochIsScoredAndSaved() throws Exception {
        TrainingResult whole =
                new TestTraining(REQUEST.with("epochs", 3)).with(savingEpochs()).run(folder.resolve("whole"));
        assertThat(whole.step()).isEqualTo(3 * EPOCH);
        assertThat(whole.epoch()).isEqualTo(3);
        List<Commit> saved = saved("whole");
        assertThat(saved).extracting(Commit::step).containsExactly(47L, 94L, 141L);
        assertThat(saved)
                .allSatisfy(each ->
                        assertThat(each.attributes().integer("scoredStep")).contains(each.step()));

        TrainingResult first =
                new TestTraining(REQUEST.with("epochs", 1)).with(savingEpochs()).run(folder.resolve("parts"));
        assertThat(first.step()).isEqualTo(EPOCH);
        TrainingResult rest = new TestTraining(REQUEST.with("epochs", 3)).run(folder.resolve("parts"));
        assertThat(rest.weightsSha256()).isEqualTo(whole.weightsSha256());
    }

    @Test
    void theStepsOfAnEpochMayBeChosen() throws Exception {
        TrainingResult result = new TestTraining(REQUEST.with("epochs", 4).with("stepsPerEpoch", 7))
                .with(savingEpochs())
                .run(folder.resolve("chosen"));
        assertThat(result.step()).isEqualTo(28);
        assertThat(result.epoch()).isEqualTo(4);
        assertThat(saved("chosen")).extracting(Commit::step).containsExactly(7L, 14L, 21L, 28L);
    }

    @Test
    void epochsCannotBeSavedIfNobodyCountsThem() {
        var training = new TestTraining(REQUEST).with(savingEpochs());
        assertThatThrownBy(() -> training.run(folder.resolve("uncounted")))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("epochs");
    }

    @Test
    void aShardGoesOnInTheSameBits() throws Exception {
        TrainingRequest sharded = REQUEST.with("dataOrder", "shard").with("shuffle", 300);
        String whole = new TestTraining(sharded.with("steps", 90))
                .run(folder.resolve("one"))
                .weightsSha256();
        for (long steps : new long[] {33, 61}) { // in the first pass through the data, and in the second
            new TestTraining(sharded.with("steps", steps)).run(folder.resolve("several"));
        }
        assertThat(new TestTraining(TrainingRequest.of("lr").with("threads", 1).with("steps", 90))
                        .run(folder.resolve("several"))
                        .weightsSha256())
                .isEqualTo(whole);
        assertThat(new TestTraining(REQUEST.with("steps", 90))
                        .run(folder.resolve("other"))
                        .weightsSha256())
                .isNotEqualTo(whole);
    }

    /// Mode, workers of the first start, of the second, `batchPerWorker`, and the batch of all workers in both.
    @ParameterizedTest
    @CsvSource({
        "allreduce, 2, 3, false, 64",
        "allreduce, 2, 3, true, 128",
        "ps-sync, 2, 3, false, 128",
        "ps-sync, 3, 1, false, 192",
        "ps-async, 2, 4, false, 128",
    })
    void theFirstStartDecidesTheWholeBatch(String mode, int first, int second, boolean perWorker, int whole)
            throws RefusedException {
        TrainingSettings began = TrainingSettings.resolve(request(mode, first, perWorker), Optional.empty())
                .settings();
        assertThat(began.wholeBatch()).isEqualTo(whole);
        Attributes stored = began.asAttributes();
        var later = TrainingSettings.resolve(request(mode, second, perWorker), Optional.of(stored));
        assertThat(later.settings().wholeBatch()).isEqualTo(whole);
        assertThat(later.settings().updateBatch()).isEqualTo(mode.equals("ps-async") ? 64 : whole);
        assertThat(later.warnings().stream().anyMatch(line -> line.contains("stays " + whole)))
                .isEqualTo(!mode.equals("ps-async") && (perWorker || mode.equals("ps-sync")));
    }

    private static TrainingRequest request(String mode, int workers, boolean perWorker) {
        return TrainingRequest.of("lr")
                .with("batch", 64)
                .with("mode", mode)
                .with("workers", workers)
                .with("batchPerWorker", perWorker ? 1 : null);
    }

    private List<Commit> saved(String run) throws IOException {
        return new CheckpointStore(new LocalBlobStore(folder.resolve(run)))
                .history()
                .currentCheckpoints();
    }
}
