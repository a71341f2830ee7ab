package dev.cairn.store.right;

import java.util.List;

/// A group of processes that train a run together. It is taken with a number of the lease before its first
/// step, so of two halves of a job that has been cut apart only one can train on.
///
/// @param job names the job
/// @param number greater than that of the groups of the same job before
/// @param members its processes, in words for people; empty while the group is not known yet
public record Generation(String job, long number, List<String> members) {
    public Generation {
        members = List.copyOf(members);
    }
}
