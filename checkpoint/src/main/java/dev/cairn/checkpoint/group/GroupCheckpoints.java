package dev.cairn.checkpoint.group;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.Crc32c;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.log.AttributeJson;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;

/// Saves the checkpoints of a training by several processes, and resumes it from them.
///
/// ```java
/// try (GroupCheckpoints checkpoints = GroupCheckpoints.open(run, options, group)) {
///     long step = checkpoints.resume(state);
///     while (step < steps && !stops) {
///         // … the gradients of this process's share, added up over all …
///         checkpoints.beforeUpdate();
///         // … the optimizer changes the state …
///         stops = checkpoints.afterStep(++step, state, wasNoticed);
///     }
///     checkpoints.saveNow(step, state);
/// }
/// ```
///
/// All processes have the same state after each step, and make the same calls. Rank 0 opens the run, saves and
/// restores; the others get the state from it. So a run can be continued by another number of processes, or by one
/// with [Checkpoints]. Before each save the checksums of all states are compared: what is not the same everywhere is
/// never saved.
///
/// If a process dies, the next call or exchange of the others fails. Let them end, and start all again.
public final class GroupCheckpoints implements AutoCloseable {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .build();

    private final Group group;
    /// Empty if another process saves.
    private final Optional<Checkpoints> own;

    private GroupCheckpoints(Group group, Optional<Checkpoints> own) {
        this.group = group;
        this.own = own;
    }

    /// Opens the run on rank 0, as [Checkpoints#open(RunLocation, CheckpointOptions)] does. The others do not need to
    /// reach it.
    public static GroupCheckpoints open(RunLocation run, CheckpointOptions options, Group group) throws IOException {
        return new GroupCheckpoints(
                group, group.rank() == 0 ? Optional.of(Checkpoints.open(run, options)) : Optional.empty());
    }

    /// Gives all processes the newest checkpoint that verifies. If there is none, all get the state of rank 0, so
    /// they begin alike.
    ///
    /// @return the step to continue from; 0 for a new run
    /// @throws IllegalStateException if the processes have different tensors
    public long resume(TrainingState state) throws IOException {
        long step = own.isPresent() ? own.get().resume(state) : 0;
        if (group.size() == 1) {
            return step;
        }
        requireSameTensors(state);
        byte[] attributes = JSON.writeValueAsString(
                        AttributeJson.write(state.attributes().asMap()))
                .getBytes(UTF_8);
        double[] header = own.isPresent() ? new double[] {step, attributes.length} : new double[2];
        group.sum(header);
        for (LiveTensor tensor : state.tensors()) {
            group.broadcast(tensor.memory());
        }
        MemorySegment text = MemorySegment.ofArray(own.isPresent() ? attributes : new byte[(int) header[1]]);
        group.broadcast(text);
        if (own.isEmpty()) {
            state.restored((long) header[0], AttributeJson.read(JSON.readTree(text.toArray(ValueLayout.JAVA_BYTE))));
        }
        return (long) header[0];
    }

    private void requireSameTensors(TrainingState state) {
        // As text: hash codes of enums differ from process to process.
        String specs = state.tensors().stream().map(LiveTensor::spec).toList().toString();
        long mine = Integer.toUnsignedLong(Crc32c.of(specs.getBytes(UTF_8)));
        if (!oddOnes(mine).isEmpty()) {
            throw new IllegalStateException(
                    "the processes have different tensors; start the same program with the same model everywhere");
        }
    }

    /// Announces that the optimizer is about to change the state, as [Checkpoints#beforeUpdate] does.
    public void beforeUpdate() {
        own.ifPresent(Checkpoints::beforeUpdate);
    }

    /// Saves if the policy asks for it. Costs one exchange of two numbers for each step.
    ///
    /// @param wantsToStop whether this process must stop, such as after a notice
    /// @return whether any process must stop: then all save and end
    /// @throws StatesDifferException if a save is due and the states differ
    public boolean afterStep(long step, TrainingState state, boolean wantsToStop) throws IOException {
        boolean due = own.isPresent() && own.get().isSaveDue(step);
        double[] wishes = {due ? 1 : 0, wantsToStop ? 1 : 0};
        group.sum(wishes);
        if (wishes[0] > 0) {
            agree(step, state);
        }
        if (own.isPresent()) {
            own.get().afterStep(step, state, wishes[0] > 0);
        }
        return wishes[1] > 0;
    }

    /// Saves this step now, bit for bit, and waits until it is committed or has failed.
    ///
    /// @return whether it is saved; the same on all processes
    /// @throws StatesDifferException if the states differ
    public boolean saveNow(long step, TrainingState state) throws IOException {
        agree(step, state);
        double[] saved = {own.isPresent() && own.get().saveNow(step, state).isSaved() ? 1 : 0};
        group.sum(saved);
        return saved[0] > 0;
    }

    private void agree(long step, TrainingState state) {
        List<Integer> odd = oddOnes(StateSum.of(step, state));
        if (!odd.isEmpty()) {
            throw new StatesDifferException(step, odd, group.size());
        }
    }

    /// The ranks whose number differs from that of the majority.
    private List<Integer> oddOnes(long mine) {
        double[] halves = new double[2 * group.size()];
        halves[2 * group.rank()] = mine >>> Integer.SIZE;
        halves[2 * group.rank() + 1] = mine & 0xFFFF_FFFFL;
        group.sum(halves);
        long[] all = new long[group.size()];
        for (int rank = 0; rank < all.length; rank++) {
            all[rank] = (long) halves[2 * rank] << Integer.SIZE | (long) halves[2 * rank + 1];
        }
        return Majority.oddOnes(all);
    }

    /// Waits for a running save and gives up the run.
    @Override
    public void close() throws IOException {
        if (own.isPresent()) {
            own.get().close();
        }
    }
}
