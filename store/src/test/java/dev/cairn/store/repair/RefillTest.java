package dev.cairn.store.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.Damage;
import dev.cairn.store.blob.FaultyBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checkpoints that are lost in a run come back whole from its copy.
class RefillTest {
    private final MemoryBlobStore blobs = new MemoryBlobStore();
    private final MemoryBlobStore copied = new MemoryBlobStore();
    private final CheckpointStore run = new CheckpointStore(blobs);
    private final CheckpointStore copy = new CheckpointStore(copied);
    private final List<Commit> chain = new ArrayList<>();

    @BeforeEach
    void makeAChainAndItsCopy() throws IOException {
        var samples = new ChainSamples(blobs, List.of(ChainSamples.weights("w", ElementType.FLOAT32, 5000)));
        for (int i = 0; i < 4; i++) {
            chain.add(samples.commit());
        }
        copied.blobs.putAll(blobs.blobs);
    }

    private static String file(Commit checkpoint) {
        return checkpoint.segments().getFirst().name();
    }

    private boolean isWhole() throws IOException {
        return StoreVerifier.verify(run, Depth.FULL, _ -> {}).ok()
                && run.history().currentCheckpoints().size() == chain.size();
    }

    @Test
    void lostFilesComeBack() throws IOException {
        blobs.delete(file(chain.getFirst()));
        blobs.blobs.put(file(chain.getLast()), new byte[3]);
        assertThat(Refill.find(run, copy))
                .extracting(Commit::step)
                .containsExactly(chain.getFirst().step(), chain.getLast().step());
        assertThat(Refill.run(run, copy, () -> {}))
                .extracting(Commit::id)
                .containsExactly(chain.getFirst().id(), chain.getLast().id());
        assertThat(isWhole()).isTrue();
        assertThat(run.leftovers()).isEmpty();
        assertThat(Refill.find(run, copy)).isEmpty();
    }

    @Test
    void aWholeRunStaysAsItIs() throws IOException {
        Map<String, byte[]> before = Map.copyOf(blobs.blobs);
        copied.blobs.clear();
        assertThat(Refill.run(run, copy, () -> {})).isEmpty();
        assertThat(blobs.blobs).containsExactlyInAnyOrderEntriesOf(before);
    }

    @Test
    void whatTheCopyHasLostTooIsNotTaken() throws IOException {
        blobs.delete(file(chain.getFirst()));
        blobs.delete(file(chain.getLast()));
        copied.delete(file(chain.getLast()));
        assertThat(Refill.run(run, copy, () -> {}))
                .extracting(Commit::id)
                .containsExactly(chain.getFirst().id());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void checkpointsWhoseRecordsAreLostComeBackInTheirPlaces(boolean withoutATrace) throws IOException {
        Map<String, byte[]> good = Map.copyOf(blobs.blobs);
        for (List<Commit> lost : List.of(chain.subList(0, 1), chain.subList(1, 2), chain.subList(0, 3))) {
            blobs.blobs.clear();
            blobs.blobs.putAll(good);
            for (Commit each : lost) {
                if (withoutATrace) {
                    Damage.loseRecord(blobs.blobs, each.number());
                    blobs.delete(file(each));
                } else {
                    Damage.record(blobs.blobs, each.number(), new byte[30]);
                }
            }
            assertThat(Refill.find(run, copy))
                    .extracting(Commit::id)
                    .isEqualTo(lost.stream().map(Commit::id).toList());
            assertThat(Refill.run(run, copy, () -> {})).hasSameSizeAs(lost);
            Repair.run(run, () -> {}, Instant.EPOCH);
            assertIsBack();
        }
    }

    /// The same checkpoints in the same order, with the same bytes.
    private void assertIsBack() throws IOException {
        assertThat(isWhole()).isTrue();
        List<Commit> there = run.history().currentCheckpoints();
        assertThat(there)
                .extracting(Commit::id)
                .isEqualTo(chain.stream().map(Commit::id).toList());
        for (int i = 0; i < chain.size(); i++) {
            assertThat(blobs.blobs.get(file(there.get(i)))).isEqualTo(copied.blobs.get(file(chain.get(i))));
        }
    }

    @Test
    void aLostRecordStaysLostIfTheCopyIsOfAnotherRunOrHasLostItToo() throws IOException {
        Damage.record(blobs.blobs, chain.get(1).number(), new byte[30]);
        var others = new MemoryBlobStore();
        var other = new ChainSamples(others, List.of(ChainSamples.weights("w", ElementType.FLOAT32, 5000)));
        other.commit();
        other.commit();
        assertThat(Refill.find(run, new CheckpointStore(others))).isEmpty();
        assertThat(Refill.find(run, new CheckpointStore(new MemoryBlobStore()))).isEmpty();
        Damage.loseRecord(copied.blobs, chain.get(1).number());
        assertThat(Refill.run(run, copy, () -> {})).isEmpty();
    }

    @Test
    void mayBeKilledWhileRecordsComeBack() throws IOException {
        Damage.record(blobs.blobs, chain.get(0).number(), new byte[30]);
        Damage.record(blobs.blobs, chain.get(1).number(), new byte[30]);
        killAtEachOperation(at -> {
            Repair.run(run, () -> {}, Instant.EPOCH);
            assertIsBack();
        });
    }

    private interface Check {
        void after(int operation) throws IOException;
    }

    /// Kills the refill of the present run at each of its operations in turn, and repeats it.
    private void killAtEachOperation(Check check) throws IOException {
        Map<String, byte[]> damaged = Map.copyOf(blobs.blobs);
        int kills = 0;
        for (int at = 1; ; at++) {
            blobs.blobs.clear();
            blobs.blobs.putAll(damaged);
            FaultyBlobStore faulty = FaultyBlobStore.killedAt(blobs, at);
            try {
                Refill.run(new CheckpointStore(faulty), copy, () -> {});
            } catch (IOException killed) {
                kills++;
            }
            if (!faulty.faultHappened()) {
                break;
            }
            Refill.run(run, copy, () -> {});
            check.after(at);
        }
        assertThat(kills).isGreaterThan(3);
    }

    @Test
    void mayBeKilledAtAnyOperationAndRepeated() throws IOException {
        blobs.delete(file(chain.getFirst()));
        blobs.delete(file(chain.get(2)));
        killAtEachOperation(
                at -> assertThat(isWhole()).as("killed at operation %d", at).isTrue());
        assertThat(isWhole()).isTrue();
    }
}
