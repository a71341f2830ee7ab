package dev.cairn.app.notice;

import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Ends `cairn train` when a notice arrives.
///
/// Before the first step of this process there is nothing to save, so the process ends at once. After that, the
/// training finishes its step, saves and ends. If its save was cancelled and it still does not end soon, because
/// a step or the storage hangs, the process ends anyway. The last committed checkpoint is not affected.
public final class StopRequest implements TrainingObserver, AutoCloseable {
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(10);
    private static final Duration UNMEASURED_GRACE = Duration.ofSeconds(30);
    private static final Duration LEAST_GRACE = Duration.ofSeconds(10);

    private final Terminal terminal;
    private final IntConsumer exit;
    private final AtomicInteger heard = new AtomicInteger();
    private volatile @Nullable Thread watchdog;
    private volatile boolean trained;
    private volatile long savedStep = -1;
    private volatile Duration longestSave = Duration.ZERO;
    private volatile Duration longestStep = Duration.ZERO;
    private volatile Runnable lastWords = () -> {};
    private long lastStepNanos;

    /// @param exit ends the process at once
    public StopRequest(Terminal terminal, IntConsumer exit) {
        this.terminal = terminal;
        this.exit = exit;
    }

    /// Ends the training on these notices and on signals from now on.
    public void follow(Notices notices) {
        notices.addListener(notice -> on(notice, notices));
        Signals.sendTo(name -> notices.post(Notice.byHand(name)));
    }

    /// Ends the training of one process of several on these notices, and on signals to it. It never ends at once:
    /// the others would take that for a failure. Only the process that started it may say that a notice insists,
    /// because a signal from the terminal reaches all of them.
    ///
    /// @param told receives each signal by name
    public void followAsMember(Notices notices, Consumer<String> told) {
        notices.addListener(_ -> {
            if (heard.incrementAndGet() == 1) {
                watchdog = Thread.ofPlatform().name("cairn-stop").daemon(true).start(() -> endIfItHangs(notices));
            }
        });
        Signals.sendTo(name -> {
            notices.post(new Notice(name, null, false));
            told.accept(name);
        });
    }

    /// Sets an action that runs before the process is ended at once.
    public void beforeExit(Runnable action) {
        lastWords = action;
    }

    /// Returns how long before a deadline the training must stop, based on the longest step and save so far.
    public Duration grace() {
        if (longestSave.isZero()) {
            return UNMEASURED_GRACE;
        }
        Duration measured = longestSave.multipliedBy(3).plus(longestStep.multipliedBy(2));
        return measured.compareTo(LEAST_GRACE) > 0 ? measured : LEAST_GRACE;
    }

    @Override
    public void on(TrainingEvent event) {
        switch (event) {
            case TrainingEvent.StepMade _ -> stepMade();
            case TrainingEvent.Checkpointed(var _, CheckpointEvent.Committed committed) -> {
                savedStep = committed.checkpoint().step();
                longestSave = longer(longestSave, committed.stall().plus(committed.persist()));
            }
            case TrainingEvent.Checkpointed(var _, CheckpointEvent.Restored restored) ->
                savedStep = restored.checkpoint().step();
            case TrainingEvent.Checkpointed _,
                    TrainingEvent.Started _,
                    TrainingEvent.Scored _,
                    TrainingEvent.Warned _,
                    TrainingEvent.WentBack _,
                    TrainingEvent.Recovered _,
                    TrainingEvent.Worked _,
                    TrainingEvent.Ended _ -> {
                // These events do not save anything.
            }
        }
    }

    private void stepMade() {
        long now = Clock.system().nanos();
        if (trained) {
            longestStep = longer(longestStep, Duration.ofNanos(now - lastStepNanos));
        }
        lastStepNanos = now;
        trained = true;
    }

    /// Ignores signals from now on, because the training has ended.
    @Override
    public void close() {
        Signals.sendTo(name -> {});
        Thread watching = watchdog;
        if (watching != null) {
            watching.interrupt();
        }
    }

    static String beforeTheFirstStep(String reason) {
        return "cairn: stopped on " + reason
                + " before the first step: nothing was trained or saved; start the same command again to continue";
    }

    /// Returns the last line of a training whose last save was cancelled.
    public String withoutSave(Notices notices) {
        String reason = notices.first().map(Notice::reason).orElse("notice");
        String why = notices.whyCancelled().orElse("it failed");
        return "cairn: stopped on %s without a last save: it was cancelled because %s; %s; start the same command again to continue"
                .formatted(
                        reason,
                        why,
                        savedStep < 0 ? "there is no checkpoint yet" : "the last checkpoint is of step " + savedStep);
    }

    private void on(Notice notice, Notices notices) {
        int count = heard.incrementAndGet();
        if (!trained) {
            terminal.line(beforeTheFirstStep(notice.reason()));
            exit.accept(ExitCode.STOPPED);
        } else if (count == 1) {
            watchdog = Thread.ofPlatform().name("cairn-stop").daemon(true).start(() -> endIfItHangs(notices));
        } else if (count > 2) {
            endNow(notices);
        }
    }

    private void endIfItHangs(Notices notices) {
        try {
            while (!notices.isCancelled()) {
                Thread.sleep(Duration.ofMillis(200));
            }
            Thread.sleep(LAST_PATIENCE);
            endNow(notices);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void endNow(Notices notices) {
        lastWords.run();
        terminal.line(withoutSave(notices));
        exit.accept(ExitCode.STOPPED);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
