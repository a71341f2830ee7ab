package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Checkpoint.Kind;
import dev.cairn.checkpoint.CheckpointEvent.ChainInDoubt;
import dev.cairn.checkpoint.CheckpointEvent.Committed;
import dev.cairn.checkpoint.CheckpointEvent.HousekeepingFailed;
import dev.cairn.checkpoint.CheckpointEvent.PassedOver;
import dev.cairn.store.Damage;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A training whose own checkpoints are damaged or removed while it runs. The good state is in its memory, so the
/// next save needs none of them, and a restart resumes from the newest saved step.
class DoubtTest {
    @TempDir
    Path run;

    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();
    private final WalkingState live = new WalkingState();

    @ParameterizedTest
    @ValueSource(strings = {"lossless", "lossy"})
    void aDamagedChainIsBuiltOnNoMore(String codec) throws IOException {
        try (Checkpoints checkpoints = open(codec, 3)) {
            save(checkpoints, 2);
            Damage.inTheMiddle(firstOf("segments"));
            save(checkpoints, 10);
        }
        assertThat(events(HousekeepingFailed.class)).isEmpty();
        ChainInDoubt doubt = theDoubt();
        assertThat(doubt.cause()).hasMessageContaining("damaged: segments/");
        assertThat(doubt.newest().step()).isEqualTo(5);
        assertThat(kinds().subList(5, 6)).containsExactly(Kind.BASE);
        assertResumesFrom(12);
    }

    @ParameterizedTest
    @ValueSource(strings = {"segments", "log"})
    void aFolderRemovedBesideTheTrainingIsMadeAgainAndTheNextSaveStandsAlone(String folder) throws IOException {
        try (Checkpoints checkpoints = open("lossless", 8)) {
            save(checkpoints, 3);
            remove(run.resolve(folder));
            save(checkpoints, 2);
            assertThat(checkpoints.statistics().failed()).isZero();
        }
        assertThat(kinds()).containsExactly(Kind.BASE, Kind.DELTA, Kind.DELTA, Kind.BASE, Kind.DELTA);
        assertThat(theDoubt().newest().step()).isEqualTo(3);
        assertResumesFrom(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"segments", "log"})
    void aMissingFileOfTheChainIsEnough(String folder) throws IOException {
        try (Checkpoints checkpoints = open("lossless", 8)) {
            save(checkpoints, 3);
            Path removed = firstOf(folder);
            Files.delete(removed);
            Files.deleteIfExists(Path.of(removed.toString().replace(".rec", ".twin")));
            save(checkpoints, 2);
            assertThat(theDoubt().cause()).hasMessageContaining("damaged: ");
        }
        assertThat(kinds()).containsExactly(Kind.BASE, Kind.DELTA, Kind.DELTA, Kind.BASE, Kind.DELTA);
        assertResumesFrom(5);
    }

    @Test
    void whatIsInDoubtIsSavedAnewBeforeItsTime() throws IOException {
        var options = options("lossless", 2).withPolicy(new SavePolicy.EverySteps(100));
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            save(checkpoints, 250);
            Damage.inTheMiddle(firstOf("segments"));
            save(checkpoints, 150);
            save(checkpoints, 2);
        }
        assertThat(events(Committed.class))
                .extracting(committed -> committed.checkpoint().step())
                .containsExactly(100L, 200L, 300L, 400L, 401L);
        theDoubt();
        assertResumesFrom(401);
    }

    /// Housekeeping still reads the abandoned chain: other checkpoints of it are kept, too.
    @Test
    void damageThatIsKnownIsNoDoubtOfALaterChain() throws IOException {
        var options = options("lossless", 8).withRetention(Retention.parse("latest:2,every:5"));
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            save(checkpoints, 2);
            Damage.inTheMiddle(firstOf("segments"));
            save(checkpoints, 38);
        }
        theDoubt();
        assertThat(kinds().stream().filter(Kind.BASE::equals)).hasSize(2);
        assertResumesFrom(40);
    }

    /// The copy reads what it copies: here a segment is damaged between its opening and its first block.
    @Test
    void damageThatTheCopyMeetsIsADoubt(@TempDir Path elsewhere) throws Exception {
        var doubted = new CountDownLatch(1);
        var damaged = new AtomicBoolean();
        var copy = new WatchedBlobStore(new LocalBlobStore(elsewhere), operation -> {
            if (operation.startsWith("write segments/") && damaged.compareAndSet(false, true)) {
                Damage.inTheMiddle(firstOf("segments"));
            }
        });
        var options = options("lossless", 8).withCopy(copy).withListener(event -> {
            if (event instanceof ChainInDoubt) {
                doubted.countDown();
            }
        });
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            save(checkpoints, 1);
            assertThat(doubted.await(60, TimeUnit.SECONDS)).isTrue();
            save(checkpoints, 2);
        }
        assertThat(kinds()).containsExactly(Kind.BASE, Kind.BASE, Kind.DELTA);
        assertResumesFrom(3);
    }

    private ChainInDoubt theDoubt() {
        assertThat(events(ChainInDoubt.class)).hasSize(1);
        return events(ChainInDoubt.class).getFirst();
    }

    private List<Kind> kinds() {
        return events(Committed.class).stream()
                .map(Committed::checkpoint)
                .map(Checkpoint::kind)
                .toList();
    }

    private void assertResumesFrom(long step) throws IOException {
        events.clear();
        var target = new WalkingState();
        try (Checkpoints checkpoints = open("lossless", 3)) {
            assertThat(checkpoints.restoreLatest(target).map(Checkpoint::step)).contains(step);
        }
        assertThat(events(PassedOver.class)).isEmpty();
    }

    private void save(Checkpoints checkpoints, int steps) throws IOException {
        for (int i = 0; i < steps; i++) {
            live.makeStep();
            checkpoints.afterStep(live.step, live);
            checkpoints.awaitHousekeeping();
        }
    }

    private Checkpoints open(String codec, int longestChain) throws IOException {
        return Checkpoints.open(run, options(codec, longestChain));
    }

    private CheckpointOptions options(String codec, int longestChain) {
        return CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withCodec(Codec.parse(codec))
                .withLongestChain(longestChain)
                .withRetention(Retention.parse("latest:3"))
                .withoutLog()
                .withListener(events::add);
    }

    private <T extends CheckpointEvent> List<T> events(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private Path firstOf(String folder) throws IOException {
        try (Stream<Path> files = Files.list(run.resolve(folder))) {
            return files.sorted().findFirst().orElseThrow();
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
