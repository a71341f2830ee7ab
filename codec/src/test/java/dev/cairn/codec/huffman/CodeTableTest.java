package dev.cairn.codec.huffman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.CorruptBlockException;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CodeTableTest {
    private static int[] counts(Corpus corpus, int count, long seed) {
        var histogram = new Histogram();
        histogram.countAll(corpus.bytes(count, seed), 0, count);
        return histogram.counts().clone();
    }

    private static int[] randomCounts(long seed) {
        var random = new SplittableRandom(seed);
        int[] counts = new int[256];
        int used = 1 + random.nextInt(256);
        double skew = random.nextDouble() * 12;
        for (int i = 0; i < used; i++) {
            counts[random.nextInt(256)] += 1 + (int) Math.exp(skew * random.nextDouble());
        }
        return counts;
    }

    private static long huffmanCost(int[] counts) {
        var queue = new PriorityQueue<Long>();
        Arrays.stream(counts).filter(c -> c > 0).forEach(c -> queue.add((long) c));
        long cost = 0;
        while (queue.size() > 1) {
            long merged = queue.remove() + queue.remove();
            cost += merged;
            queue.add(merged);
        }
        return cost;
    }

    private static int longest(CodeTable table) {
        int longest = 0;
        for (int s = 0; s < 256; s++) {
            longest = Math.max(longest, table.codeBits(s));
        }
        return longest;
    }

    @Test
    void everyCountedSymbolHasACodeWithinTheLimitAndTheCodeIsComplete() {
        for (long seed = 0; seed < 500; seed++) {
            int[] counts = randomCounts(seed);
            var table = CodeTable.of(counts);
            double kraft = 0;
            for (int s = 0; s < 256; s++) {
                assertThat(table.hasCode(s)).as("seed=%d symbol=%d", seed, s).isEqualTo(counts[s] > 0);
                assertThat(table.codeBits(s)).as("seed=%d", seed).isBetween(0, CodeTable.MAX_BITS);
                kraft += table.hasCode(s) ? Math.scalb(1.0, -table.codeBits(s)) : 0;
            }
            assertThat(kraft).as("seed=%d", seed).isEqualTo(1.0);
        }
    }

    @Test
    void costsWhatHuffmansAlgorithmGivesWhereTheLimitDoesNotBind() {
        int compared = 0;
        for (long seed = 0; seed < 500; seed++) {
            int[] counts = randomCounts(seed);
            var table = CodeTable.of(counts);
            assertThat(table.costBits(counts)).as("seed=%d", seed).isGreaterThanOrEqualTo(huffmanCost(counts));
            if (longest(table) < CodeTable.MAX_BITS) {
                assertThat(table.costBits(counts)).as("seed=%d", seed).isEqualTo(huffmanCost(counts));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(50);
    }

    @Test
    void limitCostsLittleOnSkewedData() {
        int[] counts = counts(Corpus.ID_PAIRS, 32768, 1);
        assertThat(CodeTable.of(counts).costBits(counts)).isLessThan(huffmanCost(counts) * 101 / 100);
    }

    @Test
    void singleSymbolCostsNothing() {
        int[] counts = new int[256];
        counts[77] = 12345;
        var table = CodeTable.of(counts);
        assertThat(table).isEqualTo(CodeTable.ofSingle(77));
        assertThat(table.costBits(counts)).isZero();
        assertThat(table.toBytes()).hasSize(2);
    }

    @Test
    void rareSymbolsAreLeftToPatches() {
        int[] counts = new int[256];
        Arrays.fill(counts, 1);
        counts[0] = 1_000_000;
        counts[1] = 500_000;
        counts[2] = 500_000;
        var table = CodeTable.ofFrequent(counts);
        assertThat(table.usedSymbols()).isEqualTo(3);
        assertThat(table.costBits(counts)).isLessThan(CodeTable.of(counts).costBits(counts));
    }

    @ParameterizedTest
    @EnumSource
    void bytesGiveTheSameTableBack(Corpus corpus) throws CorruptBlockException {
        for (int count : Corpus.COUNTS) {
            var table = CodeTable.of(counts(corpus, count, count));
            byte[] bytes = table.toBytes();
            var parsed = CodeTable.parse(bytes, 0, bytes.length);
            assertThat(parsed).as("count=%d", count).isEqualTo(table).hasSameHashCodeAs(table);
            assertThat(parsed.id()).isEqualTo(table.id());
        }
    }

    @Test
    void bytesGiveTheSameTableBackForRandomCounts() throws CorruptBlockException {
        for (long seed = 0; seed < 500; seed++) {
            var table = CodeTable.of(randomCounts(seed));
            byte[] bytes = new byte[200];
            byte[] own = table.toBytes();
            System.arraycopy(own, 0, bytes, 5, own.length);
            assertThat(CodeTable.parse(bytes, 5, 5 + own.length))
                    .as("seed=%d", seed)
                    .isEqualTo(table);
        }
    }

    @Test
    void skewedTablesAreSmall() {
        for (long seed = 0; seed < 20; seed++) {
            var pairs = CodeTable.ofFrequent(counts(Corpus.ID_PAIRS, 32768, seed));
            assertThat(pairs.toBytes()).as("seed=%d %s", seed, pairs).hasSizeLessThan(50);
            var exponents = CodeTable.of(counts(Corpus.EXPONENTS, 32768, seed));
            assertThat(exponents.toBytes()).as("seed=%d %s", seed, exponents).hasSizeLessThan(20);
        }
        int[] equal = new int[256];
        Arrays.fill(equal, 9);
        assertThat(CodeTable.of(equal).toBytes()).hasSizeLessThan(20);
        assertThat(CodeTable.of(counts(Corpus.TWO_SYMBOLS, 1000, 1)).toBytes()).hasSizeLessThan(12);
    }

    @Test
    void noTableTakesMoreThanItsPlainForm() throws CorruptBlockException {
        int[] wild = new int[256];
        for (long seed = 0; seed < 200; seed++) {
            var random = new SplittableRandom(seed);
            for (int s = 0; s < 256; s++) {
                wild[s] = 1 << random.nextInt(20);
            }
            var table = CodeTable.of(wild);
            byte[] bytes = table.toBytes();
            assertThat(bytes).as("seed=%d", seed).hasSizeLessThanOrEqualTo(129);
            assertThat(CodeTable.parse(bytes, 0, bytes.length))
                    .as("seed=%d", seed)
                    .isEqualTo(table);
        }
    }

    @Test
    void anyDamageIsRefusedOrGivesAnotherTableInItsOwnForm() {
        for (Corpus corpus : Corpus.values()) {
            byte[] bytes = CodeTable.of(counts(corpus, 4099, 3)).toBytes();
            for (int length = 0; length < bytes.length; length++) {
                refusesOrReproduces(Arrays.copyOf(bytes, length));
            }
            for (int bit = 0; bit < 8 * bytes.length; bit++) {
                byte[] damaged = bytes.clone();
                damaged[bit / 8] ^= (byte) (1 << (bit % 8));
                refusesOrReproduces(damaged);
            }
            refusesOrReproduces(Arrays.copyOf(bytes, bytes.length + 1));
        }
        var random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] garbage = new byte[random.nextInt(40)];
            random.nextBytes(garbage);
            refusesOrReproduces(garbage);
        }
    }

    private static void refusesOrReproduces(byte[] bytes) {
        try {
            assertThat(CodeTable.parse(bytes, 0, bytes.length).toBytes()).isEqualTo(bytes);
        } catch (CorruptBlockException expected) {
            assertThat(expected).hasMessageContaining("offset");
        }
    }

    @Test
    void refusesIncompleteAndOverlongCodes() {
        byte[] lengths = new byte[256];
        lengths[1] = 1;
        lengths[2] = 2;
        assertThatThrownBy(() -> CodeTable.ofLengths(lengths, 0)).isInstanceOf(CorruptBlockException.class);
        lengths[3] = 12;
        assertThatThrownBy(() -> CodeTable.ofLengths(lengths, 0)).hasMessageContaining("limit=11");
    }

    @Test
    void idNeverChanges() {
        assertThat(CodeTable.ofSingle(0).id()).isEqualTo(1824158783856882468L);
    }
}
