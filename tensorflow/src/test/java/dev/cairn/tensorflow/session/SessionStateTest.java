package dev.cairn.tensorflow.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Session;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Variable;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.family.TType;

class SessionStateTest {
    @TempDir
    Path folder;

    /// A session with a variable of each kind. Each step changes all of them.
    private static final class Counting implements AutoCloseable {
        final Graph graph = new Graph();
        final Session session = new Session(graph);
        final Op step;

        Counting() {
            Ops tf = Ops.create(graph);
            Variable<TFloat32> weights = tf.withName("weights").variable(tf.constant(new float[][] {{1, 2}, {3, 4}}));
            Variable<TInt64> count = tf.withName("count").variable(tf.constant(0L));
            Operand<? extends TType> handle = tf.withName("resource").varHandleOp(TFloat32.class, Shape.of(3));
            session.runner()
                    .addTarget(tf.assignVariableOp(handle, tf.constant(new float[] {5, 6, 7})))
                    .run();
            this.step = tf.withControlDependencies(List.of(
                            tf.assign(weights, tf.math.mul(weights, tf.constant(1.5f))),
                            tf.assignAdd(count, tf.constant(1L)),
                            tf.assignAddVariableOp(handle, tf.constant(new float[] {1, 1, 1}))))
                    .noOp();
        }

        void steps(int count) {
            for (int i = 0; i < count; i++) {
                session.runner().addTarget(step).run().close();
            }
        }

        @Override
        public void close() {
            session.close();
            graph.close();
        }
    }

    @Test
    void aRestoredSessionGoesOnInTheSameBits() throws IOException {
        List<byte[]> expected;
        try (var undisturbed = new Counting();
                Checkpoints checkpoints = Checkpoints.open(folder, CheckpointOptions.defaults())) {
            SessionState state = SessionState.of(undisturbed.session);
            undisturbed.steps(3);
            state.put(Attributes.empty().with("epoch", 7));
            checkpoints.saveNow(3, state);
            undisturbed.steps(2);
            expected = bytes(state);
        }
        try (var resumed = new Counting();
                Checkpoints checkpoints = Checkpoints.open(folder, CheckpointOptions.defaults())) {
            SessionState state = SessionState.of(resumed.session);
            assertThat(checkpoints.restoreLatest(state).orElseThrow().step()).isEqualTo(3);
            assertThat(state.attributes().integer("epoch")).contains(7L);
            resumed.steps(2);
            assertThat(bytes(state)).usingRecursiveComparison().isEqualTo(expected);
        }
    }

    @Test
    void variablesOfBothKindsHaveTheirNamesTypesAndShapes() {
        try (var counting = new Counting()) {
            assertThat(SessionState.of(counting.session).tensors())
                    .extracting(tensor -> tensor.spec().toString())
                    .containsExactlyInAnyOrder("weights float32[2, 2]", "count int64[]", "resource float32[3]");
        }
    }

    @Test
    void whatIsShownIsNotChangedByTheNextStep() {
        try (var counting = new Counting()) {
            SessionState state = SessionState.of(counting.session, Map.of("weights", Role.FIRST_MOMENT));
            LiveTensor shown = state.tensors().getFirst();
            counting.steps(4);
            assertThat(shown.memory().toArray(ValueLayout.JAVA_FLOAT)).containsExactly(1, 2, 3, 4);
            assertThat(shown.spec().role()).isEqualTo(Role.FIRST_MOMENT);
            assertThat(shown.spec().type()).isEqualTo(ElementType.FLOAT32);
        }
    }

    @Test
    void refusesWhatItCannotRestore() {
        try (var graph = new Graph();
                var session = new Session(graph)) {
            assertThatThrownBy(() -> SessionState.of(session)).hasMessageContaining("no variables");
            Ops tf = Ops.create(graph);
            tf.withName("open").varHandleOp(TFloat32.class, Shape.of(Shape.UNKNOWN_SIZE, 3));
            assertThatThrownBy(() -> SessionState.of(session)).hasMessageContaining("name=open shape=[-1, 3]");
            tf.withName("constant").constant(1f);
            assertThatThrownBy(() -> SessionState.of(session, Map.of("constant", Role.WEIGHT)))
                    .hasMessageContaining("not a variable: name=constant operation=Const");
        }
    }

    private static List<byte[]> bytes(SessionState state) {
        return state.tensors().stream()
                .map(tensor -> tensor.memory().toArray(ValueLayout.JAVA_BYTE))
                .toList();
    }
}
