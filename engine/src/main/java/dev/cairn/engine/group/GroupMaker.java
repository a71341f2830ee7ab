package dev.cairn.engine.group;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Forms groups of processes.
public interface GroupMaker {
    /// Forms a group with the processes that do the same with other ranks. Waits for them. The thread that calls this
    /// must live until the group is closed.
    ///
    /// @throws BrokenGroupException if they do not come in time
    ProcessGroup form(Meeting meeting);

    /// Where and how a group forms.
    ///
    /// @param file the same for all of the group, and used for no other group; without meaning in a network
    /// @param rank the place of this process, from 0
    /// @param size the number of processes
    /// @param address an address of this host that the others can reach
    /// @param patience how long to wait for the others to come
    /// @param silence how long an exchange may take
    /// @param network how processes of several hosts meet; null if all are on this host
    record Meeting(
            Path file,
            int rank,
            int size,
            String address,
            Duration patience,
            Duration silence,
            @Nullable Network network) {
        /// On this host.
        public Meeting(Path file, int rank, int size, String address, Duration patience, Duration silence) {
            this(file, rank, size, address, patience, silence, null);
        }
    }

    /// What a group needs whose processes share no file.
    ///
    /// @param cards how they learn how to reach each other
    /// @param cut how long a connection may carry nothing of what it should before it is taken for cut
    record Network(Cards cards, Duration cut) {}

    /// Passes on how to reach the processes of a group.
    interface Cards {
        /// Gives the card of this process, waits for the others, and returns all in the order of their ranks.
        ///
        /// @throws BrokenGroupException if another process is gone
        List<byte[]> exchange(byte[] mine);
    }
}
