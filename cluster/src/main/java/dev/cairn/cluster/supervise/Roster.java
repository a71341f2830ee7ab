package dev.cairn.cluster.supervise;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.cluster.control.Message.Follow;
import dev.cairn.cluster.control.Message.Form;
import dev.cairn.cluster.control.Message.Lead;
import dev.cairn.cluster.supervise.Failure.Source;
import dev.cairn.cluster.supervise.Member.Phase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Who is in the team, and who takes which place. A place that falls free goes to the spare that is most ready. A group
/// forms when all places are taken and all who have one wait for it.
final class Roster {
    private final int workers;
    private final Path meetings;
    private final List<Member> members = new ArrayList<>();
    private @Nullable JsonNode settings;
    private long generation;
    private boolean begun;
    private Source source = Source.CHECKPOINT;
    private long sourceStep;

    /// @param meetings a folder in which groups meet
    Roster(int workers, Path meetings) {
        this.workers = workers;
        this.meetings = meetings;
    }

    List<Member> members() {
        return members;
    }

    long generation() {
        return generation;
    }

    /// Whether a leader of this job has opened and filled the run.
    boolean isBegun() {
        return begun;
    }

    /// The last step that a member is known to have finished.
    long step() {
        return members.stream().mapToLong(Member::step).max().orElse(0);
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
        return members.stream()
                        .filter(member -> member.phase() == Phase.TRAINING)
                        .count()
                == workers;
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
    boolean advance() {
        for (int rank = 0; rank < workers; rank++) {
            if (holder(rank).isEmpty()) {
                int free = rank;
                members.stream()
                        .filter(member -> member.rank() < 0)
                        .max(Comparator.comparingInt(Roster::readiness))
                        .filter(member -> readiness(member) > 0)
                        .ifPresent(member -> member.takeRank(free));
            }
        }
        for (Member member : members) {
            giveAPart(member);
        }
        return formIfComplete();
    }

    private Optional<Member> holder(int rank) {
        return members.stream().filter(member -> member.rank() == rank).findFirst();
    }

    private static int readiness(Member member) {
        return switch (member.phase()) {
            case WAITING -> 3;
            case PREPARING -> 2;
            case READY -> 1;
            case STARTING, FORMING, TRAINING, GONE -> 0;
        };
    }

    private void giveAPart(Member member) {
        boolean free = member.phase() == Phase.READY || member.phase() == Phase.WAITING;
        JsonNode known = settings;
        if (member.rank() == 0 && !member.leads() && free) {
            member.tell(new Lead(begun));
            member.lead();
        } else if (member.rank() != 0 && member.phase() == Phase.READY && known != null) {
            member.tell(new Follow(known));
            member.become(Phase.PREPARING);
        }
    }

    private boolean formIfComplete() {
        List<Member> group = IntStream.range(0, workers)
                .mapToObj(this::holder)
                .flatMap(Optional::stream)
                .filter(member -> member.phase() == Phase.WAITING)
                .toList();
        if (group.size() < workers || !group.getFirst().leads()) {
            return false;
        }
        Member best = group.stream()
                .max(Comparator.comparingLong(Member::progress).thenComparingInt(member -> -member.rank()))
                .orElseThrow();
        if (best.progress() < 0) {
            group.getFirst().kill(); // it lost its state while it got another one: the next leader restores
            return false;
        }
        generation++;
        source = best.isSurvivor() ? Source.PEER : Source.CHECKPOINT;
        sourceStep = best.step();
        List<Integer> receivers = group.stream()
                .filter(member -> member.progress() < best.progress())
                .map(Member::rank)
                .toList();
        String file = meetings.resolve("group-" + generation).toString();
        for (Member member : group) {
            member.tell(new Form(generation, member.rank(), workers, file, best.rank(), receivers));
            member.become(Phase.FORMING);
        }
        return true;
    }
}
