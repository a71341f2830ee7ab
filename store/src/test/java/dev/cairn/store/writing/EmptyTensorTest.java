package dev.cairn.store.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.repair.Repair;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A tensor without elements has no blocks, and its record gives the place where the next tensor starts. Names decide
/// the order in which tensors are checked, so many names are tried.
class EmptyTensorTest {
    private final Random random = new Random(11);

    private final MemoryBlobStore blobs = new MemoryBlobStore();
    private final CheckpointStore store = new CheckpointStore(blobs);

    /// @param order a letter for each tensor; a capital for an empty one
    @ParameterizedTest
    @ValueSource(strings = {"Za", "Zaa", "aZ", "ABa", "aABb", "aBCDb", "AaBbC", "abAB", "ABCaDEFbGHI"})
    void standsBesideOthersWhateverTheirNames(String order) throws IOException {
        for (int names = 0; names < 30; names++) {
            blobs.blobs.clear();
            List<TensorSpec> specs = specs(order);
            var chain = new ChainSamples(blobs, specs);
            Commit base = chain.commit();
            Commit delta = chain.commit();
            Commit last = chain.commit();
            assertSound(specs);
            StoreVerifier.verify(store, last, Depth.FULL);
            assertThat(Repair.plan(store).isNothing()).isTrue();
            Commit merged = new Merger(store, CheckpointWriter.open(store, () -> {}))
                    .merge(last)
                    .orElseThrow();
            assertThat(merged.digest()).isEqualTo(last.digest());
            assertThat(List.of(base.digest(), delta.digest())).doesNotContain(last.digest());
            Commit alone = new Merger(store, CheckpointWriter.open(store, () -> {}))
                    .standAlone(store.history().chain(delta));
            assertThat(alone.digest()).isEqualTo(delta.digest());
            assertSound(specs);
        }
    }

    private void assertSound(List<TensorSpec> specs) throws IOException {
        for (Depth depth : Depth.values()) {
            assertThat(StoreVerifier.verify(store, depth, _ -> {}).damaged())
                    .as("%s", specs)
                    .isEmpty();
        }
    }

    private List<TensorSpec> specs(String order) {
        var specs = new ArrayList<TensorSpec>();
        for (int i = 0; i < order.length(); i++) {
            char each = order.charAt(i);
            String name = each + Integer.toString(random.nextInt(36 * 36 * 36), 36);
            long elements = Character.isUpperCase(each) ? 0 : 1 + random.nextInt(400);
            specs.add(ChainSamples.weights(name + i, ElementType.FLOAT32, elements));
        }
        return specs;
    }
}
