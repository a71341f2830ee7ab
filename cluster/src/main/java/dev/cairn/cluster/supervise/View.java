package dev.cairn.cluster.supervise;

import dev.cairn.cluster.job.JobProcess;
import java.util.List;
import java.util.OptionalLong;

/// Shows people what a team does. Called on several threads.
public interface View {
    /// A member has written a line.
    ///
    /// @param label names the member: `w0` for a worker of rank 0, `s3` for the spare process of number 3
    void memberSaid(String label, String line);

    /// Something that the supervisor has to tell.
    void note(String line);

    /// The progress of the training; replaces the text before.
    void progress(String text);

    /// The processes of the job, whenever one of them has changed, and every second.
    default void processes(List<JobProcess> now) {}

    /// A worker was found dead.
    default void died(int rank) {}

    /// A group is about to form. What this does is done before its members hear of it.
    ///
    /// @return the step of the checkpoint to which all go back first; empty if they go on from where they are
    default OptionalLong beforeForming() {
        return OptionalLong.empty();
    }

    /// A group forms.
    ///
    /// @param step the last finished step
    /// @param workers the number of its members
    default void forms(long step, int workers) {}

    /// The leader has finished a step. Told only if the members were started to say so.
    default void stepMade(String line) {}
}
