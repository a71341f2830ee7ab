package dev.cairn.cluster.member;

import dev.cairn.checkpoint.group.Majority;
import dev.cairn.checkpoint.group.StateSum;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.cluster.control.Address;
import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.control.Message.Broken;
import dev.cairn.cluster.control.Message.Form;
import dev.cairn.cluster.control.Message.Formed;
import dev.cairn.cluster.control.Message.Lead;
import dev.cairn.cluster.control.Message.Odd;
import dev.cairn.cluster.control.Message.Waiting;
import dev.cairn.cluster.control.Tally;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.GradientExchange;
import dev.cairn.engine.group.GroupMaker;
import dev.cairn.engine.group.GroupMaker.Network;
import dev.cairn.engine.group.ProcessGroup;
import dev.cairn.store.Clock;
import dev.cairn.store.right.Generation;
import dev.cairn.train.batch.Share;
import dev.cairn.train.team.Replica;
import dev.cairn.train.team.Team;
import dev.cairn.train.team.TeamLostException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A team of processes that a supervisor started. The supervisor says who is in the group. All else is agreed in the
/// group itself: what each process wants goes along with the gradients, so no decision costs an exchange of its own.
public final class ProcessTeam implements Team, AutoCloseable {
    private final MemberLink link;
    private final Notices notices;
    private final Formation formation;
    private final DealtCards cards;
    private final Counts counts = new Counts(Clock.system());
    private volatile @Nullable ProcessGroup group;
    private volatile long generation;
    private List<String> members = List.of();
    private volatile long finished;
    private volatile long regrouping;
    private @Nullable KeptState kept;
    private StepVote vote = StepVote.NONE;
    private volatile Consumer<List<Tally>> whenSummarized = _ -> {};

    /// @param notices a notice to this process stops the whole team
    public ProcessTeam(MemberLink link, GroupMaker maker, Notices notices) {
        this.link = link;
        this.notices = notices;
        this.formation = new Formation(maker);
        this.cards = new DealtCards(link);
        link.onBroken(this::abandon);
        link.onRegroup(told -> regrouping = told.generation());
    }

    /// Continues in another role with the state that this process had before.
    public void keep(Optional<KeptState> before) {
        kept = before.orElse(null);
    }

    /// What this process has done.
    public Tally tally() {
        return counts.tally();
    }

    /// Sets who hears, if this process leads, what all have done at the end. The first is of rank 0.
    public void onSummary(Consumer<List<Tally>> summarized) {
        whenSummarized = summarized;
    }

    /// The last finished step of this process.
    public long finishedStep() {
        return finished;
    }

    @Override
    public Share share() {
        return new Share(group().rank(), group().size());
    }

    @Override
    public void form(Replica replica) throws IOException {
        takeKept(replica);
        while (true) {
            leave();
            finished = replica.step();
            link.send(new Waiting(generation, replica.step(), replica.progress()));
            Form form = awaitForm(replica);
            generation = form.generation();
            members = form.members();
            try {
                ProcessGroup formed = form(form);
                group = formed;
                counts.formed(formed);
                formation.requireWanted(form);
                align(form, replica);
                vote = StepVote.NONE;
                finished = replica.step();
                link.send(new Formed(generation));
                return;
            } catch (BrokenGroupException again) {
                // Another process has died meanwhile.
            }
        }
    }

    private ProcessGroup form(Form form) {
        if (!form.file().isEmpty()) {
            return formation.form(form, Address.THIS_HOST);
        }
        var network = new Network(mine -> cards.exchange(form, mine), link.silence());
        return formation.form(form, link.address(), network);
    }

    /// Gives up a group that will not be complete, on the thread of the link. Whoever waits in it is told at
    /// once: if the network is cut, nothing else tells.
    private void abandon(Broken broken) {
        formation.abandon(broken);
        cards.abandon(broken.generation());
        ProcessGroup now = group;
        if (now != null && broken.generation() == generation) {
            now.sever();
        }
    }

    private void takeKept(Replica replica) {
        KeptState mine = kept;
        kept = null;
        if (mine != null) {
            generation = mine.generation();
            if (mine.progress() > replica.progress()) {
                mine.putInto(replica);
            }
        }
    }

    private Form awaitForm(Replica replica) throws TeamLostException {
        while (true) {
            Optional<Message> command = link.next();
            if (command.isEmpty() || command.get() instanceof Message.End) {
                throw new TeamLostException("the process that started this training is gone");
            }
            switch (command.get()) {
                case Form form -> {
                    return form;
                }
                case Lead(boolean begun) -> throw new PromotedException(begun, KeptState.of(replica, generation));
                case Broken _ -> {} // of the group that this process has left
                case Message other -> throw new IllegalStateException("not expected from a supervisor: " + other);
            }
        }
    }

    private void align(Form form, Replica replica) throws IOException {
        var transfer = new StateTransfer(group(), replica);
        for (int receiver : form.receivers()) {
            if (form.rank() == form.source()) {
                transfer.send(receiver);
            } else if (form.rank() == receiver) {
                transfer.receive(form.source());
            }
        }
    }

    @Override
    public Optional<Generation> generation() {
        return link.job().isEmpty() ? Optional.empty() : Optional.of(new Generation(link.job(), generation, members));
    }

    @Override
    public GradientExchange exchange(long step, int examples, boolean wantsSave) {
        finished = step - 1;
        return (floats, loss) -> {
            long own = floats.byteSize() - (long) Float.BYTES * GradientExchange.OWN_FLOATS;
            MemorySegment tail = floats.asSlice(own);
            new StepVote(loss, notices.isGiven(), wantsSave && isLeader(), regrouping == generation, step).write(tail);
            counts.waiting(() -> group().sumFloats(floats));
            counts.stepMade(examples, loss);
            vote = StepVote.read(tail, step, group().size());
            return vote.loss();
        };
    }

    @Override
    public void waited(Cause cause, Duration time) {
        switch (cause) {
            case DATA -> counts.waitedForData(time.toNanos());
            case SAVE -> counts.waitedForSaves(time.toNanos());
        }
    }

    @Override
    public boolean stops() {
        return vote.stops();
    }

    @Override
    public boolean saves() {
        return vote.saves();
    }

    @Override
    public boolean regroups() {
        return vote.regroups();
    }

    @Override
    public boolean decide(boolean leaders) {
        double[] decision = {isLeader() && leaders ? 1 : 0};
        addUp(decision);
        return decision[0] > 0;
    }

    @Override
    public void agree(Replica replica) {
        int size = group().size();
        double[] halves = new double[2 * size];
        long mine = StateSum.of(replica.step(), replica);
        halves[2 * group().rank()] = mine >>> Integer.SIZE;
        halves[2 * group().rank() + 1] = mine & 0xFFFF_FFFFL;
        addUp(halves);
        long[] sums = IntStream.range(0, size)
                .mapToLong(rank -> (long) halves[2 * rank] << Integer.SIZE | (long) halves[2 * rank + 1])
                .toArray();
        List<Integer> odd = Majority.oddOnes(sums);
        if (!odd.isEmpty()) {
            link.send(new Odd(generation, replica.step(), odd));
            leave();
            throw new BrokenGroupException("the states differ: ranks " + odd, new IllegalStateException());
        }
    }

    @Override
    public void addUp(double[] parts) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment doubles = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, parts);
            counts.waiting(() -> group().sumDoubles(doubles));
            MemorySegment.copy(doubles, ValueLayout.JAVA_DOUBLE, 0, parts, 0, parts.length);
        }
    }

    @Override
    public void finish() {
        counts.finish();
        link.send(new Message.Finished(counts.tally()));
        boolean leads = isLeader();
        while (true) {
            Optional<Message> command = link.next();
            if (command.isEmpty() || command.get() instanceof Message.End) {
                return;
            }
            if (leads && command.get() instanceof Message.Summary(List<Tally> workers)) {
                whenSummarized.accept(workers);
                return;
            }
            if (!leads && command.get() instanceof Broken(long of) && of >= generation) {
                throw new BrokenGroupException("a process of the group is gone", new IllegalStateException());
            }
        }
    }

    private boolean isLeader() {
        return group().rank() == 0;
    }

    private ProcessGroup group() {
        ProcessGroup now = group;
        if (now == null) {
            throw new IllegalStateException("the group is not formed");
        }
        return now;
    }

    @Override
    public void close() {
        leave();
        formation.close();
    }

    private void leave() {
        ProcessGroup left = group;
        if (left != null) {
            counts.leaves();
            left.close();
            group = null;
        }
    }
}
