package dev.cairn.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.GroupMaker.Meeting;
import dev.cairn.engine.group.ProcessGroup;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Groups whose members are threads of this process: libtorch does not care.
class GlooGroupTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int FLOATS = 61_722;

    private final List<ExecutorService> threads = new ArrayList<>();
    private int groups;

    @TempDir
    Path folder;

    private interface Act<T> {
        T by(ProcessGroup group) throws Exception;
    }

    @BeforeAll
    static void load() {
        NativeLibraries.load();
    }

    @AfterEach
    void end() {
        threads.forEach(ExecutorService::shutdown);
    }

    @Test
    void allGetTheSameBitsInEveryGroupOfASize() throws Exception {
        for (int size = 2; size <= 4; size++) {
            List<Integer> first = inGroup(size, group -> sumOfFractions(group));
            assertThat(first).hasSize(size).containsOnly(first.getFirst());
            assertThat(inGroup(size, group -> sumOfFractions(group))).isEqualTo(first);
        }
    }

    private static int sumOfFractions(ProcessGroup group) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment floats = arena.allocate(ValueLayout.JAVA_FLOAT, FLOATS);
            for (int i = 0; i < FLOATS; i++) {
                floats.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) (1.0 / (3 + group.rank() * 7 + i % 1009)));
            }
            group.sumFloats(floats);
            float expected = 0;
            for (int rank = 0; rank < group.size(); rank++) {
                expected += (float) (1.0 / (3 + rank * 7));
            }
            assertThat(floats.getAtIndex(ValueLayout.JAVA_FLOAT, 0)).isCloseTo(expected, Offset.offset(1e-6f));
            return Arrays.hashCode(floats.toArray(ValueLayout.JAVA_FLOAT));
        }
    }

    @Test
    void bytesAndDoublesArriveAsTheyAre() throws Exception {
        List<String> seen = inGroup(3, group -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment bytes = arena.allocate(1000);
                if (group.rank() == 1) {
                    bytes.fill((byte) 77);
                    group.send(bytes, 2);
                    group.send(bytes.asSlice(0, 0), 2); // nothing
                } else if (group.rank() == 2) {
                    group.receive(bytes, 1);
                    group.receive(bytes.asSlice(0, 0), 1);
                }
                MemorySegment doubles = arena.allocateFrom(
                        ValueLayout.JAVA_DOUBLE, group.rank() == 0 ? 1.0 / 3 : 0, group.rank(), 0xFFFF_FFFFL);
                group.sumDoubles(doubles);
                return bytes.get(ValueLayout.JAVA_BYTE, 999) + " "
                        + Arrays.toString(doubles.toArray(ValueLayout.JAVA_DOUBLE));
            }
        });
        String doubles = Arrays.toString(new double[] {1.0 / 3, 3, 3.0 * 0xFFFF_FFFFL});
        assertThat(seen).containsExactly("0 " + doubles, "77 " + doubles, "77 " + doubles);
    }

    @Test
    void whenOneIsGoneAllOthersAreToldAndCanFormAgain() throws Exception {
        List<String> seen = inGroup(3, group -> {
            if (group.rank() == 1) {
                group.close();
                return "gone";
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment floats = arena.allocate(ValueLayout.JAVA_FLOAT, FLOATS);
                assertThatThrownBy(() -> {
                            while (true) {
                                group.sumFloats(floats);
                            }
                        })
                        .isInstanceOf(BrokenGroupException.class);
                assertThatThrownBy(() -> group.sumFloats(floats)).as("closed").isInstanceOf(BrokenGroupException.class);
                return "told";
            }
        });
        assertThat(seen).containsExactly("told", "gone", "told");
        assertThat(inGroup(3, group -> sumOfFractions(group))).hasSize(3);
    }

    /// Each group that is not wholly released would leave a thread and four open files.
    @Test
    void fiftyGroupsLeaveNothingBehind() throws Exception {
        for (int i = 0; i < 5; i++) {
            inGroup(3, group -> sumOfFractions(group));
        }
        long before = count("task") + count("fd");
        for (int i = 0; i < 50; i++) {
            inGroup(3, group -> sumOfFractions(group));
        }
        assertThat(count("task") + count("fd")).isLessThan(before + 50);
    }

    private static long count(String what) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self", what))) {
            return files.count();
        }
    }

    /// Forms a group, on threads that live on, and closes it in the end.
    ///
    /// @return the result of each rank
    private <T> List<T> inGroup(int size, Act<T> act) throws Exception {
        while (threads.size() < size) {
            threads.add(Executors.newSingleThreadExecutor());
        }
        Path file = folder.resolve("group-" + groups++);
        var results = new ArrayList<Future<T>>();
        for (int i = 0; i < size; i++) {
            int rank = i;
            results.add(threads.get(i).submit(() -> {
                try (ProcessGroup group =
                        GlooGroup.form(new Meeting(file, rank, size, "127.0.0.1", PATIENCE, PATIENCE))) {
                    return act.by(group);
                }
            }));
        }
        var all = new ArrayList<T>();
        for (Future<T> each : results) {
            all.add(each.get());
        }
        return all;
    }
}
