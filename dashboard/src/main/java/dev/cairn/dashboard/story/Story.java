package dev.cairn.dashboard.story;

import dev.cairn.dashboard.points.Millis;
import dev.cairn.dashboard.story.Failure.Kind;
import dev.cairn.observe.events.RecordedEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// What happened in a run, as far as its files have been read. Does not change.
///
/// @param attempts in the order of their numbers
/// @param machines how the hosts were used
/// @param filesRead how many files of events have been read
/// @param files how many there are
public record Story(List<Attempt> attempts, List<MachineUse> machines, int filesRead, int files) {
    /// Of a run whose files have not been read.
    public static final Story NOTHING = new Story(List.of(), List.of(), 0, 0);

    public Story {
        attempts = List.copyOf(attempts);
        machines = List.copyOf(machines);
    }

    /// The newest start that began to train; empty if none has.
    public Optional<Attempt> last() {
        return attempts.stream().filter(attempt -> attempt.startedStep >= 0).reduce((_, later) -> later);
    }

    /// The losses of a process, in the order of time, with what later attempts leave of them.
    public List<Stretch> losses(String process) {
        var stretches = new ArrayList<Stretch>();
        long limit = Attempt.NONE;
        for (int i = attempts.size() - 1; i >= 0; i--) {
            Attempt attempt = attempts.get(i);
            if (attempt.process.equals(process)) {
                for (Stretch stretch : attempt.stretches.reversed()) {
                    stretches.add(stretch.keptTo(limit));
                }
            }
            if (i > 0 && attempts.get(i - 1).number != attempt.number) {
                limit = Math.min(limit, superseded(attempt.number));
            }
        }
        return stretches.reversed();
    }

    /// The last step of earlier attempts that stays valid after this one.
    private long superseded(long number) {
        return attempts.stream()
                .filter(attempt -> attempt.number == number)
                .mapToLong(attempt -> attempt.supersedes)
                .min()
                .orElse(Attempt.NONE);
    }

    /// The processes that recorded events.
    public List<String> processes() {
        return attempts.stream().map(Attempt::process).distinct().sorted().toList();
    }

    /// All scores, in the order of time.
    public List<Score> scores() {
        return attempts.stream()
                .flatMap(attempt -> attempt.scores.stream())
                .sorted(Comparator.comparingLong(Score::time))
                .toList();
    }

    /// All checkpoints that were ever committed, in the order of time.
    public List<Save> saves() {
        return attempts.stream()
                .flatMap(attempt -> attempt.saves.stream())
                .sorted(Comparator.comparingLong(Save::time))
                .toList();
    }

    /// The intervals that were chosen, each where it differs from the one before.
    public List<IntervalChoice> choices() {
        var choices = new ArrayList<IntervalChoice>();
        for (Attempt attempt : attempts) {
            for (IntervalChoice choice : attempt.choices) {
                if (choices.isEmpty()
                        || choices.getLast().seconds() != choice.seconds()
                        || choices.getLast().followed() != choice.followed()) {
                    choices.add(choice);
                }
            }
        }
        return choices;
    }

    /// What else happened, in the order of time.
    public List<RecordedEvent> notes() {
        return attempts.stream()
                .flatMap(attempt -> attempt.notes.stream())
                .sorted(Comparator.comparing(RecordedEvent::time))
                .toList();
    }

    /// The settings of the newest start.
    public Map<String, @Nullable Object> settings() {
        return last().map(attempt -> attempt.settings).orElse(Map.of());
    }

    /// The last step of the training; 0 if unknown.
    public long steps() {
        return last().map(attempt -> attempt.steps).orElse(0L);
    }

    /// The step that the run has reached; 0 if none.
    public long step() {
        return last().map(Attempt::lastStep).orElse(0L);
    }

    /// The epoch that the run has reached, from 0.
    public long epoch() {
        return last().map(attempt -> attempt.lastEpoch).orElse(0L);
    }

    /// The first sign of life, in milliseconds since 1970; empty without any.
    public Optional<Long> firstTime() {
        return attempts.stream().map(Attempt::begunTime).min(Comparator.naturalOrder());
    }

    /// The last sign of life, in milliseconds since 1970; empty without any.
    public Optional<Long> lastTime() {
        return attempts.stream().map(Attempt::lastTime).max(Comparator.naturalOrder());
    }

    /// How long processes have trained this run, without the times between them.
    public double trainedSeconds() {
        return attempts.stream()
                        .mapToLong(attempt -> attempt.lastTime - attempt.begunTime)
                        .sum()
                / 1e3;
    }

    /// The mean time of recent steps; NaN if it is not known.
    public double secondsPerStep() {
        return last().map(Story::secondsPerStep).orElse(Double.NaN);
    }

    private static double secondsPerStep(Attempt attempt) {
        if (attempt.stretches.isEmpty()) {
            return Double.NaN;
        }
        var loss = attempt.stretches.getLast().loss();
        int last = loss.size() - 1;
        int first = Math.max(Math.min(1, last), last - 500); // the first step warms up the engine
        return first < 0 || last <= first
                ? Double.NaN
                : (loss.time(last) - loss.time(first))
                        / 1e3
                        / Math.max(1.0, (double) (loss.step(last) - loss.step(first)));
    }

    /// What went wrong, in the order of time.
    ///
    /// @param alive whether the newest attempt still runs
    /// @param now in milliseconds since 1970
    public List<Failure> failures(boolean alive, long now) {
        var failures = new ArrayList<Failure>();
        List<Attempt> begun =
                attempts.stream().filter(attempt -> attempt.startedStep >= 0).toList();
        for (int i = 0; i < begun.size(); i++) {
            Attempt attempt = begun.get(i);
            for (RecordedEvent note : attempt.notes) {
                if (note.kind().equals("wentBack")) {
                    failures.add(wentBack(attempt, note));
                }
            }
            Optional<Kind> kind = end(attempt, i == begun.size() - 1 && alive);
            if (kind.isPresent()) {
                failures.add(ended(attempt, kind.get(), i + 1 < begun.size() ? begun.get(i + 1) : null, now));
            }
        }
        failures.addAll(replacements(failures));
        failures.sort(Comparator.comparingLong(Failure::from));
        return failures;
    }

    /// When the run had the state from which it went on after a failure, in milliseconds since 1970: of several
    /// processes,
    /// the recovery line. Empty if it has not gone on, or nobody recorded it.
    public OptionalLong recoveryLine(Failure failure) {
        if (failure.isOpen()) {
            return OptionalLong.empty();
        }
        if (failure.resumedStep() >= failure.step()) {
            return OptionalLong.of(failure.from()); // the others had it in memory
        }
        return LongStream.concat(
                        saves().stream()
                                .filter(save -> save.step() == failure.resumedStep()
                                        && !save.kind().equals("merged"))
                                .mapToLong(Save::time),
                        attempts.stream()
                                .filter(attempt -> attempt.startedStep == failure.resumedStep())
                                .mapToLong(attempt -> attempt.startedTime))
                .filter(time -> time <= failure.from())
                .max();
    }

    /// Whether no process of the run survived a failure, as far as anybody recorded.
    public boolean endedAll(Failure failure) {
        return failure.kind() != Kind.REPLACED
                && (failure.isOpen()
                        || machines.stream().noneMatch(machine -> machine.has(failure.from(), failure.to())));
    }

    /// The workers that were replaced. If the run does not tell, other numbers of processes do.
    ///
    /// @param others the failures of whole attempts: the death of the worker that leads is one of them
    private List<Failure> replacements(List<Failure> others) {
        var told = new ArrayList<Failure>();
        for (Attempt attempt : attempts) {
            for (RecordedEvent note : attempt.notes) {
                if (note.kind().equals("recovered")) {
                    told.add(recovered(note));
                }
            }
        }
        if (told.isEmpty()) {
            machines.forEach(machine -> told.addAll(machine.replacements()));
        }
        told.removeIf(failure ->
                others.stream().anyMatch(other -> other.from() <= failure.to() && failure.from() <= other.to()));
        return told;
    }

    private static Failure recovered(RecordedEvent note) {
        long to = Millis.of(note.time());
        double seconds = note.number("recoveredSeconds").orElse(0)
                + note.number("detectedSeconds").orElse(0);
        long step = note.step().orElse(-1);
        String who = note.text("worker").orElse("");
        long lost = (long) note.number("stepsLost").orElse(-1);
        return new Failure(
                Kind.REPLACED,
                to - (long) (1e3 * Math.clamp(seconds, 0, 1e6)),
                to,
                who,
                step,
                lost,
                step < 0 ? 0 : step - Math.max(0, lost),
                note.text("source").orElse(""));
    }

    private static Failure wentBack(Attempt attempt, RecordedEvent note) {
        long time = Millis.of(note.time());
        long to = note.step().orElse(0);
        long from = (long) note.number("fromStep").orElse((double) to);
        String reason = note.text("reason").orElse("");
        return new Failure(Kind.DIVERGED, time, time, attempt.process, from, Math.max(0, from - to), to, reason);
    }

    private static Optional<Kind> end(Attempt attempt, boolean alive) {
        return switch (attempt.outcome().orElse("")) {
            case "" -> alive ? Optional.empty() : Optional.of(Kind.KILLED);
            case "failed" -> Optional.of(Kind.FAILED);
            case "diverged" -> Optional.of(Kind.DIVERGED);
            default -> Optional.empty();
        };
    }

    private static Failure ended(Attempt attempt, Kind kind, @Nullable Attempt next, long now) {
        String reason =
                attempt.ended == null ? "" : attempt.ended.text("reason").orElse("");
        long step = attempt.lastStep();
        if (next == null) {
            return new Failure(kind, attempt.lastTime, now, attempt.process, step, -1, -1, reason);
        }
        long to = next.firstStepTime > 0 ? next.firstStepTime : next.startedTime;
        long lost = next.begin.equals("resumed") ? Math.max(0, step - next.startedStep) : -1;
        return new Failure(
                kind,
                attempt.lastTime,
                Math.max(to, attempt.lastTime),
                attempt.process,
                step,
                lost,
                next.startedStep,
                reason);
    }
}
