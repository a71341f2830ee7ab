package dev.cairn.cluster.supervise;

import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.cluster.control.Address;
import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Door;
import dev.cairn.cluster.control.Failure;
import dev.cairn.cluster.control.Failure.Cause;
import dev.cairn.cluster.control.Failure.Source;
import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.control.Secret;
import dev.cairn.cluster.hosts.Host;
import dev.cairn.cluster.hosts.JobHosts;
import dev.cairn.cluster.hosts.Muster;
import dev.cairn.cluster.member.MemberLink.Identity;
import dev.cairn.cluster.supervise.Member.Phase;
import dev.cairn.store.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Runs a job of several processes: starts the members and the spares, and replaces those that die, until the leader
/// has a result. Everything happens on the thread that calls [#run], in the order in which it is heard of. That thread
/// starts the processes, so it must live as long as they: the system ties a child to the thread that started it.
public final class Supervisor {
    /// The exit code of a process that a notice stopped.
    private static final int STOPPED = 75;

    private static final int FAILED = 1;

    /// Exit codes from here on are those of signals.
    static final int FIRST_SIGNAL = 128;

    private static final Duration TICK = Duration.ofMillis(200);
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(15);
    private static final Duration CLOCKS_APART = Duration.ofSeconds(30);
    private static final int NAME_LETTERS = 16;

    /// A loop that takes this many ticks was stopped.
    private static final int STOPPED_TICKS = 5;

    private final TeamPlan plan;
    private final Launcher launcher;
    private final View view;
    private final Clock clock;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Map<Member, MemberOutput> outputs = new HashMap<>();
    private final Restarts restarts = new Restarts();
    private final Roster roster;
    private final JobHosts job;
    private final Muster hosts;
    private final Map<Member, Host> places = new HashMap<>();
    private final Map<Integer, String> cards = new TreeMap<>();
    private final String name = Secret.random().text().substring(0, NAME_LETTERS);
    private final Failures failures = new Failures();
    private final Tallies tallies = new Tallies();
    private final Stragglers stragglers = new Stragglers();
    private final StopOrder stop;
    private final ProcessList processes;
    private @Nullable Outcome outcome;
    private volatile long graceMillis;
    private int started;
    private long nextStartNanos;
    private long oddGeneration;
    private boolean formed;
    private long aliveNanos;

    /// The number of workers that was told last.
    private int told;

    /// On this host.
    public Supervisor(TeamPlan plan, Launcher launcher, View view, Clock clock) {
        this(plan, JobHosts.alone(), launcher, view, clock);
    }

    /// On several hosts, of which this is the first. On the others, agents start the processes.
    public Supervisor(TeamPlan plan, JobHosts job, Launcher launcher, View view, Clock clock) {
        this.plan = plan;
        this.job = job;
        this.hosts = new Muster(job, plan.workers(), plan.spares(), clock.nanos());
        this.launcher = launcher;
        this.view = view;
        this.clock = clock;
        this.roster = new Roster(plan, job.areSeveral(), view::beforeForming);
        this.told = plan.workers();
        this.stop = new StopOrder(plan.usualTime());
        this.processes = new ProcessList(view);
    }

    /// Stops the training, from any thread: the first notice saves and ends it, one more gives up the save, a third
    /// ends the processes at once.
    public void stop(Notice given) {
        events.add(new Event.Noticed(given));
    }

    /// Lets the present group end after its present step and form again, from any thread. The training does not need
    /// it; it shows how long that takes.
    public void formAgain() {
        events.add(new Event.Regrouped());
    }

    /// How long before a deadline the training must stop, as far as the leader knows; zero if it does not.
    public Duration grace() {
        return Duration.ofMillis(graceMillis);
    }

    /// Runs the job to its end.
    public Outcome run() throws IOException, InterruptedException {
        try (Door door = Door.open(job.door(), job.secret(), this::serve)) {
            aliveNanos = clock.nanos();
            var pulse = new Pulse(plan.silence(), TICK, clock.nanos());
            while (outcome == null) {
                startMissing(door.address());
                Event event = events.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
                if (event != null) {
                    on(event);
                }
                watchHosts();
                pulse.silent(roster.members(), clock.nanos()).forEach(this::endSilent);
                if (stop.isFinal(clock.nanos())) {
                    outcome = ended(STOPPED, Notes.withoutSave(stop));
                }
                if (outcome == null && roster.advance(clock.nanos())) {
                    forms();
                }
                summarizeIfFinished();
                if (stragglers.isDue(clock.nanos())) {
                    stragglers.look(roster.uses(), clock.nanos()).ifPresent(view::note);
                }
                processes.tell(roster, formed, clock.nanos());
            }
            end();
            sayFarewell(outcome);
            return outcome;
        } finally {
            roster.members().forEach(Member::kill);
        }
    }

    private void forms() {
        formed = true;
        cards.clear();
        if (roster.source() == Source.CHECKPOINT && roster.sourceStep() < restarts.step()) {
            view.note(Notes.fromCheckpoint(roster.sourceStep()));
        }
        int now = roster.formed();
        view.forms(roster.sourceStep(), now);
        if (now != told) {
            view.note(
                    now < told
                            ? Notes.fewer(now, plan, roster.sourceStep())
                            : Notes.more(now, plan, roster.sourceStep()));
            told = now;
        }
    }

    /// Tells the leader how the team recovered, because it keeps the events of the run.
    private void recovered() {
        List<Failure> now = failures.recovered(roster.sourceStep(), roster.source(), clock.nanos());
        now.forEach(failure -> view.note(Notes.recovered(failure, plan, roster.formed() - plan.servers())));
        roster.leader().ifPresent(leader -> now.forEach(failure -> leader.tell(new Message.Recovered(failure))));
    }

    /// Tells the leader what all have done, when nobody of its group does any more.
    private void summarizeIfFinished() {
        boolean all = roster.members().stream()
                .filter(member -> member.phase() == Phase.TRAINING)
                .allMatch(Member::hasFinished);
        if (all) {
            roster.leader()
                    .filter(Member::hasFinished)
                    .ifPresent(leader -> leader.summarize(new Message.Summary(tallies.all())));
        }
    }

    /// Reads from a process, on a thread of its own.
    private void serve(Message first, Connection connection) {
        switch (first) {
            case Message.Join(int number) ->
                serve(
                        connection,
                        new Event.Joined(number, connection),
                        said -> new Event.Said(number, said),
                        new Event.Left(number));
            case Message.Enlist told ->
                serve(
                        connection,
                        new Event.HostJoined(told, connection),
                        said -> new Event.HostSaid(told.host(), connection, said),
                        new Event.HostLeft(told.host(), connection));
            case Message _ -> connection.close();
        }
    }

    private void serve(Connection connection, Event joined, Function<Message, Event> said, Event left) {
        events.add(joined);
        for (Optional<Message> read = connection.read(); read.isPresent(); read = connection.read()) {
            events.add(said.apply(read.get()));
        }
        connection.close();
        events.add(left);
    }

    private void startMissing(Address address) throws IOException {
        for (Host host : hosts.present()) {
            while (places.values().stream().filter(host::equals).count() < host.places()
                    && clock.nanos() >= nextStartNanos) {
                start(host, address);
            }
        }
    }

    private void start(Host host, Address address) throws IOException {
        int number = started++;
        Duration silence = job.areSeveral() ? plan.silence() : Duration.ZERO;
        String itsJob = job.areSeveral() ? name : "";
        Process process = host.agent() == null
                ? launcher.start(new Identity(
                                address,
                                number,
                                ProcessHandle.current().pid(),
                                job.secret().text(),
                                silence,
                                itsJob)
                        .variables())
                : host.start(new Message.Start(number, itsJob, silence.toMillis()));
        var member = new Member(number, process, plan);
        member.takeRank(host.nextRank());
        places.put(member, host);
        roster.members().add(member);
        var output = new MemberOutput(member, view);
        output.passOn();
        outputs.put(member, output);
        CompletableFuture<Void> _ =
                process.onExit().thenAccept(ended -> events.add(new Event.Exited(number, ended.exitValue())));
    }

    /// Notices hosts that are lost or do not come, and shows them that this process is alive.
    private void watchHosts() {
        long now = clock.nanos();
        if (!job.areSeveral() || now - aliveNanos < TICK.toNanos()) {
            return;
        }
        if (now - aliveNanos > STOPPED_TICKS * TICK.toNanos()) {
            hosts.heardAll(now); // this process was stopped itself
        }
        aliveNanos = now;
        hosts.tell(new Message.Alive());
        roster.members().forEach(member -> member.tell(new Message.Alive()));
        hosts.silent(plan.silence(), now).forEach(host -> lose(host, true));
        if (outcome == null) {
            hosts.missing(now).ifPresent(why -> outcome = ended(FAILED, why));
        }
    }

    private void lose(Host host, boolean silent) {
        view.note(Notes.hostLost(host, silent, plan.silence()));
        for (Member member : roster.members()) {
            if (places.get(member) == host) {
                member.end(silent ? Cause.SILENT : Cause.DIED, clock.nanos());
                member.hangUp();
            }
        }
        host.lose();
    }

    private void joined(Message.Enlist told, Connection connection) {
        Optional<String> refused = hosts.join(told, connection, clock.nanos());
        if (refused.isPresent()) {
            connection.send(new Message.Refused(refused.get()));
            connection.close();
            if (hosts.isComplete()) {
                view.note(refused.get());
            } else {
                outcome = ended(FAILED, refused.get()); // the job would wait for this host in vain
            }
            return;
        }
        Host host = hosts.numbered(told.host());
        view.note(Notes.hostJoined(host, hosts.there(), job.count()));
        Duration ahead = Duration.ofMillis(told.millis() - clock.now().toEpochMilli());
        if (ahead.abs().compareTo(CLOCKS_APART) > 0) {
            view.note(Notes.clock(host, ahead));
        }
    }

    private void said(Host host, Message message) {
        host.heard(clock.nanos());
        if (message instanceof Message.Heard(String reason)) {
            noticed(new Notice(reason, null, false));
        } else {
            host.told(message);
        }
    }

    /// Passes the cards of a group on, when all of its members have given theirs.
    private void dealt(Message.Card card) {
        if (card.generation() != roster.generation()) {
            return;
        }
        cards.put(card.rank(), card.text());
        if (cards.size() == roster.formed()) {
            var all = new Message.Cards(card.generation(), List.copyOf(cards.values()));
            roster.members().stream()
                    .filter(member -> member.phase() == Phase.FORMING)
                    .forEach(member -> member.tell(all));
        }
    }

    private void on(Event event) throws InterruptedException {
        switch (event) {
            case Event.Joined(int number, Connection connection) ->
                roster.numbered(number)
                        .ifPresentOrElse(member -> member.joined(connection, clock.nanos()), connection::close);
            case Event.Said(int number, Message message) -> {
                Optional<Member> member = roster.numbered(number);
                if (member.isPresent()) {
                    on(member.get(), message);
                }
            }
            case Event.Left(int number) -> {
                Optional<Member> member = roster.numbered(number);
                member.ifPresent(Member::left);
                if (member.isPresent()) {
                    goneIfGone(member.get());
                }
            }
            case Event.Exited(int number, int code) -> {
                Optional<Member> member = roster.numbered(number);
                member.ifPresent(found -> found.exited(code));
                if (member.isPresent()) {
                    goneIfGone(member.get());
                }
            }
            case Event.HostJoined(Message.Enlist told, Connection connection) -> joined(told, connection);
            case Event.HostSaid(int index, Connection connection, Message message) ->
                hosts.of(index, connection).ifPresent(host -> said(host, message));
            case Event.HostLeft(int index, Connection connection) ->
                hosts.of(index, connection).ifPresent(host -> lose(host, false));
            case Event.Noticed(Notice given) -> noticed(given);
            case Event.Regrouped _ -> roster.formAgain();
        }
    }

    private void on(Member member, Message message) {
        member.heard(clock.nanos());
        switch (message) {
            case Message.Ready _ -> {
                member.become(Phase.READY);
                if (stop.isGiven()) { // before this member could hear of it
                    member.tell(stop.order(stop.reason(), clock.nanos()));
                }
            }
            case Message.Settings(var settings) -> roster.settings(settings);
            case Message.Waiting waiting -> {
                member.waits(waiting);
                restarts.ready();
                if (member.leads() && waiting.progress() >= 0) {
                    roster.begin();
                }
            }
            case Message.Formed(long generation) -> {
                if (generation == roster.generation()) {
                    member.become(Phase.TRAINING);
                    if (roster.isComplete()) {
                        recovered();
                    }
                }
            }
            case Message.Beat beat -> {
                member.beat(beat, clock.nanos());
                tallies.add(member.rank(), member.tallied(beat.tally()));
                if (member.leads()) {
                    graceMillis = beat.graceMillis();
                    if (!beat.progress().isEmpty()) {
                        view.progress(beat.progress());
                    }
                }
            }
            case Message.Finished(var tally) -> {
                tallies.add(member.rank(), member.tallied(tally));
                member.finish();
            }
            case Message.Heard(String reason) -> noticed(new Notice(reason, null, false));
            case Message.Odd odd -> differ(odd);
            case Message.Card card -> dealt(card);
            case Message.Serves(String address) -> member.serves(address);
            case Message.Broken(long generation) -> {
                if (generation == roster.generation()) {
                    breakGroup();
                }
            }
            case Message.Result(int code, String out) ->
                outcome = new Outcome(code, out, "", failures.all(), tallies.all());
            case Message.Challenge _,
                    Message.Hello _,
                    Message.Welcome _,
                    Message.Join _,
                    Message.Enlist _,
                    Message.Refused _,
                    Message.Start _,
                    Message.Started _,
                    Message.Kill _,
                    Message.Line _,
                    Message.Exited _,
                    Message.Works _,
                    Message.Alive _,
                    Message.Over _,
                    Message.Cards _,
                    Message.Lead _,
                    Message.Follow _,
                    Message.Hold _,
                    Message.Form _,
                    Message.Regroup _,
                    Message.Recovered _,
                    Message.Summary _,
                    Message.Stop _,
                    Message.End _ -> member.kill(); // no member says that
        }
    }

    private void differ(Message.Odd odd) {
        if (odd.generation() <= oddGeneration) {
            return; // each member tells of it
        }
        oddGeneration = odd.generation();
        view.note(Notes.odd(odd, roster.formed()));
        roster.members().stream()
                .filter(member -> odd.ranks().contains(member.rank()))
                .forEach(member -> {
                    member.reached(odd.step());
                    member.end(Cause.DIFFERED, clock.nanos());
                    member.kill();
                });
    }

    private void goneIfGone(Member member) throws InterruptedException {
        if (!member.isGone()) {
            return;
        }
        Phase phase = member.phase();
        roster.remove(member);
        places.remove(member);
        MemberOutput output = outputs.remove(member);
        if (output != null) {
            output.await();
        }
        if (outcome != null) {
            return;
        }
        if (member.code() == STOPPED) {
            // A signal, before the process was ready to vote on it. A terminal sends it to all processes.
            noticed(new Notice("a signal to " + member.label(), null, false));
        } else if (member.code() < FIRST_SIGNAL) {
            outcome = ended(member.code() == 0 ? FAILED : member.code(), "");
        }
        if (outcome == null) {
            replace(member, phase);
        }
    }

    private void replace(Member dead, Phase phase) {
        if (phase == Phase.TRAINING || phase == Phase.FORMING) {
            breakGroup();
        }
        if (phase == Phase.STARTING || phase == Phase.READY || phase == Phase.PREPARING) {
            restarts.diedUnready();
        }
        if (dead.holds()) {
            // The leader has only its own part of the state: the next one restores all of it.
            roster.leader().ifPresent(leader -> {
                view.note(Notes.partDied(dead, leader));
                leader.kill();
            });
        }
        long step = Math.max(roster.step(), dead.step());
        restarts.died(step, dead.rank() >= 0 ? roster.generation() : Restarts.NONE);
        nextStartNanos = clock.nanos() + restarts.pause().toNanos();
        if (restarts.areTooMany()) {
            outcome = ended(FAILED, Notes.tooManyDeaths(restarts, dead));
        } else if (dead.rank() >= 0) {
            view.died(dead.rank());
            failures.died(dead.death(step, clock.nanos()));
            view.note(Notes.died(dead, plan, step));
        }
    }

    private void breakGroup() {
        roster.members().stream()
                .filter(member -> member.phase() == Phase.TRAINING || member.phase() == Phase.FORMING)
                .forEach(member -> member.tell(new Message.Broken(roster.generation())));
    }

    private void noticed(Notice given) {
        stop.add(given, clock.nanos());
        if (!formed) {
            outcome = ended(STOPPED, Notes.beforeTheFirstStep(given.reason()));
            return;
        }
        var order = stop.order(given.reason(), clock.nanos());
        roster.members().forEach(member -> member.tell(order));
    }

    private Outcome ended(int code, String problem) {
        return new Outcome(code, "", problem, failures.all(), tallies.all());
    }

    private void endSilent(Member member) {
        view.note(Notes.silent(member, plan.silence()));
        member.end(Cause.SILENT, clock.nanos());
        member.kill();
    }

    /// Lets all processes end, and ends those that do not.
    private void end() throws InterruptedException {
        roster.members().stream().filter(member -> !member.leads()).forEach(member -> member.tell(new Message.End()));
        long last = clock.nanos() + LAST_PATIENCE.toNanos();
        boolean clean = outcome != null && outcome.problem().isEmpty();
        for (Member member : roster.members()) {
            if (!member.isConnected()) {
                member.kill(); // it is still starting
            }
            if (!clean || !hasEnded(member, last)) {
                member.kill();
                boolean _ = hasEnded(member, Long.MAX_VALUE);
            }
        }
        for (MemberOutput output : outputs.values()) {
            output.await();
        }
    }

    /// Waits for the end of a process, until this time. What a lost host had is ended.
    private boolean hasEnded(Member member, long last) throws InterruptedException {
        while (member.process().isAlive()) {
            if (clock.nanos() >= last) {
                return false;
            }
            hearHosts();
        }
        return true;
    }

    /// Tells the agents how the job has ended, and waits until they have heard it.
    private void sayFarewell(Outcome ending) throws InterruptedException {
        hosts.tell(new Message.Over(ending.code(), ending.problem()));
        long last = clock.nanos() + LAST_PATIENCE.toNanos();
        while (hosts.hasAgents() && clock.nanos() < last) {
            hearHosts();
        }
    }

    /// Hears what is said after the job has ended, of which only the ends of processes matter.
    private void hearHosts() throws InterruptedException {
        switch (events.poll(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
            case Event.HostSaid(int index, Connection connection, Message message) ->
                hosts.of(index, connection).ifPresent(host -> {
                    host.heard(clock.nanos());
                    host.told(message);
                });
            case Event.HostLeft(int index, Connection connection) ->
                hosts.of(index, connection).ifPresent(Host::lose);
            case null, default -> {}
        }
        watchHosts();
    }
}
