package dev.cairn.engine.group;

import java.nio.file.Path;
import java.time.Duration;

/// Forms groups of processes.
public interface GroupMaker {
    /// Forms a group with the processes that do the same with other ranks. Waits for them. The thread that calls this
    /// must live until the group is closed.
    ///
    /// @throws BrokenGroupException if they do not come in time
    ProcessGroup form(Meeting meeting);

    /// Where and how a group forms.
    ///
    /// @param file the same for all of the group, and used for no other group
    /// @param rank the place of this process, from 0
    /// @param size the number of processes
    /// @param address an address of this host that the others can reach
    /// @param patience how long to wait for the others to come
    /// @param silence how long an exchange may take
    record Meeting(Path file, int rank, int size, String address, Duration patience, Duration silence) {}
}
