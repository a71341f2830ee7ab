package dev.cairn.tensorflow.session;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.tensorflow.runtime.NativeLibraries;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.tensorflow.GraphOperation;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.buffer.ByteDataBuffer;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.op.Scope;

/// The variables of a user's own TensorFlow-Java session, under their names in the graph, and what [#put] adds. The
/// variables include weights, slots of optimizers and counters, as resource variables or variables of the older kind.
///
/// ```java
/// SessionState state = SessionState.of(session); // when the graph is complete
/// long step = checkpoints.restoreLatest(state).map(Checkpoint::step).orElse(0L);
/// while (step < steps) {
///     // … session.runner() … run() …
///     checkpoints.afterStep(++step, state);
/// }
/// ```
/// Variables must be initialized before they are saved or restored, and no initializer may run after that. TensorFlow
/// does not expose the state of its random operations. Use the stateless ones, with a seed that is derived from the
/// step.
///
/// A fetched variable is the live one, which the next step changes. Therefore each save copies all variables into
/// memory that is kept. The graph gets a placeholder and one or two operations for each variable. Use this on the
/// training thread.
public final class SessionState implements TrainingState {
    private static final String SCOPE = "cairn";
    private static final long LARGEST_PIECE = 1 << 30;

    private final Session session;
    private final List<SessionVariable> variables;
    private final List<LiveTensor> copies = new ArrayList<>();
    private Attributes attributes = Attributes.empty();

    private SessionState(Session session, List<SessionVariable> variables) {
        this.session = session;
        this.variables = List.copyOf(variables);
        for (SessionVariable variable : variables) {
            TensorSpec spec = variable.spec();
            copies.add(new LiveTensor(spec, Arena.ofAuto().allocate(spec.sizeBytes(), Long.BYTES)));
        }
    }

    /// Loads TensorFlow before anything else does. Programs that may be killed in their first seconds need this:
    /// JavaCPP unpacks TensorFlow on first use, and a kill at that time leaves an incomplete library that crashes
    /// every later start. This method unpacks TensorFlow once, into a separate folder, and repeats that after a
    /// kill.
    public static void loadLibraries() {
        NativeLibraries.unpack();
    }

    /// The state of all variables that the graph has now. Floating-point variables have the role of weights,
    /// others that of optimizer state.
    ///
    /// @throws IllegalArgumentException if there are no variables, or if one has no shape or holds text
    public static SessionState of(Session session) {
        var all = new LinkedHashMap<GraphOperation, Role>();
        for (GraphOperation operation : SessionVariable.find(session)) {
            boolean floating = SessionVariable.Kind.of(
                            operation.name(), operation.attributes().getAttrType("dtype"))
                    .element()
                    .isFloating();
            all.put(operation, floating ? Role.WEIGHT : Role.OPTIMIZER);
        }
        return of(session, all);
    }

    /// The state of these variables, each with its role in the training, which lossy codecs and exports use.
    ///
    /// @param roles roles by the names of the variables in the graph
    public static SessionState of(Session session, Map<String, Role> roles) {
        var chosen = new LinkedHashMap<GraphOperation, Role>();
        roles.forEach((name, role) -> chosen.put(session.graph().operationOrThrow(name), role));
        return of(session, chosen);
    }

    private static SessionState of(Session session, SequencedMap<GraphOperation, Role> chosen) {
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException(
                    "the graph has no variables; complete the graph before you create its state");
        }
        Scope scope = session.graph().baseScope().withSubScope(SCOPE);
        var variables = new ArrayList<SessionVariable>();
        chosen.forEach((operation, role) -> variables.add(SessionVariable.of(operation, role, scope)));
        return new SessionState(session, variables);
    }

    /// Adds attributes to every later checkpoint, such as epoch, position in the data and metrics. After a
    /// restore, [#attributes] contains them again.
    public void put(Attributes more) {
        attributes = attributes.with(more);
    }

    @Override
    public List<LiveTensor> tensors() {
        Session.Runner runner = session.runner();
        variables.forEach(variable -> runner.fetch(variable.value()));
        try (Result fetched = runner.run()) {
            for (int i = 0; i < variables.size(); i++) {
                copy(fetched.get(i).asRawTensor().data(), copies.get(i).memory(), Direction.OUT);
            }
        }
        return copies;
    }

    @Override
    public Attributes attributes() {
        return attributes;
    }

    @Override
    public void restored(long step, Attributes restored) {
        var fed = new ArrayList<Tensor>();
        try {
            Session.Runner runner = session.runner();
            for (int i = 0; i < variables.size(); i++) {
                SessionVariable variable = variables.get(i);
                Tensor tensor = Tensor.of(variable.kind().type(), variable.shape());
                fed.add(tensor);
                copy(tensor.asRawTensor().data(), copies.get(i).memory(), Direction.IN);
                runner.feed(variable.fed(), tensor).addTarget(variable.assignment());
            }
            runner.run().close();
        } finally {
            fed.forEach(Tensor::close);
        }
        attributes = restored;
    }

    private enum Direction {
        /// From TensorFlow.
        OUT,
        /// To TensorFlow.
        IN
    }

    private static void copy(ByteDataBuffer theirs, MemorySegment ours, Direction direction) {
        for (long at = 0; at < ours.byteSize(); at += LARGEST_PIECE) {
            long size = Math.min(LARGEST_PIECE, ours.byteSize() - at);
            ByteDataBuffer piece = DataBuffers.of(ours.asSlice(at, size).asByteBuffer());
            ByteDataBuffer theirPiece = theirs.slice(at, size);
            switch (direction) {
                case OUT -> theirPiece.copyTo(piece, size);
                case IN -> piece.copyTo(theirPiece, size);
            }
        }
    }
}
