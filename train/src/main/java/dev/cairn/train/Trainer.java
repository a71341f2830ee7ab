package dev.cairn.train;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.engine.Engine;
import dev.cairn.engine.GroupLearner;
import dev.cairn.engine.InvalidSettingException;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.Score;
import dev.cairn.engine.Update;
import dev.cairn.engine.server.GradientWorker;
import dev.cairn.engine.server.ParameterServer;
import dev.cairn.engine.server.ServerMaker;
import dev.cairn.engine.server.ServerPart;
import dev.cairn.observe.Observers;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Clock;
import dev.cairn.train.TrainingResult.End;
import dev.cairn.train.TrainingSettings.Mode;
import dev.cairn.train.batch.ExampleOrder;
import dev.cairn.train.batch.Examples;
import dev.cairn.train.batch.Prefetch;
import dev.cairn.train.batch.Share;
import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.data.Dataset;
import dev.cairn.train.data.GlobalOrder;
import dev.cairn.train.data.ShardOrder;
import dev.cairn.train.steps.Dealer;
import dev.cairn.train.steps.FreeSteps;
import dev.cairn.train.steps.GlobalDealer;
import dev.cairn.train.steps.LocalSteps;
import dev.cairn.train.steps.Meeting;
import dev.cairn.train.steps.ServedSteps;
import dev.cairn.train.steps.ShardDealer;
import dev.cairn.train.steps.Steps;
import dev.cairn.train.steps.WorkerLoop;
import dev.cairn.train.team.Team;
import dev.cairn.train.team.TeamLostException;
import dev.cairn.train.uncoordinated.OwnPaceLoop;
import dev.cairn.train.uncoordinated.OwnPaceSteps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The training loop: restores, then steps, scores and saves until the last step, a goal or a notice. If the
/// training ends normally, its last state is always saved.
///
/// The loop checks for notices after every step and after every scored batch. The notices may cancel the last
/// save.
public final class Trainer {
    /// The factor for the learning rate after each rollback.
    private static final double LOWER_RATE = 0.5;

    /// The maximum number of rollbacks: if a training diverges again and again, a lower rate does not help.
    private static final int MOST_ROLLBACKS = 10;

    /// An address of this host that other hosts cannot reach.
    private static final String LOOPBACK = "127.0.0.1";

    private final TrainingSettings settings;
    private final Examples examples;
    private final Model model;
    private final Engine engine;
    private final Goals goals;
    private final TrainingObserver observer;
    private final Notices notices;
    private final Clock clock = Clock.system();

    /// Creates a trainer for these settings.
    ///
    /// @param data the data set with the name in the settings
    /// @param observer receives events; its exceptions do not affect the training
    /// @throws IllegalArgumentException if the data does not fit the workload, or the engine is unknown
    public Trainer(TrainingSettings settings, Dataset data, Goals goals, TrainingObserver observer, Notices notices) {
        this.examples = new Examples(data);
        this.settings = settings.ofData(examples.trainCount());
        this.model = settings.workload().model(settings.model(), data);
        this.engine = Engine.named(settings.engine());
        this.goals = goals;
        this.observer = Observers.of(observer);
        this.notices = notices;
    }

    /// The settings of this training. The data decides how many steps an epoch has.
    public TrainingSettings settings() {
        return settings;
    }

    /// Where a training starts.
    public sealed interface Start {
        /// At the run's newest good checkpoint, or at step 0 if it has none yet.
        record Resume(Matching matching) implements Start {}

        /// At step 0, even if the run has checkpoints.
        record Fresh() implements Start {}

        /// At a checkpoint of another run. This run has none yet.
        record Fork(ForkPoint point, Matching matching) implements Start {}
    }

    /// Throws if [#train] would refuse to start at this checkpoint of another run because the model differs.
    public void check(Start.Fork fork) throws IOException {
        try (LocalLearner learner = learner()) {
            fork.point().check(new TrainingRun(settings, learner), fork.matching());
        }
    }

    private LocalLearner learner() {
        return engine.learner(model, settings.optimizer(), settings.seed(), settings.threads());
    }

    /// Trains this run and returns the result.
    public TrainingResult train(Checkpoints checkpoints, Start start) throws IOException {
        try (LocalLearner learner = learner();
                var batches = load(Share.ALL);
                var scoring = new Scoring(learner, examples, notices, observer, clock)) {
            var run = new TrainingRun(settings, learner);
            return new Loop(checkpoints, run, new LocalSteps(learner, batches), scoring).runToItsEnd(start);
        }
    }

    /// Trains this run with a parameter server in this process, and returns the result. Other processes compute the
    /// gradients.
    public TrainingResult serve(Checkpoints checkpoints, Start start, Meeting meeting) throws IOException {
        ServerMaker maker = servers();
        try (ParameterServer server = maker.server(
                        model,
                        settings.optimizer(),
                        settings.seed(),
                        settings.threads(),
                        LOOPBACK,
                        settings.workers(),
                        meeting.servers());
                var scoring = new Scoring(server, examples, notices, observer, clock)) {
            var run = new TrainingRun(settings, server);
            Steps steps = settings.mode() == Mode.PS_SYNC
                    ? new ServedSteps(server, meeting, order(settings.workers()), settings.updateBatch(), run::step)
                    : new FreeSteps(
                            server, meeting, dealer(), settings.evaluateEvery(), new Position(run, settings.steps()));
            return new Loop(checkpoints, run, steps, scoring).runToItsEnd(start);
        }
    }

    /// Trains this run as [#serve] does, with workers that save for themselves.
    ///
    /// @param job the folder of the job, below which all runs are
    public TrainingResult serveAtOwnPace(Checkpoints checkpoints, Start start, Meeting meeting, Path job)
            throws IOException {
        try (ParameterServer server = servers()
                        .server(
                                model,
                                settings.optimizer(),
                                settings.seed(),
                                settings.threads(),
                                LOOPBACK,
                                settings.workers(),
                                meeting.servers());
                var scoring = new Scoring(server, examples, notices, observer, clock)) {
            var run = new TrainingRun(settings, server);
            try (var steps = new OwnPaceSteps(
                    server,
                    meeting,
                    order(settings.workers()),
                    settings.updateBatch(),
                    settings.evaluateEvery(),
                    job,
                    new OwnPaceState(run, checkpoints, settings.steps()))) {
                return new Loop(checkpoints, run, steps, scoring).runToItsEnd(start);
            }
        }
    }

    /// Computes gradients as [#work] does, and saves for itself.
    ///
    /// @param job the folder of the job
    /// @param options how the worker saves
    public void workAtOwnPace(Meeting meeting, Path job, CheckpointOptions options) throws IOException {
        try (GradientWorker worker = servers().worker(model, settings.seed(), settings.threads());
                var scoring = new Scoring(worker, examples, notices, observer, clock);
                var loop = new OwnPaceLoop(
                        worker, meeting, this::load, () -> scoring.score(0).orElse(Score.NONE), clock, job, options)) {
            loop.run();
        }
    }

    private record OwnPaceState(TrainingRun run, Checkpoints checkpoints, long lastStep) implements OwnPaceSteps.State {
        @Override
        public long step() {
            return run.step();
        }

        @Override
        public List<Cursor> received() {
            return run.handedOut();
        }

        @Override
        public void goBack(long step) throws IOException {
            if (step == 0 && run.step() == 0) {
                if (checkpoints.count() == 0) {
                    checkpoints.saveNow(0, run); // to go back to
                }
            } else if (checkpoints
                    .rollBack(step, 1, run)
                    .filter(found -> found.step() == step)
                    .isEmpty()) {
                throw new IOException(
                        "the run has no checkpoint of step %d any more, from which all must go on".formatted(step));
            }
        }
    }

    /// Computes gradients for a training whose server is in another process. Returns when that has ended.
    public void work(Meeting meeting) throws IOException {
        try (GradientWorker worker = servers().worker(model, settings.seed(), settings.threads());
                var scoring = new Scoring(worker, examples, notices, observer, clock);
                var loop = new WorkerLoop(
                        worker, meeting, this::load, () -> scoring.score(0).orElse(Score.NONE), clock)) {
            loop.run();
        }
    }

    /// Starts a server in this process that has a part of the weights of a training whose loop is in another process.
    public static ServerPart part(String engine, int threads, int workers) {
        return servers(engine).part(threads, LOOPBACK, workers);
    }

    private record Position(TrainingRun run, long lastStep) implements FreeSteps.Progress {
        @Override
        public long step() {
            return run.step();
        }

        @Override
        public List<Cursor> handedOut() {
            return run.handedOut();
        }
    }

    private ServerMaker servers() {
        return servers(settings.engine());
    }

    private static ServerMaker servers(String engine) {
        return ServerMaker.of(engine)
                .orElseThrow(() -> new InvalidSettingException(
                        "mode", "%s has no parameter server; use tensorflow".formatted(engine)));
    }

    /// Trains this run as the leader of a team, and returns the result.
    public TrainingResult lead(Checkpoints checkpoints, Start start, Team team) throws IOException {
        var saves = new GroupSaves.Leading(checkpoints, start, new LoopStart(settings, goals), notices);
        return trainWith(team, saves, start);
    }

    /// Trains with a team that another process leads. Returns when that has ended.
    public void follow(Team team) throws IOException {
        trainWith(team, new GroupSaves.None(), new Start.Fresh());
    }

    private TrainingResult trainWith(Team team, GroupSaves saves, Start start) throws IOException {
        var parts = new Parts(settings, goals, observer, notices, clock);
        try (GroupLearner learner = groupLearner();
                var scoring = new Scoring(learner, examples, notices, observer, clock);
                var loop = new GroupLoop(parts, learner, team, saves, scoring, this::load)) {
            try {
                TrainingResult result = loop.run(start);
                loop.events().ended(result.end());
                return result;
            } catch (IOException | RuntimeException | Error e) {
                loop.events().failed(e);
                throw e;
            } finally {
                saves.beforeUpdate(); // A capture must not outlive the memory that it reads.
            }
        }
    }

    private Prefetch load(Share share) {
        return new Prefetch(examples, order(share.of()), settings.updateBatch(), share);
    }

    /// The examples of a worker of a server.
    private Prefetch load(Meeting.Place place) {
        int workers = place.generation().workers();
        if (settings.mode() != Mode.PS_ASYNC) {
            return load(new Share(place.rank(), workers));
        }
        ExampleOrder wanted = settings.order();
        DataOrder order = wanted.isSharded()
                ? ShardOrder.ofOne(settings.seed(), examples.trainCount(), place.rank(), workers, wanted.shuffle())
                : order(1);
        return new Prefetch(examples, order, settings.updateBatch(), Share.ALL);
    }

    private DataOrder order(int workers) {
        ExampleOrder wanted = settings.order();
        return wanted.isSharded()
                ? new ShardOrder(
                        settings.seed(), examples.trainCount(), workers, settings.updateBatch(), wanted.shuffle())
                : new GlobalOrder(settings.seed(), examples.trainCount());
    }

    /// Gives out the batches of an asynchronous training.
    private Dealer dealer() {
        int batch = settings.updateBatch();
        return settings.order().isSharded()
                ? new ShardDealer(examples.trainCount(), settings.workers(), batch)
                : new GlobalDealer(order(1), batch);
    }

    private GroupLearner groupLearner() {
        LocalLearner learner = learner();
        if (learner instanceof GroupLearner able) {
            return able;
        }
        learner.close();
        throw new InvalidSettingException(
                "workers",
                "%s on %s cannot be trained by several workers"
                        .formatted(settings.workload().label(), settings.engine()));
    }

    /// Whether the ends of epochs are saved.
    static boolean savesEpochs(Checkpoints checkpoints) {
        return checkpoints.policy() instanceof SavePolicy.EveryEpoch;
    }

    /// What every loop of this trainer has in common.
    record Parts(TrainingSettings settings, Goals goals, TrainingObserver observer, Notices notices, Clock clock) {}

    /// One training, from its start to its end.
    private final class Loop {
        private final Checkpoints checkpoints;
        private final TrainingRun run;
        private final Steps steps;
        private final Scoring scoring;
        private final LoopEvents events;
        private int rollbacks;
        private boolean wentBack;

        /// The score that a worker has measured with the last step.
        private Score byWorker = Score.NONE;

        /// Whether nobody is left to make further steps with.
        private boolean alone;

        Loop(Checkpoints checkpoints, TrainingRun run, Steps steps, Scoring scoring) {
            this.checkpoints = checkpoints;
            this.run = run;
            this.steps = steps;
            this.scoring = scoring;
            this.events = new LoopEvents(settings, run, observer, clock);
        }

        TrainingResult runToItsEnd(Start start) throws IOException {
            try {
                TrainingResult result = run(start);
                events.ended(result.end());
                return result;
            } catch (IOException | RuntimeException | Error e) {
                events.failed(e);
                throw e;
            } finally {
                checkpoints.beforeUpdate(); // A capture must not outlive the memory that it reads.
            }
        }

        private TrainingResult run(Start start) throws IOException {
            Optional<Checkpoint> from = new LoopStart(settings, goals).begin(start, checkpoints, run);
            events.started(start, from.isPresent(), checkpoints.count());
            // The score of the current state, if the state was scored.
            Optional<Score> scored = scoreIfDue();
            while (goesOn()) {
                if (step()) {
                    Optional<End.Diverged> end = diverged();
                    if (end.isPresent()) {
                        return run.result(Optional.empty(), from, end.get(), false, notices.isCancelled());
                    }
                    scored = Optional.empty();
                    continue;
                }
                if (wentBack) {
                    scored = Optional.empty();
                    continue;
                }
                scored = scoreIfDue();
                if (goesOn()) { // otherwise the last, exact save follows
                    save(scored.isPresent());
                }
            }
            boolean untrained = run.step() == 0 && (notices.isGiven() || alone);
            boolean saved =
                    untrained || checkpoints.saveNow(run.step(), run, notices).isSaved();
            Optional<Score> score = scored.isPresent() ? scored : scoreAtTheEnd();
            checkpoints.tidy(notices::isGiven);
            return run.result(score, from, end(score.isPresent()), saved, notices.isCancelled());
        }

        private void save(boolean scored) throws IOException {
            if (savesEpochs(checkpoints) && run.endsEpoch(run.step())) {
                checkpoints.afterStep(run.step(), run, true);
            } else if (scored) {
                checkpoints.afterScore(run.step(), run);
            } else {
                checkpoints.afterStep(run.step(), run);
            }
        }

        /// Makes one step, and returns whether the training has diverged.
        private boolean step() {
            Cursor cursor = run.cursor();
            Update update = run.nextUpdate();
            Optional<Steps.Made> tried;
            try {
                tried = steps.tryMake(cursor, update, checkpoints::beforeUpdate);
            } catch (TeamLostException lost) {
                alone = true; // this process saves what it has
                return false;
            }
            wentBack = tried.isEmpty();
            if (wentBack) {
                return false;
            }
            Steps.Made made = tried.get();
            long epoch = run.epoch();
            boolean diverged = run.stepMade(made.loss(), made.next());
            run.add(made.staleness(), made.handedOut());
            byWorker = made.score();
            events.stepMade(epoch, update.rate(), made.examples());
            return diverged;
        }

        private Optional<Score> scoreIfDue() {
            Score theirs = byWorker;
            byWorker = Score.NONE;
            if (theirs.count() > 0 && !run.isScoreDue()) {
                run.scored(theirs);
                events.scored(theirs, clock.nanos());
                return Optional.of(theirs);
            }
            if (!run.isScoreDue()) {
                return Optional.empty();
            }
            long began = clock.nanos();
            Optional<Score> score = scoring.score(run.step());
            score.ifPresent(found -> {
                run.scored(found);
                events.scored(found, began);
            });
            return score;
        }

        /// Scores after the last save, so the score is not part of the saved state.
        private Optional<Score> scoreAtTheEnd() {
            long began = clock.nanos();
            Optional<Score> score = scoring.score(run.step());
            score.ifPresent(found -> events.scored(found, began));
            return score;
        }

        private boolean goesOn() {
            return run.step() < settings.steps() && !isGoalReached() && !notices.isGiven() && !alone;
        }

        private boolean isGoalReached() {
            return goals.areReached(run.lastTestLoss(), settings.workload().measure(), run.lastScore());
        }

        private End end(boolean scored) {
            boolean last = run.step() >= settings.steps();
            if ((last || isGoalReached()) && (scored || !notices.isGiven())) {
                return isGoalReached() ? new End.Reached() : new End.Done();
            }
            return new End.Stopped();
        }

        /// Goes back to a checkpoint if the goals allow it and there is one. Otherwise returns how the training
        /// ends.
        private Optional<End.Diverged> diverged() throws IOException {
            long step = run.step();
            long good = run.lastGoodStep();
            String reason = run.divergence();
            double factor = run.rateFactor() * LOWER_RATE;
            if (goals.rollback() > 0 && rollbacks < MOST_ROLLBACKS) {
                Optional<Checkpoint> back = checkpoints.rollBack(good, goals.rollback(), run);
                if (back.isPresent()) {
                    rollbacks++;
                    run.lowerRate(factor / run.rateFactor());
                    events.wentBack(step, reason);
                    // Saves the lower rate, so that a restart uses it too.
                    checkpoints.saveNow(run.step(), run);
                    return Optional.empty();
                }
            }
            OptionalLong newest = checkpoints.newestStepUpTo(good);
            return Optional.of(
                    new End.Diverged(step, reason, rollbacks, newest.isPresent() ? newest.getAsLong() : null));
        }
    }
}
