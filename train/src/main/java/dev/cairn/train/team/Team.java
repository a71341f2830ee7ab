package dev.cairn.train.team;

import dev.cairn.engine.group.GradientExchange;
import dev.cairn.store.right.Generation;
import dev.cairn.train.batch.Share;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// The processes that train a run together, as one of them sees it. All of them make the same calls in the same order,
/// and so the same decisions. A call that exchanges something throws `BrokenGroupException` if another process is gone.
/// Then [#form] makes the team complete again, and the step that was interrupted is made again.
///
/// One of the processes, that of rank 0, is the leader: it alone saves.
public interface Team {
    /// This process's share of the work. Known after [#form], which may change it.
    Share share();

    /// Waits until the team is complete, or goes on with those that are there. Then gives the most advanced state among
    /// its processes to those that are
    /// behind.
    ///
    /// @throws TeamLostException if the team will never be complete again
    void form(Replica replica) throws IOException;

    /// The group that [#form] has formed, which the leader takes the run for. Empty if the processes cannot be
    /// cut apart, because all are on one host.
    default Optional<Generation> generation() {
        return Optional.empty();
    }

    /// The exchange of one step. It also carries what each process wants.
    ///
    /// @param step the number of the step
    /// @param examples the number of examples in the share of this process
    /// @param wantsSave whether this process wants the state after the step to be saved; only the leader is asked
    GradientExchange exchange(long step, int examples, boolean wantsSave);

    /// What a process may wait for on its own.
    enum Cause {
        /// The examples of the next step.
        DATA,
        /// A save that is being made.
        SAVE
    }

    /// Notes that this process has waited, so that it can be told why it is slower than the others.
    default void waited(Cause cause, Duration time) {}

    /// Whether all processes stop after the step of the last exchange, because one of them got a notice.
    boolean stops();

    /// Whether the state after the step of the last exchange is saved.
    boolean saves();

    /// Whether the team forms again after the step of the last exchange, because more processes are ready. The
    /// processes then call [#form].
    boolean regroups();

    /// Returns the leader's decision to all processes.
    boolean decide(boolean leaders);

    /// Returns if all processes have the same state. Otherwise reports the odd ones and throws
    /// `BrokenGroupException`: nothing may be saved.
    void agree(Replica replica);

    /// Replaces each number by its sum over all processes.
    void addUp(double[] parts);

    /// Announces that this process has nothing more to do. If it is not the leader, waits until the leader has ended.
    void finish() throws IOException;
}
