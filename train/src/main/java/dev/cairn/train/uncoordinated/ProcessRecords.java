package dev.cairn.train.uncoordinated;

import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What is left of the records of one process, without what was undone.
///
/// @param events in order; the event of number n is the n-th step of the process
/// @param checkpoints the steps of its checkpoints, oldest first
record ProcessRecords(List<Event> events, List<Long> checkpoints) {
    ProcessRecords {
        events = List.copyOf(events);
        checkpoints = List.copyOf(checkpoints);
    }

    /// Something that was sent or received.
    sealed interface Event {
        /// A worker has weights with this many updates.
        record Pull(long number, long updates) implements Event {}

        /// A worker sends a gradient.
        record Push(long number) implements Event {}

        /// The gradient of a worker has made an update.
        record Update(int worker, long push) implements Event {}
    }

    private record Back(long step, long record) {}

    /// Reads the records in the folder of a process; there are none if there is no such folder.
    static ProcessRecords in(Path folder) throws IOException {
        Path file = folder.resolve(MessageLog.FILE);
        if (!Files.exists(file)) {
            return new ProcessRecords(List.of(), List.of());
        }
        var events = new ArrayList<Event>();
        var backs = new ArrayList<Back>();
        for (String line : Files.readAllLines(file)) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "pull" -> events.add(new Event.Pull(number(words, 1), number(words, 2)));
                case "push" -> events.add(new Event.Push(number(words, 1)));
                case "update" -> events.add(new Event.Update((int) number(words, 2), number(words, 3)));
                case "back" -> {
                    var back = new Back(number(words, 1), number(words, 2));
                    backs.add(back);
                    while (events.size() > back.step()) {
                        events.removeLast();
                    }
                }
                default -> {} // the rest of a line that a crash has cut off
            }
        }
        return new ProcessRecords(events, checkpoints(folder, backs, events.size()));
    }

    /// The number of the newest record of a checkpoint in the folder of a process; 0 if there is none.
    static long newest(Path folder) throws IOException {
        return new CheckpointStore(new LocalBlobStore(folder))
                .history().currentCheckpoints().stream()
                        .mapToLong(Commit::number)
                        .max()
                        .orElse(0);
    }

    /// @param steps the number of steps that are not undone
    private static List<Long> checkpoints(Path folder, List<Back> backs, int steps) throws IOException {
        var checkpoints = new ArrayList<Long>();
        for (Commit commit :
                new CheckpointStore(new LocalBlobStore(folder)).history().currentCheckpoints()) {
            boolean undone =
                    backs.stream().anyMatch(back -> commit.step() > back.step() && commit.number() <= back.record());
            if (!undone && commit.step() > 0 && commit.step() <= steps) {
                checkpoints.add(commit.step());
            }
        }
        return checkpoints.stream().sorted().distinct().toList();
    }

    private static long number(String[] words, int place) {
        return Long.parseLong(words[place]);
    }

    /// The number of gradients that a worker has sent in its first steps.
    long pushes(long steps) {
        return events.stream().limit(steps).filter(Event.Push.class::isInstance).count();
    }
}
