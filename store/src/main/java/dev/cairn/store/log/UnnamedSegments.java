package dev.cairn.store.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/// The segments that no record names, by what the numbers in their names say about them.
///
/// @param leftovers of an interrupted save, merge or removal: nothing needs them
/// @param staged under the next number: a commit may still name them
/// @param lost the numbers of all others, whose records must have been lost
record UnnamedSegments(List<String> leftovers, List<String> staged, SortedSet<Long> lost) {
    /// The state of the log that decides.
    ///
    /// @param named the segments that records name
    /// @param isTaken whether a number has a record, was pruned or was replaced, so that its other segments are
    ///     leftovers
    /// @param damaged the newest number that cannot be read: up to it, nothing is a leftover, because an unreadable
    ///     record may name it
    /// @param next the number of the next record
    record Log(Set<String> named, LongPredicate isTaken, long damaged, long next) {}

    /// Sorts the existing segments.
    static UnnamedSegments of(SortedMap<Long, List<String>> segments, Log log) {
        var leftovers = new ArrayList<String>();
        var staged = new ArrayList<String>();
        var lost = new TreeSet<Long>();
        boolean onlyNext = segments.isEmpty() || segments.lastKey() <= log.next();
        segments.forEach((number, names) -> {
            boolean taken = log.isTaken().test(number);
            for (String name : names) {
                if (log.named().contains(name)) {
                    continue;
                }
                if (taken) {
                    if (number > log.damaged()) {
                        leftovers.add(name);
                    }
                } else if (number == log.next() && onlyNext) {
                    staged.add(name);
                } else {
                    lost.add(number);
                }
            }
        });
        return new UnnamedSegments(List.copyOf(leftovers), List.copyOf(staged), lost);
    }
}
