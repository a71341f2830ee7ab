package dev.cairn.train.steps;

import dev.cairn.engine.Score;
import dev.cairn.engine.group.Traffic;
import dev.cairn.engine.server.Generation;
import dev.cairn.train.team.TeamLostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/// Where the processes of a training with a parameter server come together. Somebody who watches all of them says
/// when all are there, and when one is gone.
public interface Meeting {
    /// Waits until the server and all workers are there.
    ///
    /// @param step the last finished step
    /// @param isServer whether this process has the state; otherwise it is a worker, or waits to become one
    /// @return empty if the training has ended
    /// @throws TeamLostException if they will never be there
    Optional<Place> await(long step, boolean isServer) throws TeamLostException;

    /// A place in a generation.
    ///
    /// @param rank the rank among the workers; −1 for the server
    /// @param servers the addresses of the servers; the first has the training loop
    record Place(Generation generation, int rank, List<String> servers) {
        public Place {
            servers = List.copyOf(servers);
        }
    }

    /// The number of servers.
    int servers();

    /// Announces where the server of this process is.
    void serves(String address);

    /// Notes the last finished step, for those who watch.
    void finished(long step);

    /// Notes what this process has done for one step.
    void worked(Work done);

    /// What a worker has done for one step.
    ///
    /// @param loss the mean loss of its examples
    /// @param waited the part of the time in which it waited for others and the network
    /// @param loading the part of the time in which it waited for its examples
    /// @param score its score of the test split; [Score#NONE] if there is none
    record Work(int examples, double loss, Duration waited, Duration loading, Duration whole, Score score) {}

    /// Notes how many updates old the gradient was that this process had sent before.
    void aged(long age);

    /// Notes what this process has exchanged with servers until now.
    void exchanged(Traffic traffic);

    /// Tells that this process cannot go on in the generation of this number.
    void leaves(long generation);

    /// Sets who hears at once that a generation is broken. Called on another thread, with the number of the
    /// generation.
    void onBroken(LongConsumer broken);
}
