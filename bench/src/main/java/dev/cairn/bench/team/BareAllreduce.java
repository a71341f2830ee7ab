package dev.cairn.bench.team;

import dev.cairn.engine.Engine;
import dev.cairn.engine.group.GroupMaker.Meeting;
import dev.cairn.engine.group.ProcessGroup;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;

/// One process of a group that only adds up: prints the nanoseconds of each exchange, after [#MARK].
///
/// Arguments: the file where the group meets, rank, size, floats, rounds.
final class BareAllreduce {
    /// Before each number: the framework writes to standard output too.
    static final String MARK = "nanos ";

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private BareAllreduce() {}

    public static void main(String[] args) {
        var meeting = new Meeting(
                Path.of(args[0]),
                Integer.parseInt(args[1]),
                Integer.parseInt(args[2]),
                "127.0.0.1",
                PATIENCE,
                PATIENCE);
        try (ProcessGroup group = Engine.named("torch").groups().orElseThrow().form(meeting);
                Arena arena = Arena.ofConfined()) {
            MemorySegment floats = arena.allocate(ValueLayout.JAVA_FLOAT, Long.parseLong(args[3]));
            for (int round = 0; round < Integer.parseInt(args[4]); round++) {
                long start = System.nanoTime();
                group.sumFloats(floats);
                System.out.println(MARK + (System.nanoTime() - start));
            }
        }
    }
}
