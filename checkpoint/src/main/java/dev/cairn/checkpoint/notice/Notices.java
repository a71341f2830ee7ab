package dev.cairn.checkpoint.notice;

import dev.cairn.checkpoint.Cancellation;
import dev.cairn.store.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// Whether a training must end, and how much time it has for that.
///
/// The first notice, or a near deadline, asks for a save and an end. A notice that insists cancels that save, and
/// so does the end of the time: the time that the notice or the deadline leaves, or else the usual time.
/// Thread-safe.
public final class Notices implements Cancellation, AutoCloseable {
    /// Two notices within this time are one event, as when a terminal and a launcher both pass on Ctrl-C.
    private static final Duration ONE_EVENT = Duration.ofMillis(200);

    private static final Duration UNLIMITED = Duration.ofDays(365);
    private static final Duration TICK = Duration.ofMillis(500);
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");

    private final List<NoticeSource> sources;
    private final List<Deadline> deadlines;
    private final Duration usualTime;
    private final Clock time;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Thread poller;
    private @Nullable Notice first;
    private @Nullable Notice second;
    private long firstNanos;
    private long endNanos;
    private volatile boolean given;

    /// Receives each notice that counts, on the thread that posted it. Must return quickly.
    public interface Listener {
        /// Called when a notice is given.
        void on(Notice notice);
    }

    /// @param usualTime the time for the save after a notice that does not say how much time is left
    Notices(List<NoticeSource> sources, List<Deadline> deadlines, Duration usualTime, Clock time) {
        this.sources = List.copyOf(sources);
        this.deadlines = List.copyOf(deadlines);
        this.usualTime = usualTime;
        this.time = time;
        this.poller = Thread.ofPlatform().name("cairn-notices").daemon(true).unstarted(this::pollUntilClosed);
    }

    /// Watches these sources until closed.
    ///
    /// @param usualTime the time for the save after a notice that does not say how much time is left
    public static Notices watch(List<NoticeSource> sources, List<Deadline> deadlines, Duration usualTime, Clock time) {
        var notices = new Notices(sources, deadlines, usualTime, time);
        if (!sources.isEmpty() || !deadlines.isEmpty()) {
            notices.poller.start();
        }
        return notices;
    }

    /// Watches nothing: only posted notices count, and a save has unlimited time.
    public static Notices none() {
        return watch(List.of(), List.of(), UNLIMITED, Clock.system());
    }

    /// Calls this listener for every notice from now on.
    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    /// Adds a notice.
    public void post(Notice notice) {
        if (takes(notice)) {
            listeners.forEach(listener -> listener.on(notice));
        }
    }

    /// Whether the training must end.
    public boolean isGiven() {
        if (!given) {
            checkDeadlines();
        }
        return given;
    }

    /// The first notice.
    public synchronized Optional<Notice> first() {
        return Optional.ofNullable(first);
    }

    @Override
    public boolean isCancelled() {
        return whyCancelled().isPresent();
    }

    /// The reason why a save is cancelled; empty while it is not.
    public synchronized Optional<String> whyCancelled() {
        if (second != null) {
            return Optional.of("a second notice came (" + second.reason() + ")");
        }
        return first != null && !timeLeft().isPositive() ? Optional.of("its time had run out") : Optional.empty();
    }

    @Override
    public synchronized Duration timeLeft() {
        Duration left = UNLIMITED;
        if (first != null) {
            left = second == null ? Duration.ofNanos(endNanos - time.nanos()) : Duration.ZERO;
        }
        for (Deadline deadline : deadlines) {
            left = shorter(left, deadline.left());
        }
        return left;
    }

    @Override
    public void close() {
        poller.interrupt();
        sources.forEach(NoticeSource::close);
    }

    /// Polls every source once.
    void poll() {
        checkDeadlines();
        for (NoticeSource source : sources) {
            try {
                source.poll().ifPresent(this::post);
            } catch (RuntimeException | Error e) { // A failing source must not block the others.
                LOG.log(Level.ERROR, "a source of notices failed and will be polled again: " + e.getMessage());
            }
        }
    }

    private void checkDeadlines() {
        for (Deadline deadline : deadlines) {
            if (!given && deadline.isNear()) {
                post(new Notice(deadline.reason(), deadline.left(), false));
            }
        }
    }

    private synchronized boolean takes(Notice notice) {
        long now = time.nanos();
        Duration left = notice.timeLeft() == null ? usualTime : notice.timeLeft();
        if (first == null) {
            first = notice;
            firstNanos = now;
            endNanos = now + left.toNanos();
            given = true;
            return true;
        }
        if (notice.timeLeft() != null) {
            endNanos = Math.min(endNanos, now + left.toNanos());
        }
        if (!notice.insists() || now - firstNanos < ONE_EVENT.toNanos()) {
            return false;
        }
        second = second == null ? notice : second;
        return true;
    }

    private void pollUntilClosed() {
        try {
            while (true) {
                poll();
                Thread.sleep(TICK);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
