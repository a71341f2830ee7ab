package dev.cairn.engine.server;

import dev.cairn.engine.Score;
import dev.cairn.engine.Scorer;
import dev.cairn.engine.StateOwner;
import dev.cairn.engine.Update;
import dev.cairn.engine.group.BrokenGroupException;
import java.util.List;

/// The process that owns the variables, and makes the updates. Only the update of [#step] changes them. So the
/// state is whole at any other moment, whatever happens to the workers.
public interface ParameterServer extends Scorer, StateOwner {
    /// Where workers find it.
    String address();

    /// Begins to work with these workers. Nothing that the workers of an earlier generation have sent is used any
    /// more.
    ///
    /// @param servers where all servers are; this one comes first
    void begin(Generation generation, List<String> servers);

    /// Ends the generation of this number, from any thread, even before it has begun: whoever waits for it, in any
    /// process, gets a [BrokenGroupException].
    void abandon(long generation);

    /// Lets the workers compute the gradients for this task, and makes one update with them.
    ///
    /// If all are waited for, they are added up in the order of the workers. So the result has the same
    /// bits, whenever they come.
    ///
    /// @param beforeUpdate called before the variables change
    /// @throws BrokenGroupException if the generation was ended; nothing of the state has changed
    Made step(Task task, Update update, Runnable beforeUpdate);

    /// Gives a task to one worker, if each gradient makes an update of its own. The worker must have none.
    void give(int worker, Task task);

    /// Lets workers know how many updates the weights have that they get. [#take] counts on from there.
    default void counted(long updates) {}

    /// Waits for the next gradient of any worker, and makes an update with it.
    ///
    /// @param beforeUpdate called before the variables change
    /// @throws BrokenGroupException if the generation was ended; nothing of the state has changed
    Taken take(Update update, Runnable beforeUpdate);

    /// An update with the gradient of one worker.
    ///
    /// @param loss the mean loss of its examples
    /// @param score its score of the test split; [Score#NONE] if it was not asked for
    record Taken(int worker, float loss, int examples, Score score) {}

    /// A step that was made.
    ///
    /// @param loss the mean loss of the examples whose gradients were used, before the step
    /// @param examples the number of these examples
    /// @param stale the number of gradients that came too late for their step, and were dropped
    record Made(float loss, int examples, int stale) {}
}
