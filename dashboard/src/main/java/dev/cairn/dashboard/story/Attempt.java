package dev.cairn.dashboard.story;

import dev.cairn.dashboard.points.Curve;
import dev.cairn.dashboard.points.Thinning;
import dev.cairn.observe.events.RecordedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What one process recorded in one start of a run. Does not change.
public final class Attempt {
    static final long NONE = Long.MAX_VALUE;
    static final long ALL = -1;

    final long number;
    final String process;
    String host = "";
    long pid;
    long begunTime;
    long startedTime;
    long startedStep = -1;
    String begin = "";
    long steps;
    String measure = "";
    Map<String, @Nullable Object> settings = Map.of();
    long firstStepTime;
    long lastTime;
    long lastStep;
    long lastEpoch;
    /// The last step of earlier attempts that stays valid.
    long supersedes = NONE;

    @Nullable
    RecordedEvent ended;

    List<Stretch> stretches = new ArrayList<>();
    final List<Score> scores = new ArrayList<>();
    final List<Save> saves = new ArrayList<>();
    final List<IntervalChoice> choices = new ArrayList<>();
    final List<RecordedEvent> notes = new ArrayList<>();

    Attempt(long number, String process) {
        this.number = number;
        this.process = process;
    }

    /// The number of the start, from 1.
    public long number() {
        return number;
    }

    /// The name of the process, such as `w0`.
    public String process() {
        return process;
    }

    /// The name of the host; empty if unknown.
    public String host() {
        return host;
    }

    /// The number of the process on its host; 0 if unknown.
    public long pid() {
        return pid;
    }

    /// When the process began to record, in milliseconds since 1970.
    public long begunTime() {
        return begunTime;
    }

    /// The last sign of life, in milliseconds since 1970.
    public long lastTime() {
        return lastTime;
    }

    /// The last step that was made; 0 if there was none.
    public long lastStep() {
        return Math.max(lastStep, Math.max(0, startedStep));
    }

    /// `new`, `resumed`, `fresh` or `forked`; empty if it never started.
    public String begin() {
        return begin;
    }

    /// How it ended, such as `done`; empty if it did not end by itself.
    public Optional<String> outcome() {
        return ended == null ? Optional.empty() : ended.text("outcome");
    }

    /// The number of points in memory.
    int points() {
        return stretches.stream().mapToInt(stretch -> stretch.loss().size()).sum();
    }

    /// Keeps fewer points of an old attempt: as many as any screen can show.
    void thin() {
        var thinned = new ArrayList<Stretch>();
        for (Stretch stretch : stretches) {
            Curve loss = Thinning.of(stretch.loss(), Thinning.whole(stretch.loss(), Thinning.MOST_KEPT_COLUMNS));
            thinned.add(new Stretch(loss, stretch.limit()));
        }
        stretches = thinned;
    }
}
