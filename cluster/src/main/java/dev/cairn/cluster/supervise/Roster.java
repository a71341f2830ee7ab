package dev.cairn.cluster.supervise;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.cluster.control.Failure.Source;
import dev.cairn.cluster.control.Message.Follow;
import dev.cairn.cluster.control.Message.Form;
import dev.cairn.cluster.control.Message.Hold;
import dev.cairn.cluster.control.Message.Lead;
import dev.cairn.cluster.control.Message.Regroup;
import dev.cairn.cluster.supervise.Member.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Who is in the team, and who takes which place. A place that falls free goes to the spare that is most ready. A group
/// forms when all places are taken and all who have one wait for it.
///
/// If nobody comes for a free place in time, the others close ranks and go on with fewer. When processes are ready
/// again, the group is asked to end after its present step, and forms again with them.
final class Roster {
    private final TeamPlan plan;
    private final boolean byCards;
    private final Shortage shortage;
    private final Supplier<OptionalLong> beforeForming;
    private final List<Member> members = new ArrayList<>();
    private @Nullable JsonNode settings;
    private long generation;

    /// The number of places, and the number of members of the present group.
    private int size;

    private int formed;
    private long regrouping;
    private boolean begun;
    private Source source = Source.CHECKPOINT;
    private long sourceStep;

    /// Of a team on this host.
    Roster(TeamPlan plan) {
        this(plan, false, OptionalLong::empty);
    }

    /// @param byCards whether the processes are on several hosts, and so do not meet in a file
    /// @param beforeForming called before a group forms; tells the step to which all go back, if they do
    Roster(TeamPlan plan, boolean byCards, Supplier<OptionalLong> beforeForming) {
        this.plan = plan;
        this.byCards = byCards;
        this.beforeForming = beforeForming;
        this.size = plan.workers();
        this.shortage = new Shortage(plan.spares(), plan.spareWait());
    }

    List<Member> members() {
        return members;
    }

    long generation() {
        return generation;
    }

    /// The number of members of the present group.
    int formed() {
        return formed;
    }

    /// Whether a leader of this job has opened and filled the run.
    boolean isBegun() {
        return begun;
    }

    /// The last step that a member is known to have finished.
    long step() {
        return members.stream().mapToLong(Member::step).max().orElse(0);
    }

    /// The member that leads; empty if nobody does.
    Optional<Member> leader() {
        return members.stream().filter(Member::leads).findFirst();
    }

    /// What the workers of the present group have used.
    List<Stragglers.Use> uses() {
        return members.stream()
                .filter(member -> member.phase() == Phase.TRAINING)
                .map(Member::use)
                .toList();
    }

    Optional<Member> numbered(int number) {
        return members.stream().filter(member -> member.number() == number).findFirst();
    }

    void settings(JsonNode known) {
        settings = known;
    }

    /// Where the state of the present group came from.
    Source source() {
        return source;
    }

    /// The step of that state.
    long sourceStep() {
        return sourceStep;
    }

    /// Whether all of the present group are in it.
    boolean isComplete() {
        return count(Phase.TRAINING) == formed;
    }

    /// Whether nobody of the present group is gone or has left it.
    private boolean isIntact() {
        return generation > 0 && count(Phase.TRAINING) + count(Phase.FORMING) == formed;
    }

    private long count(Phase phase) {
        return members.stream().filter(member -> member.phase() == phase).count();
    }

    void begin() {
        begun = true;
    }

    void remove(Member member) {
        members.remove(member);
        member.become(Phase.GONE);
    }

    /// Gives free places to members, and parts to all that have none. Then lets the group form if it can.
    ///
    /// @return whether the group forms now
    boolean advance(long nanos) {
        if (isIntact()) {
            shortage.end();
            askToGrow();
        } else {
            fillPlaces();
            closeRanks(nanos);
        }
        for (Member member : members) {
            giveAPart(member);
        }
        return !isIntact() && formIfComplete();
    }

    private void fillPlaces() {
        if (generation > 0 && !hasState()) {
            size = plan.workers(); // all begin again together
        }
        for (int rank = 0; rank < size; rank++) {
            if (holder(rank).isEmpty()) {
                int free = rank;
                readiest().ifPresent(member -> member.takeRank(free));
            }
        }
        while (size < plan.workers() && unplaced(Phase.WAITING).findAny().isPresent()) {
            int added = size++;
            unplaced(Phase.WAITING).findFirst().ifPresent(member -> member.takeRank(added));
        }
    }

    private Optional<Member> readiest() {
        int enough = generation > 0 && shortage.goesOnAtOnce(hasState()) ? readiness(Phase.WAITING) : 1;
        return members.stream()
                .filter(member -> member.rank() < 0)
                .max(Comparator.comparingInt(member -> readiness(member.phase())))
                .filter(member -> readiness(member.phase()) >= enough);
    }

    private Stream<Member> unplaced(Phase phase) {
        return members.stream().filter(member -> member.rank() < 0 && member.phase() == phase);
    }

    private Optional<Member> holder(int rank) {
        return members.stream().filter(member -> member.rank() == rank).findFirst();
    }

    private static int readiness(Phase phase) {
        return switch (phase) {
            case WAITING -> 3;
            case PREPARING -> 2;
            case READY -> 1;
            case STARTING, FORMING, TRAINING, GONE -> 0;
        };
    }

    /// Whether a member that has a place was in a group, so that the training can go on from its state.
    private boolean hasState() {
        return members.stream().anyMatch(member -> member.rank() >= 0 && member.isInOrAfterAGroup());
    }

    /// Goes on with those that are there, if nobody came for the free places in time. The first group of a job never
    /// does.
    private void closeRanks(long nanos) {
        List<Member> there = members.stream()
                .filter(member -> member.rank() >= 0 && member.isThere())
                .sorted(Comparator.comparingInt(Member::rank))
                .toList();
        boolean isShort = generation > 0 && there.size() < size;
        if (!shortage.isOver(isShort, hasState(), nanos) || there.size() < plan.leastWorkers()) {
            return;
        }
        members.forEach(member -> member.takeRank(there.indexOf(member)));
        size = there.size();
    }

    private void askToGrow() {
        if (formed < plan.workers() && regrouping < generation && isComplete()) {
            if (unplaced(Phase.WAITING).findAny().isPresent()) {
                formAgain();
            }
        }
    }

    /// Asks the group to end after its present step.
    void formAgain() {
        regrouping = generation;
        members.stream()
                .filter(member -> member.phase() == Phase.TRAINING)
                .forEach(member -> member.tell(new Regroup(generation)));
    }

    private void giveAPart(Member member) {
        boolean free = member.phase() == Phase.READY || member.phase() == Phase.WAITING;
        JsonNode known = settings;
        boolean isPart = member.rank() > 0 && member.rank() < plan.servers();
        if (member.rank() == 0 && !member.leads() && free) {
            member.tell(new Lead(begun));
            member.lead();
        } else if (isPart && !member.holds() && free) {
            member.tell(new Hold());
            member.hold();
        } else if (!isPart && member.rank() != 0 && member.phase() == Phase.READY && known != null) {
            member.tell(new Follow(known));
            member.become(Phase.PREPARING);
        }
    }

    private boolean formIfComplete() {
        List<Member> group = IntStream.range(0, size)
                .mapToObj(this::holder)
                .flatMap(Optional::stream)
                .filter(Member::isFree)
                .toList();
        if (group.size() < size || !group.getFirst().leads()) {
            return false;
        }
        Member best = group.stream()
                .max(Comparator.comparingLong(Member::progress)
                        .thenComparing(Member::isSurvivor)
                        .thenComparingInt(member -> -member.rank()))
                .orElseThrow();
        if (best.progress() < 0) {
            group.getFirst().kill(); // it lost its state while it got another one: the next leader restores
            return false;
        }
        generation++;
        formed = size;
        source = best.isSurvivor() ? Source.PEER : Source.CHECKPOINT;
        sourceStep = best.step();
        OptionalLong back = beforeForming.get();
        if (back.isPresent()) {
            source = Source.CHECKPOINT;
            sourceStep = back.getAsLong();
        }
        List<Integer> receivers = group.stream()
                .filter(member -> member.progress() < best.progress())
                .map(Member::rank)
                .toList();
        String servers =
                group.stream().limit(plan.servers()).map(Member::server).collect(Collectors.joining(" "));
        String file =
                byCards ? "" : plan.folder().resolve("group-" + generation).toString();
        List<String> names = byCards ? group.stream().map(Member::fullName).toList() : List.of();
        for (Member member : group) {
            member.tell(new Form(generation, member.rank(), size, file, best.rank(), receivers, servers, names));
            member.become(Phase.FORMING);
        }
        return true;
    }
}
