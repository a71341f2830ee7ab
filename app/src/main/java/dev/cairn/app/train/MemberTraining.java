package dev.cairn.app.train;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.notice.StopRequest;
import dev.cairn.app.team.TeamEvents;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.member.KeptState;
import dev.cairn.cluster.member.MemberLink;
import dev.cairn.cluster.member.MemberLink.Identity;
import dev.cairn.cluster.member.ParentDeath;
import dev.cairn.cluster.member.PartException;
import dev.cairn.cluster.member.ProcessMeeting;
import dev.cairn.cluster.member.ProcessTeam;
import dev.cairn.cluster.member.PromotedException;
import dev.cairn.engine.Engine;
import dev.cairn.engine.InvalidSettingException;
import dev.cairn.engine.group.GroupMaker;
import dev.cairn.engine.server.ServerPart;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Clock;
import dev.cairn.store.log.AttributeJson;
import dev.cairn.train.Trainer.Start;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.data.Dataset;
import dev.cairn.train.job.DataSource;
import dev.cairn.train.job.JobListener;
import dev.cairn.train.job.JobRefusedException;
import dev.cairn.train.job.JobResult;
import dev.cairn.train.job.TrainingJob;
import dev.cairn.train.team.TeamLostException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One process of a training by several, as its supervisor starts it. It loads its engine, and then leads or follows as
/// the supervisor says.
final class MemberTraining implements AutoCloseable {
    /// As long as a save may take when the supervisor is gone.
    private static final Duration LAST_SAVE = Duration.ofSeconds(60);

    private final TrainCommand command;
    private final Terminal terminal;
    /// Empty if a parameter server has the state.
    private final Optional<GroupMaker> maker;

    private final MemberLink link;
    private final String job;
    private final StopRequest stop;
    private final Notices notices;
    private final DataSource data;

    private MemberTraining(
            TrainCommand command, Terminal terminal, Optional<GroupMaker> maker, MemberLink link, String job) {
        this.job = job;
        this.command = command;
        this.terminal = terminal;
        this.maker = maker;
        this.link = link;
        this.stop = new StopRequest(terminal, Runtime.getRuntime()::halt);
        // The supervisor watches for notices, and passes them on.
        this.notices = command.noNotices();
        this.data = new LoadedOnce(name -> command.load(name, terminal));
        stop.followAsMember(notices, name -> link.send(new Message.Heard(name)));
        link.onStop(
                this::stopped, () -> notices.post(new Notice("the end of the process that started it", null, false)));
    }

    /// Trains as this member, and returns the exit code.
    static int run(TrainCommand command, Identity identity, String engine, PrintWriter err)
            throws IOException, RefusedException, JobRefusedException {
        if (!ParentDeath.becomesSigterm(identity.parent())) {
            return ExitCode.STOPPED; // the supervisor died while this process started
        }
        Optional<GroupMaker> maker = Engine.named(engine).groups();
        if (maker.isEmpty() && !command.isServed()) {
            throw new InvalidSettingException("engine", engine + " cannot train with several workers; use torch");
        }
        try (MemberLink link = MemberLink.open(identity)) {
            Engine.named(engine).describe(); // loads it
            try (var training =
                    new MemberTraining(command, Terminal.withoutProgress(err), maker, link, identity.job())) {
                link.send(new Message.Ready());
                return training.doItsPart();
            }
        }
    }

    private int doItsPart() throws IOException, RefusedException, JobRefusedException {
        while (true) {
            Optional<Message> told = link.next();
            if (told.isEmpty() || told.get() instanceof Message.End) {
                return codeAtTheEnd();
            }
            switch (told.get()) {
                case Message.Lead(boolean begun) -> {
                    return command.isServed() ? serve(begun) : lead(begun, Optional.empty());
                }
                case Message.Follow(var settings) -> {
                    return command.isServed() ? work(settings) : follow(settings);
                }
                case Message.Hold _ -> {
                    return hold();
                }
                case Message.Broken _ -> {} // of a group without this process
                case Message other -> throw new IllegalStateException("not expected from a supervisor: " + other);
            }
        }
    }

    private int codeAtTheEnd() {
        return notices.isGiven() ? ExitCode.STOPPED : ExitCode.DONE;
    }

    /// Follows the leader, unless this process is to lead itself.
    private int follow(JsonNode settings) throws IOException, RefusedException, JobRefusedException {
        PromotedException leads;
        try (var team = new ProcessTeam(link, maker.orElseThrow(), notices)) {
            link.onBeat(() -> new Message.Beat(team.finishedStep(), 0, "", team.tally()));
            TrainingJob.follow(AttributeJson.read(settings), command.goals(), data, notices, team);
            return codeAtTheEnd();
        } catch (PromotedException promoted) {
            leads = promoted;
        }
        return lead(leads.begun(), leads.kept());
    }

    /// @param begun whether another process of this job has led the training before
    /// @param kept the state that this process has from before, as one that followed
    private int lead(boolean begun, Optional<KeptState> kept)
            throws IOException, RefusedException, JobRefusedException {
        TrainingJob training = TrainingJob.checked(command.plan(terminal, begun, job));
        long startNanos = Clock.system().nanos();
        var progress = new ProgressText();
        try (var team = new ProcessTeam(link, maker.orElseThrow(), notices);
                TrainObservers observers = command.observers(terminal, begun, stop, progress)) {
            team.keep(kept);
            stop.beforeExit(observers::done);
            progress.of(observers::progressLine);
            var events = new TeamEvents(observers.all(), team::finishedStep, Clock.system(), 0);
            link.onRecovered(events::recovered);
            team.onSummary(events::summarized);
            link.onBeat(() ->
                    new Message.Beat(team.finishedStep(), stop.grace().toMillis(), progress.text(), team.tally()));
            JobResult ended = training.lead(
                    data, observers.all(), notices, new Announcing(command.report(observers, terminal)), team);
            return tell(ended, observers, startNanos);
        }
    }

    private int tell(JobResult ended, TrainObservers observers, long startNanos) throws IOException {
        double remaining = ended.training().stopped() ? observers.remainingSeconds() : 0;
        observers.done();
        var out = new StringWriter();
        command.print(
                new PrintWriter(out), ended, Duration.ofNanos(Clock.system().nanos() - startNanos), remaining);
        int code = command.ending(terminal).tell(ended, notices, stop);
        link.send(new Message.Result(code, out.toString()));
        return code;
    }

    /// Trains with a parameter server in this process.
    private int serve(boolean begun) throws IOException, RefusedException, JobRefusedException {
        TrainingJob training = TrainingJob.checked(command.plan(terminal, begun, job));
        long startNanos = Clock.system().nanos();
        var progress = new ProgressText();
        ProcessMeeting meeting = command.meeting(link);
        try (TrainObservers observers = command.observers(terminal, begun, stop, progress)) {
            stop.beforeExit(observers::done);
            progress.of(observers::progressLine);
            var events = new TeamEvents(observers.all(), meeting::finishedStep, Clock.system(), command.servers());
            link.onRecovered(events::recovered);
            link.onBeat(() -> new Message.Beat(
                    meeting.finishedStep(), stop.grace().toMillis(), progress.text(), meeting.tally()));
            var listener = new Announcing(command.report(observers, terminal));
            Optional<Path> own = command.uncoordinated();
            JobResult ended = own.isPresent()
                    ? training.serveAtOwnPace(data, observers.all(), notices, listener, meeting, own.get())
                    : training.serve(data, observers.all(), notices, listener, meeting);
            events.summarized(meeting.summary());
            return tell(ended, observers, startNanos);
        }
    }

    /// Computes gradients for the parameter server, unless this process is to become the server itself.
    private int work(JsonNode settings) throws IOException, RefusedException, JobRefusedException {
        ProcessMeeting meeting = command.meeting(link);
        boolean begun;
        try {
            link.onBeat(() -> new Message.Beat(meeting.finishedStep(), 0, "", meeting.tally()));
            Optional<Path> own = command.uncoordinated();
            if (own.isPresent()) {
                TrainingJob.workAtOwnPace(
                        AttributeJson.read(settings), data, notices, meeting, own.get(), command.ownSaving(terminal));
            } else {
                TrainingJob.work(AttributeJson.read(settings), data, notices, meeting);
            }
            return codeAtTheEnd();
        } catch (PromotedException promoted) {
            begun = promoted.begun();
        } catch (PartException part) {
            return hold();
        } catch (TeamLostException lost) {
            return codeAtTheEnd(); // the server saves, if it is still there
        }
        return serve(begun);
    }

    /// Has a part of the weights, until the training has ended.
    private int hold() {
        ProcessMeeting meeting = command.meeting(link);
        ServerPart part = command.part();
        link.onBeat(() -> new Message.Beat(meeting.finishedStep(), 0, "", meeting.tally()));
        meeting.serves(part.address());
        try {
            boolean more = true;
            while (more) {
                more = meeting.await(meeting.finishedStep(), false).isPresent() && meeting.awaitBroken();
            }
        } catch (TeamLostException lost) {
            part.awaitEnd(LAST_SAVE); // the leader saves, if it is still there
        }
        return codeAtTheEnd();
    }

    /// Tells the supervisor the settings of the run as soon as they are known.
    private final class Announcing implements JobListener {
        private final JobListener others;

        Announcing(JobListener others) {
            this.others = others;
        }

        @Override
        public void opened(Supplier<Optional<CopyLag>> lag) {
            others.opened(lag);
        }

        @Override
        public void begins(Start start, TrainingSettings.Resolved settings, Optional<Checkpoint> newest)
                throws IOException {
            others.begins(start, settings, newest);
            link.send(new Message.Settings(
                    AttributeJson.write(settings.settings().asAttributes().asMap())));
        }

        @Override
        public void awaitsCopy(CopyLag lag) {
            others.awaitsCopy(lag);
        }
    }

    /// The progress of the training, from time to time. It is put into words by the training thread: to do so may wait
    /// for storage, and a sign of life must not.
    private static final class ProgressText implements TrainingObserver {
        private Supplier<String> words = () -> "";
        private long nanos;
        private volatile String text = "";

        void of(Supplier<String> newWords) {
            words = newWords;
        }

        String text() {
            return text;
        }

        @Override
        public void on(TrainingEvent event) {
            long now = Clock.system().nanos();
            if (event instanceof TrainingEvent.StepMade && now - nanos > MemberLink.BEAT.toNanos()) {
                nanos = now;
                text = words.get();
            }
        }
    }

    /// Keeps the data for a process that first follows and then leads.
    private static final class LoadedOnce implements DataSource {
        private final DataSource source;
        private @Nullable Dataset loaded;

        LoadedOnce(DataSource source) {
            this.source = source;
        }

        @Override
        public Dataset load(String name) throws IOException {
            Dataset found = loaded;
            if (found == null || !found.name().equals(name)) {
                found = source.load(name);
                loaded = found;
            }
            return found;
        }
    }

    private void stopped(Message.Stop told) {
        Duration left = told.secondsLeft() == null ? null : Duration.ofNanos((long) (told.secondsLeft() * 1e9));
        notices.post(new Notice(told.reason(), left, told.insists()));
    }

    @Override
    public void close() {
        stop.close();
        notices.close();
    }
}
