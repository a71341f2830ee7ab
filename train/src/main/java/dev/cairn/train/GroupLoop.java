package dev.cairn.train;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.engine.Batch;
import dev.cairn.engine.GroupLearner;
import dev.cairn.engine.GroupLearner.GroupBatch;
import dev.cairn.engine.Score;
import dev.cairn.engine.Update;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.store.Attributes;
import dev.cairn.store.Clock;
import dev.cairn.store.right.Generation;
import dev.cairn.train.Trainer.Start;
import dev.cairn.train.TrainingResult.End;
import dev.cairn.train.batch.Prefetch;
import dev.cairn.train.batch.Share;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.team.Replica;
import dev.cairn.train.team.Team;
import dev.cairn.train.team.TeamLostException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One training by a team of processes, as one of them runs it. All processes have the same state after each step, and
/// decide alike: what they decide by is either part of the state, or was exchanged.
///
/// If a process dies, the others keep the state of the last step that they finished. The team forms again, those that
/// are behind get the most advanced state, and the interrupted step is made again. The team may then have another
/// number
/// of processes, and so may it when more are ready: the whole batch stays the same, and is shared out anew.
final class GroupLoop implements AutoCloseable {
    private final TrainingSettings settings;
    private final Goals goals;
    private final GroupLearner learner;
    private final Team team;
    private final GroupSaves saves;
    private final Scoring scoring;
    private final Notices notices;
    private final Function<Share, Prefetch> loader;
    private final TrainingRun run;
    private final LoopEvents events;
    private final Clock clock;
    private final MyReplica replica;
    private @Nullable Prefetch batches;
    private Share loaded = Share.ALL;
    private boolean interrupted;

    /// @param loader loads this process's share of each batch
    GroupLoop(
            Trainer.Parts parts,
            GroupLearner learner,
            Team team,
            GroupSaves saves,
            Scoring scoring,
            Function<Share, Prefetch> loader) {
        this.settings = parts.settings();
        this.goals = parts.goals();
        this.notices = parts.notices();
        this.clock = parts.clock();
        this.learner = learner;
        this.team = team;
        this.saves = saves;
        this.scoring = scoring;
        this.loader = loader;
        this.run = new TrainingRun(settings, learner);
        this.events = new LoopEvents(settings, run, parts.observer(), clock);
        this.replica = new MyReplica();
    }

    LoopEvents events() {
        return events;
    }

    TrainingResult run(Start start) throws IOException {
        Optional<Checkpoint> from = saves.begin(run);
        replica.valid = saves.hasState();
        boolean begun = false;
        while (true) {
            try {
                saves.beforeUpdate(); // no capture may read what is overwritten now
                interrupted = false;
                team.form(replica);
                Optional<Generation> group = team.generation();
                if (group.isPresent()) {
                    saves.formed(group.get()); // nobody can make a step without the leader
                }
                if (!begun) {
                    begun = true;
                    events.started(start, from.isPresent(), saves.count());
                }
                Optional<TrainingResult> result = toTheEnd(from);
                if (result.isPresent()) {
                    team.finish();
                    return result.get();
                }
            } catch (BrokenGroupException broken) {
                // The team forms again.
            } catch (TeamLostException lost) {
                // Nobody else is left to agree with, so this process saves what it has.
                boolean saved = replica.progress() == Replica.NONE || run.step() == 0 || saves.saveNow(run);
                return run.result(Optional.empty(), from, new End.Stopped(), saved, notices.isCancelled());
            }
        }
    }

    /// Trains to the end. Empty if the team forms again before.
    private Optional<TrainingResult> toTheEnd(Optional<Checkpoint> from) throws IOException {
        // The score of the current state, if the state was scored.
        Optional<Score> scored = scoreIfDue();
        while (goesOn()) {
            if (step()) {
                return Optional.of(run.result(Optional.empty(), from, diverged(), false, notices.isCancelled()));
            }
            scored = scoreIfDue();
            if (goesOn()) { // otherwise the last, exact save follows
                save(scored.isPresent());
                if (team.regroups()) {
                    return Optional.empty();
                }
            }
        }
        boolean saved = true;
        if (run.step() > 0 || !stops()) {
            team.agree(replica);
            saved = saves.saveNow(run);
        }
        Optional<Score> score = scored.isPresent() ? scored : scoreAtTheEnd();
        saves.tidy();
        return Optional.of(run.result(score, from, end(score.isPresent()), saved, notices.isCancelled()));
    }

    /// Makes one step, and returns whether the training has diverged.
    private boolean step() throws IOException {
        Prefetch source = batches();
        Cursor cursor = run.cursor();
        Update update = run.nextUpdate();
        long next = run.step() + 1;
        boolean due = !run.isScored(next) && isSaveDue(next);
        long began = clock.nanos();
        Batch examples = source.at(cursor);
        waited(Team.Cause.DATA, began);
        var mine = new GroupBatch(examples, source.sizeAt(cursor), team.share().rank());
        float loss = learner.step(mine, update, team.exchange(next, examples.size(), due), this::beforeUpdate);
        long epoch = run.epoch();
        boolean diverged = run.stepMade(loss, source.after(cursor));
        events.stepMade(epoch, update.rate(), mine.whole());
        return diverged;
    }

    private boolean isSaveDue(long step) throws IOException {
        return saves.isDue(step) || (saves.savesEpochs() && run.endsEpoch(step));
    }

    /// No capture may read what is overwritten now.
    private void beforeUpdate() {
        long began = clock.nanos();
        saves.beforeUpdate();
        waited(Team.Cause.SAVE, began);
    }

    private void waited(Team.Cause cause, long began) {
        team.waited(cause, Duration.ofNanos(clock.nanos() - began));
    }

    private Prefetch batches() {
        Prefetch now = batches;
        if (now == null || !loaded.equals(team.share())) {
            close();
            loaded = team.share();
            now = loader.apply(loaded);
            batches = now;
        }
        return now;
    }

    /// Scored steps decide on their save only now, because the best ones are saved.
    private void save(boolean scored) throws IOException {
        boolean save = scored ? team.decide(isSaveDue(run.step()) || saves.isBest(run)) : team.saves();
        if (save) {
            team.agree(replica);
        }
        long began = clock.nanos();
        saves.afterStep(run, save);
        waited(Team.Cause.SAVE, began);
    }

    private Optional<Score> scoreIfDue() {
        if (!run.isScoreDue()) {
            return Optional.empty();
        }
        long began = clock.nanos();
        Optional<Score> score = score();
        score.ifPresent(found -> {
            run.scored(found);
            events.scored(found, began);
        });
        return score;
    }

    /// Scores after the last save, so the score is not part of the saved state.
    private Optional<Score> scoreAtTheEnd() {
        if (stops()) {
            return Optional.empty();
        }
        long began = clock.nanos();
        Optional<Score> score = score();
        score.ifPresent(found -> events.scored(found, began));
        return score;
    }

    /// Each process scores a part of the test split. The sum does not depend on the number of processes. Empty if one
    /// of them got a notice.
    private Optional<Score> score() {
        Scoring.Parts parts = scoring.parts(run.step(), team.share());
        team.addUp(parts.numbers());
        interrupted |= parts.wereInterrupted();
        return parts.wereInterrupted() ? Optional.empty() : Optional.of(parts.whole());
    }

    private boolean stops() {
        return interrupted || team.stops();
    }

    private boolean goesOn() {
        return run.step() < settings.steps() && !isGoalReached() && !stops();
    }

    private boolean isGoalReached() {
        return goals.areReached(run.lastTestLoss(), settings.workload().measure(), run.lastScore());
    }

    private End end(boolean scored) {
        boolean last = run.step() >= settings.steps();
        if ((last || isGoalReached()) && (scored || !stops())) {
            return isGoalReached() ? new End.Reached() : new End.Done();
        }
        return new End.Stopped();
    }

    private End.Diverged diverged() throws IOException {
        OptionalLong good = saves.newestStepUpTo(run.lastGoodStep());
        return new End.Diverged(run.step(), run.divergence(), 0, good.isPresent() ? good.getAsLong() : null);
    }

    @Override
    public void close() {
        if (batches != null) {
            batches.close();
            batches = null;
        }
    }

    private final class MyReplica implements Replica {
        private boolean valid;

        @Override
        public long step() {
            return run.step();
        }

        /// A score is part of the state, so a scored state is further than the same one before.
        @Override
        public long progress() {
            return valid ? 2 * run.step() + (run.isScoreDue() ? 0 : 1) : NONE;
        }

        @Override
        public void overwriting() {
            valid = false;
        }

        @Override
        public List<LiveTensor> tensors() {
            return run.tensors();
        }

        @Override
        public Attributes attributes() {
            return run.attributes();
        }

        @Override
        public void restored(long step, Attributes attributes) {
            run.restored(step, attributes);
            valid = true;
        }
    }
}
