package dev.cairn.jmh;

import dev.cairn.codec.Crc32c;
import java.util.zip.CRC32;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Checksums of every block.
public class ChecksumBenchmark extends Pass {
    private WorkingSet set;

    @Setup
    public void open() {
        set = WorkingSet.ofWeights(megabytes);
    }

    @TearDown
    public void close() {
        set.close();
    }

    @Benchmark
    public void memcpy() {
        for (int block = 0; block < set.blocks(); block++) {
            set.reference(block).copyFrom(set.live(block));
        }
    }

    /// What Cairn takes of everything it writes.
    @Benchmark
    public int crc32c() {
        int all = 0;
        for (int block = 0; block < set.blocks(); block++) {
            all ^= Crc32c.of(set.live(block));
        }
        return all;
    }

    @Benchmark
    public int crc32() {
        int all = 0;
        for (int block = 0; block < set.blocks(); block++) {
            var crc = new CRC32();
            crc.update(set.live(block).asByteBuffer());
            all ^= (int) crc.getValue();
        }
        return all;
    }
}
