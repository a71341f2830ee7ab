package dev.cairn.jmh;

import dev.cairn.codec.CorruptBlockException;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Whole blocks.
public class CodecBenchmark extends Pass {
    /// What the time was spent for.
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Size {
        public long values;
        public long encodedBytes;
    }

    @Param
    public Contender codec = Contender.MEMCPY;

    private Coder coder;
    private byte[][] frames;

    @Setup
    public void open() {
        coder = codec.open(megabytes);
        frames = coder.encodeAll();
    }

    /// A pass takes milliseconds and more, so JMH's own clock readings around this are nothing.
    @Setup(Level.Invocation)
    public void reset() {
        coder.reset();
    }

    @TearDown
    public void close() {
        coder.close();
    }

    @Benchmark
    public void encode(Size size) {
        for (int block = 0; block < frames.length; block++) {
            size.encodedBytes += coder.encode(block);
            size.values += WorkingSet.blockBytes() / Float.BYTES;
        }
    }

    @Benchmark
    public void decode() throws CorruptBlockException {
        for (int block = 0; block < frames.length; block++) {
            coder.decode(block, frames[block]);
        }
    }
}
