package dev.cairn.checkpoint.scrub;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.Scrubbing;
import dev.cairn.checkpoint.chain.Doubts;
import dev.cairn.checkpoint.scrub.Agenda.Task;
import dev.cairn.store.Clock;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.DamagedException;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.scrub.FileCheck;
import dev.cairn.store.scrub.ScrubNotes;
import dev.cairn.store.scrub.Verdict;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decides which file is checked next, checks it, and reports what was found. Nothing here waits, except the pace of
/// reads. For one thread.
final class ScrubWork {
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");

    /// Reading the log for every single file would cost more than the file. So files become due in groups: after a
    /// hundredth of the period.
    private static final int GROUPS = 100;

    /// A check that failed is tried again after this part of the period.
    private static final int RETRIES = 10;

    /// The notes are written at most this often, because each write is synced.
    private static final Duration BETWEEN_NOTES = Duration.ofMinutes(1);

    private final CheckpointStore store;
    private final FileCheck check;
    private final Scrubbing.Every settings;
    private final Clock time;
    private final Doubts doubts;
    private final CheckpointEvent.Listener listener;
    private final Deque<Task> due = new ArrayDeque<>();
    private final Map<String, Instant> postponed = new HashMap<>();
    private @Nullable ScrubNotes notes;
    private Instant notesWritten = Instant.MIN;
    private boolean failing;

    ScrubWork(
            CheckpointStore store,
            FileCheck check,
            Scrubbing.Every settings,
            Clock time,
            Doubts doubts,
            CheckpointEvent.Listener listener) {
        this.store = store;
        this.check = check;
        this.settings = settings;
        this.time = time;
        this.doubts = doubts;
        this.listener = listener;
    }

    /// Checks the file that is due first.
    ///
    /// @return how long nothing is due; zero if a file was checked
    /// @throws CommitConflictException if another writer has the run
    /// @throws InterruptedIOException if the thread was interrupted
    Duration next() throws IOException {
        try {
            Task task = due.poll();
            if (task == null) {
                Duration free = findDue();
                if (!free.isZero()) {
                    writeNotes(Duration.ZERO);
                    return free;
                }
                task = due.remove();
            }
            check(task);
            return Duration.ZERO;
        } catch (CommitConflictException | InterruptedIOException end) {
            throw end;
        } catch (IOException | RuntimeException e) {
            failed(e);
            return settings.period().dividedBy(GROUPS);
        }
    }

    /// Checks a file at once that was found damaged elsewhere. Does nothing if the log does not need it.
    void suspect(String file) throws IOException {
        try {
            Optional<Task> task = agenda().find(file);
            if (task.isPresent()) {
                check(task.get());
            }
        } catch (CommitConflictException | InterruptedIOException end) {
            throw end;
        } catch (IOException | RuntimeException e) {
            failed(e);
        }
    }

    /// @return zero if something is due now
    private Duration findDue() throws IOException {
        Instant now = time.now();
        Agenda agenda = agenda();
        notes().retain(agenda.files());
        postponed.keySet().retainAll(agenda.files());
        Instant first = now.plus(settings.period());
        for (Task task : agenda.tasks()) {
            Instant at = dueAt(task);
            if (!at.isAfter(now)) {
                due.add(task);
            } else if (at.isBefore(first)) {
                first = at;
            }
        }
        Duration free = Duration.between(now, first);
        Duration least = settings.period().dividedBy(GROUPS);
        return !due.isEmpty() ? Duration.ZERO : free.compareTo(least) > 0 ? free : least;
    }

    private Agenda agenda() throws IOException {
        return Agenda.of(store.history(), notes(), time.now());
    }

    private Instant dueAt(Task task) {
        Instant regular =
                task.last().equals(Instant.MIN) ? Instant.MIN : task.last().plus(settings.period());
        Instant retry = postponed.getOrDefault(task.file(), Instant.MIN);
        return regular.isAfter(retry) ? regular : retry;
    }

    private void check(Task task) throws IOException {
        try {
            List<Verdict> verdicts = switch (task) {
                case Task.OfSegment segment -> List.of(check.segment(segment.segment()));
                case Task.OfRecords _ -> check.records();
            };
            postponed.remove(task.file());
            failing = false;
            conclude(task, verdicts);
            writeNotes(BETWEEN_NOTES);
        } catch (CommitConflictException | InterruptedIOException end) {
            throw end;
        } catch (IOException | RuntimeException e) {
            postponed.put(task.file(), time.now().plus(settings.period().dividedBy(RETRIES)));
            throw e;
        }
    }

    private void conclude(Task task, List<Verdict> verdicts) throws IOException {
        var lost = new HashSet<String>();
        Instant now = time.now();
        for (Verdict verdict : verdicts) {
            switch (verdict) {
                case Verdict.Good _ -> {}
                case Verdict.Gone _ -> {
                    return;
                }
                case Verdict.Rewritten(var damage, String source) -> {
                    notes().rewritten();
                    notesWritten = Instant.MIN;
                    listener.on(new CheckpointEvent.Rewritten(damage, source));
                }
                case Verdict.Lost(var damage) -> {
                    lost.add(damage.file());
                    tell(damage);
                }
            }
        }
        notes().checked(task.file(), lost, now);
    }

    private void tell(DamagedException damage) throws IOException {
        if (notes().lost(damage.file(), damage.reason())) {
            notesWritten = Instant.MIN;
            listener.on(new CheckpointEvent.DamageFound(damage));
        }
        doubts.inScrubbing(damage).ifPresent(listener::on);
    }

    private void failed(Exception e) {
        if (!failing) {
            failing = true;
            listener.on(new CheckpointEvent.ScrubFailed(e));
        }
    }

    private ScrubNotes notes() throws IOException {
        ScrubNotes known = notes;
        if (known == null) {
            known = ScrubNotes.of(store.blobs());
            notes = known;
        }
        return known;
    }

    /// Writes the notes a last time.
    void end() {
        try {
            writeNotes(Duration.ZERO);
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.DEBUG, "notes of scrubbing not written; files are checked again earlier", e);
        }
    }

    /// Writes the notes unless they were written within this time.
    private void writeNotes(Duration ago) throws IOException {
        Instant now = time.now();
        if (notes != null && notes.haveChanged() && !notesWritten.isAfter(now.minus(ago))) {
            check.write(notes);
            notesWritten = now;
        }
    }
}
