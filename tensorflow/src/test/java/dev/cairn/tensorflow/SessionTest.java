package dev.cairn.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;

import dev.cairn.engine.Architectures;
import dev.cairn.engine.Batch;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Update;
import dev.cairn.store.Role;
import dev.cairn.tensorflow.model.Variables;
import dev.cairn.tensorflow.model.Variables.Variable;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.NativeLibraries;
import dev.cairn.tensorflow.runtime.NativeTensors;
import dev.cairn.tensorflow.runtime.Session;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.internal.c_api.TF_Tensor;

/// The resources that a session takes from the process, and the ownership of its memory.
class SessionTest {
    private static final int COUNT = 1000;

    /// What a second reader got from the session must not change: TensorFlow copies before it writes.
    @Test
    void aFetchedVariableIsASnapshot() {
        NativeLibraries.load();
        var graph = new GraphBuilder();
        Variable variable = new Variables(graph).declare("w", List.of((long) COUNT), Role.WEIGHT);
        var delta = graph.placeholder(TF_FLOAT, COUNT);
        var update = graph.node("ResourceApplyGradientDescent")
                .in(variable.handle())
                .in(graph.constant(1.0))
                .in(delta)
                .operation();
        try (Session session = new Session(graph, 1)) {
            var live = new LiveVariables(session, List.of(variable));
            live.initialize(_ -> new float[COUNT]);
            var shown = live.show().getFirst();
            float[] ones = new float[COUNT];
            Arrays.fill(ones, 1);
            TF_Tensor tensor = NativeTensors.allocate(TF_FLOAT, 4L * COUNT, COUNT);
            NativeTensors.memory(tensor).copyFrom(MemorySegment.ofArray(ones));
            session.call(List.of(delta), List.of(), List.of(update)).run(List.of(tensor));
            NativeTensors.delete(tensor);
            assertThat(shown.memory().toArray(ValueLayout.JAVA_FLOAT)).containsOnly(0);
            live.release();
            assertThat(live.show().getFirst().memory().toArray(ValueLayout.JAVA_FLOAT))
                    .containsOnly(-1);
            live.release();
        }
    }

    @Test
    void eachLearnerHasThreadsOfItsOwn() throws IOException {
        int started = OwnThreads.startedByALearnerWith(16);
        assertThat(started).isGreaterThanOrEqualTo(15);
    }

    /// There JavaCPP loads the libraries in another order.
    @Test
    void alsoInTheProcessThatUnpacksTensorFlow(@TempDir Path cache) throws IOException {
        String started = Command.java(List.of("--enable-native-access=ALL-UNNAMED"), OwnThreads.class, "16")
                .withVariable("XDG_CACHE_HOME", cache.toString())
                .succeed();
        assertThat(Integer.parseInt(started.strip())).isGreaterThanOrEqualTo(15);
    }

    @Test
    void memoryDoesNotGrowWithTheNumberOfSteps() throws Throwable {
        Model regression = Architectures.fullyConnected(List.of(784, 10));
        Batch batch = Batches.of(regression, 100, 1);
        try (LocalLearner learner = new TensorFlowEngine().learner(regression, OptimizerSpec.of("adam"), 7, 1)) {
            train(learner, batch, 1, 500);
            long before = allocatedBytes();
            train(learner, batch, 500, 3500);
            // The gradients of a step are 31 kB. It would be 94 MB if they were not freed. Java's compilers allocate,
            // too.
            assertThat(allocatedBytes() - before).isLessThan(20_000_000);
        }
    }

    private static void train(LocalLearner learner, Batch batch, int from, int to) {
        for (int step = from; step < to; step++) {
            learner.step(batch, new Update(step, 1e-4));
            if (step % 10 == 0) {
                learner.tensors();
                learner.tensors();
                learner.evaluate(batch);
            }
        }
    }

    /// The memory that native code has allocated and not freed, as glibc counts it. Java's heap is not part of
    /// it.
    private static long allocatedBytes() throws Throwable {
        Linker linker = Linker.nativeLinker();
        var result = MemoryLayout.structLayout(MemoryLayout.sequenceLayout(10, ValueLayout.JAVA_LONG));
        MemorySegment function = linker.defaultLookup().findOrThrow("mallinfo2");
        try (Arena arena = Arena.ofConfined()) {
            var counts = (MemorySegment) linker.downcallHandle(function, FunctionDescriptor.of(result))
                    .invokeExact((SegmentAllocator) arena);
            long mapped = counts.getAtIndex(ValueLayout.JAVA_LONG, 4);
            long used = counts.getAtIndex(ValueLayout.JAVA_LONG, 7);
            return mapped + used;
        }
    }
}
