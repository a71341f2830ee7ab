package dev.cairn.checkpoint.copy;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.background.BackgroundThreads;
import dev.cairn.checkpoint.chain.Doubts;
import dev.cairn.store.Clock;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StoreException;
import dev.cairn.store.StoreFullException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.check.Soundness;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.store.right.WriterRight;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Keeps a copy of a run on other storage while the training runs. It copies the newest checkpoint, then the one that
/// is newest when that copy is complete. Checkpoints in between are copied only if a later one needs them, so the
/// copy is never behind by more than the time of two copies. Checkpoints that the run removed are also removed from
/// the copy, unless the run's retention, applied to the copy alone, keeps them.
///
/// The copy is a separate run, valid at all times, with one writer and its own lease. A failure is reported once and
/// retried, also when the run is closed, until a time limit. Nothing of the run itself depends on it.
public final class SecondTier implements AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    /// The first pause between retries while a caller waits.
    private static final Duration FIRST_LAST_PAUSE = Duration.ofMillis(100);

    private static final Duration LONGEST_LAST_PAUSE = Duration.ofSeconds(5);
    /// The time limit for a copy that was never reached: this is more likely a mistake than a temporary fault.
    private static final Duration PATIENCE_WITH_STRANGERS = Duration.ofSeconds(5);

    private final CheckpointStore here;
    private final BlobStore storage;
    private final CheckpointStore there;
    private final WriterClaim claim;
    private final Retention retention;
    private final Clock time;
    private final Doubts doubts;
    private final CheckpointEvent.Listener listener;
    private final LagCount lag;
    private final Thread thread;
    /// The ids of the checkpoints that were in the copy at the start and unknown to the run. They must not be
    /// removed.
    private final Set<String> foreign = new HashSet<>();
    /// The ids of the checkpoint that the run continued from, and of those saved until the copy was inspected. The
    /// run may have pruned them since.
    private final Set<String> had = new HashSet<>();

    private volatile @Nullable WriterRight right;
    private volatile @Nullable CheckpointWriter writer;
    private boolean due;
    private boolean started;
    private boolean closing;
    private boolean failing;
    /// Whether a caller waits for the present attempt, or for the pause before the next one.
    private boolean lastTries;
    /// Whether the last pause was chosen for a waiting caller.
    private boolean hurried;

    private boolean over;

    /// @param here the run
    /// @param there the storage of its copy
    /// @param blobs the same storage, as it is written to during the training
    public SecondTier(
            CheckpointStore here,
            BlobStore there,
            BlobStore blobs,
            CheckpointOptions options,
            Doubts doubts,
            CheckpointEvent.Listener listener) {
        this.here = here;
        this.storage = there;
        this.there = new CheckpointStore(blobs);
        // The wait for the run is reported elsewhere. The wait for the copy does not delay the training.
        this.claim =
                options.environment().claim().withListener(WriterClaim.usual().listener());
        this.retention = options.retention();
        this.time = options.environment().time();
        this.doubts = doubts;
        this.listener = listener;
        this.lag = new LagCount(time);
        this.thread = BackgroundThreads.named("cairn-copy").newThread(this::copyUntilClosed);
    }

    /// Notes that a checkpoint was saved, or that the run continues from it. It is copied from now on.
    public synchronized void saved(Commit checkpoint) {
        lag.saved(checkpoint);
        if (writer == null) {
            had.add(checkpoint.id());
        }
        due = true;
        if (!started && !closing) {
            started = true;
            thread.start();
        }
        notifyAll();
    }

    public CopyLag lag() {
        return lag.lag();
    }

    /// Copies the newest intact checkpoint of the copy into the run. Reports which checkpoints were skipped.
    ///
    /// @param local the run's own writer
    /// @param wanted selects the checkpoints that may be fetched, if their records can be read
    /// @return the checkpoint that the run has now and did not have before; empty if the copy has none that is
    ///     wanted
    /// @throws DamagedException if the copy has such checkpoints but none is intact
    /// @throws CommitConflictException if it is the copy of another run
    public Optional<Commit> fetch(CheckpointWriter local, Predicate<Commit> wanted) throws IOException {
        History history = there.history();
        RunIdentity.requireSame(here.history(), history);
        Soundness sound = StoreVerifier.soundness(here, StoreVerifier.Depth.CHECKSUMS);
        @Nullable StoreException first = null;
        for (Entry entry : history.current().reversed()) {
            StoreException reason;
            OptionalLong step = OptionalLong.empty();
            switch (entry) {
                case Entry.Unreadable unreadable -> reason = unreadable.reason();
                case Entry.Intact(Commit checkpoint)
                when !wanted.test(checkpoint) -> {
                    continue;
                }
                case Entry.Intact(Commit checkpoint) -> {
                    try {
                        int made = new CopyRound(there, here, local).copy(history.chain(checkpoint), sound);
                        return made == 0 ? Optional.empty() : Optional.of(checkpoint);
                    } catch (DamagedException damaged) {
                        reason = damaged;
                        step = OptionalLong.of(checkpoint.step());
                    }
                }
            }
            first = first == null ? reason : first;
            listener.on(new CheckpointEvent.CopyPassedOver(entry.number(), step, reason));
        }
        if (first != null) {
            throw first;
        }
        return Optional.empty();
    }

    private void copyUntilClosed() {
        Duration pause = FIRST_PAUSE;
        try {
            while (awaitWork(pause)) {
                try {
                    copy();
                    pause = FIRST_PAUSE;
                    settled(false);
                } catch (CommitConflictException overtaken) {
                    lag.failed(overtaken);
                    listener.on(new CheckpointEvent.CopyFailed(overtaken, lag()));
                    return;
                } catch (InterruptedIOException closed) {
                    return;
                } catch (DamagedException e) {
                    pause = failed(e, pause);
                    if (isClosing()) {
                        return; // Only another save would help.
                    }
                } catch (IOException | RuntimeException | Error e) {
                    pause = failed(e, pause);
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (this) {
                over = true;
                notifyAll();
            }
        }
    }

    /// Waits until there is something to copy or to retry. Returns false if the run is closed and nothing is left.
    /// The first attempt for a closing caller is made at once.
    private synchronized boolean awaitWork(Duration pause) throws InterruptedException {
        long end = time.nanos() + pause.toNanos();
        while (failing ? closing == lastTries && time.nanos() < end : !closing && !due) {
            wait(failing ? Math.max(1, Duration.ofNanos(end - time.nanos()).toMillis()) : 0);
        }
        lastTries = closing;
        boolean again = due || failing;
        due = false;
        return again;
    }

    private void copy() throws IOException {
        long start = time.nanos();
        CheckpointWriter copying = writer;
        if (copying == null) {
            copying = CheckpointWriter.open(there, takeOnce());
            CopyRound.Found found = new CopyRound(here, there, copying).look(hadSoFar());
            lag.found(found.step());
            lookAhead(found.ahead());
            writer = copying;
        }
        var round = new CopyRound(here, there, copying);
        copyNewest(round).ifPresent(copied -> {
            lag.copied(copied.newest());
            if (copied.made() > 0) {
                listener.on(new CheckpointEvent.Copied(
                        Checkpoint.of(copied.newest()), Duration.ofNanos(time.nanos() - start), lag()));
            }
        });
        round.prune(foreign, retention, time.now());
        copying.writeTwins();
    }

    private Optional<CopyRound.Copied> copyNewest(CopyRound round) throws IOException {
        try {
            return round.copyNewest();
        } catch (StoreFullException full) {
            round.makeRoom(foreign, retention, time.now());
            return round.copyNewest();
        }
    }

    /// Keeps the right even if a later step fails: if it were released before its takeover is recorded, it would
    /// have to expire first.
    private WriterRight takeOnce() throws IOException {
        WriterRight held = right;
        if (held == null) {
            held = WriterRight.take(storage, claim);
            right = held;
        }
        return held;
    }

    private synchronized boolean isClosing() {
        return closing;
    }

    private synchronized Set<String> hadSoFar() {
        return Set.copyOf(had);
    }

    private void lookAhead(List<Commit> ahead) {
        ahead.forEach(checkpoint -> foreign.add(checkpoint.id()));
        if (!ahead.isEmpty()) {
            listener.on(new CheckpointEvent.CopyAhead(Checkpoint.of(ahead.getLast())));
        }
    }

    private synchronized void settled(boolean nowFailing) {
        failing = nowFailing;
        notifyAll();
    }

    /// @param before the wait before this attempt
    /// @return the wait before the next attempt
    private Duration failed(Throwable e, Duration before) {
        boolean known;
        Duration pause;
        lag.failed(e);
        synchronized (this) {
            known = failing;
            boolean urgent = lastTries;
            Duration longest = urgent ? LONGEST_LAST_PAUSE : LONGEST_PAUSE;
            pause = urgent && !hurried ? FIRST_LAST_PAUSE : min(before.multipliedBy(2), longest);
            hurried = urgent;
            settled(true);
        }
        Optional<CheckpointEvent> doubt = doubts.inCopying(e);
        if (!known) {
            listener.on(new CheckpointEvent.CopyFailed(e, lag()));
        }
        doubt.ifPresent(listener::on);
        return pause;
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /// Copies what is left, and retries failures until the time limit.
    ///
    /// @param timeLeft the time left for the whole process; called repeatedly
    public void close(Duration patience, Supplier<Duration> timeLeft) {
        long start = time.nanos();
        boolean interrupted = false;
        synchronized (this) {
            closing = true;
            notifyAll();
            while (!over && thread.isAlive() && !interrupted) {
                Duration longest = failing && !lag.isKnown() ? min(patience, PATIENCE_WITH_STRANGERS) : patience;
                Duration left = min(longest.minusNanos(time.nanos() - start), timeLeft.get());
                if (left.toMillis() <= 0) {
                    break;
                }
                try {
                    wait(Math.min(left.toMillis(), 500));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        thread.interrupt();
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join(Duration.ofSeconds(10));
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        giveBack();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        close(Duration.ZERO, () -> Duration.ZERO);
    }

    private void giveBack() {
        WriterRight held = right;
        try {
            if (held != null) {
                held.close();
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "lease of the copy not released: " + e.getMessage());
        }
    }
}
