package dev.cairn.cluster.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.cluster.control.Failure.Source;
import dev.cairn.cluster.control.Message.Waiting;
import dev.cairn.cluster.supervise.Member.Phase;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RosterTest {
    private static final int WORKERS = 3;

    private static final Duration WAIT = Duration.ofSeconds(60);

    private Roster roster = roster(1, 1);
    private long now;

    private static Roster roster(int least, int spares) {
        return new Roster(plan(least, spares));
    }

    private static TeamPlan plan(int least, int spares) {
        return new TeamPlan(
                WORKERS, least, spares, WAIT, Path.of("meetings"), Duration.ofSeconds(5), Duration.ofSeconds(30));
    }

    @Test
    void aGroupFormsWhenAllWhoHaveAPlaceWaitForIt() {
        Member leader = started(0);
        Member second = started(1);
        Member third = started(2);
        leader.become(Phase.READY);
        assertThat(advance()).isFalse();
        assertThat(leader.leads()).isTrue();
        second.become(Phase.READY);
        assertThat(advance()).isFalse();
        assertThat(second.phase()).as("the settings are not known yet").isEqualTo(Phase.READY);

        roster.settings(JsonNodeFactory.instance.objectNode());
        leader.waits(new Waiting(0, 0, 1));
        assertThat(advance()).isFalse();
        assertThat(second.phase()).isEqualTo(Phase.PREPARING);
        second.waits(new Waiting(0, 0, -1));
        third.waits(new Waiting(0, 0, -1));
        assertThat(advance()).isTrue();
        assertThat(roster.generation()).isEqualTo(1);
        assertThat(roster.source()).isEqualTo(Source.CHECKPOINT);
        assertThat(roster.members()).extracting(Member::phase).containsOnly(Phase.FORMING);
        assertThat(advance()).as("once").isFalse();
    }

    @Test
    void theReadiestSpareTakesTheFreePlaceAndSurvivorsGiveTheState() {
        train();
        Member loading = spare(3, Phase.READY);
        Member warm = spare(4, Phase.WAITING);
        Member starting = spare(5, Phase.STARTING);
        Member dead = roster.numbered(1).orElseThrow();
        roster.remove(dead);
        roster.numbered(0).orElseThrow().waits(new Waiting(1, 40, 81));
        roster.numbered(2).orElseThrow().waits(new Waiting(1, 41, 83));
        assertThat(advance()).isTrue();
        assertThat(warm.rank()).isEqualTo(1);
        assertThat(loading.rank()).isNegative();
        assertThat(starting.rank()).isNegative();
        assertThat(roster.source()).isEqualTo(Source.PEER);
        assertThat(roster.sourceStep()).as("the most advanced").isEqualTo(41);
    }

    @Test
    void aSpareThatTakesThePlaceOfTheLeaderLeads() {
        train();
        Member warm = spare(3, Phase.WAITING);
        roster.remove(roster.numbered(0).orElseThrow());
        roster.numbered(1).orElseThrow().waits(new Waiting(1, 40, 81));
        roster.numbered(2).orElseThrow().waits(new Waiting(1, 40, 81));
        assertThat(advance()).as("it first opens the run").isFalse();
        assertThat(warm.rank()).isZero();
        assertThat(warm.leads()).isTrue();
        warm.waits(new Waiting(0, 20, 41));
        assertThat(advance()).isTrue();
        assertThat(roster.source()).isEqualTo(Source.PEER);
    }

    @Test
    void whereNobodyHasAStateALeaderIsReplacedSoThatTheNextRestores() {
        train();
        for (int i = 0; i < WORKERS; i++) {
            roster.numbered(i).orElseThrow().waits(new Waiting(1, 40, -1));
        }
        assertThat(advance()).isFalse();
        assertThat(((IdleProcess) roster.numbered(0).orElseThrow().process()).isKilled)
                .isTrue();
    }

    @Test
    void withoutSparesTheOthersGoOnAtOnceAndTheirNumberGrowsWhenAnotherIsReady() {
        roster = roster(1, 0);
        train();
        Member dead = roster.numbered(1).orElseThrow();
        roster.remove(dead);
        Member coming = spare(3, Phase.READY);
        Member first = roster.numbered(0).orElseThrow();
        Member last = roster.numbered(2).orElseThrow();
        assertThat(advance()).isFalse();
        assertThat(last.rank()).as("closed ranks").isEqualTo(1);
        assertThat(coming.phase()).as("told what to train").isEqualTo(Phase.PREPARING);
        first.waits(new Waiting(1, 40, 81));
        last.waits(new Waiting(1, 40, 81));
        assertThat(advance()).isTrue();
        assertThat(roster.formed()).isEqualTo(2);

        first.become(Phase.TRAINING);
        last.become(Phase.TRAINING);
        assertThat(advance()).isFalse();
        coming.waits(new Waiting(0, 0, -1));
        assertThat(advance()).as("the group is asked first").isFalse();
        assertThat(coming.rank()).isNegative();
        first.waits(new Waiting(2, 50, 101));
        assertThat(advance()).isFalse();
        last.waits(new Waiting(2, 50, 101));
        assertThat(advance()).isTrue();
        assertThat(coming.rank()).isEqualTo(2);
        assertThat(roster.formed()).isEqualTo(WORKERS);
        assertThat(roster.source()).isEqualTo(Source.PEER);
    }

    @Test
    void withSparesTheOthersGoOnWhenTheWaitIsOver() {
        train();
        roster.remove(roster.numbered(1).orElseThrow());
        Member slow = spare(3, Phase.READY);
        roster.numbered(0).orElseThrow().waits(new Waiting(1, 40, 81));
        roster.numbered(2).orElseThrow().waits(new Waiting(1, 40, 81));
        assertThat(advance()).isFalse();
        assertThat(slow.rank()).as("it is waited for").isEqualTo(1);
        now += WAIT.toNanos() - 1;
        assertThat(advance()).isFalse();
        now++;
        assertThat(advance()).isTrue();
        assertThat(roster.formed()).isEqualTo(2);
        assertThat(slow.rank()).as("no place any more").isNegative();

        roster.members().stream().filter(member -> member.rank() >= 0).forEach(member -> member.become(Phase.TRAINING));
        advance();
        roster.remove(roster.numbered(2).orElseThrow());
        roster.numbered(0).orElseThrow().waits(new Waiting(2, 45, 91));
        assertThat(advance()).as("each wait begins anew").isFalse();
    }

    @Test
    void aTeamNeverGoesOnWithFewerThanTheLeastNumber() {
        roster = roster(WORKERS, 0);
        train();
        roster.remove(roster.numbered(1).orElseThrow());
        roster.numbered(0).orElseThrow().waits(new Waiting(1, 40, 81));
        roster.numbered(2).orElseThrow().waits(new Waiting(1, 40, 81));
        now += 10 * WAIT.toNanos();
        assertThat(advance()).isFalse();
        spare(3, Phase.WAITING);
        assertThat(advance()).isTrue();
        assertThat(roster.formed()).isEqualTo(WORKERS);
    }

    @Test
    void whereTheLeaderIsMissingASurvivorLeadsAndItsStateCounts() {
        roster = roster(1, 0);
        train();
        roster.remove(roster.numbered(0).orElseThrow());
        Member next = roster.numbered(1).orElseThrow();
        Member last = roster.numbered(2).orElseThrow();
        next.waits(new Waiting(1, 40, 81));
        assertThat(advance()).isFalse();
        assertThat(next.rank()).isZero();
        assertThat(next.leads()).isTrue();
        last.waits(new Waiting(1, 40, 81));
        assertThat(advance()).as("the leader opens the run").isFalse();
        next.waits(new Waiting(1, 40, 81));
        assertThat(advance()).isTrue();
        assertThat(roster.formed()).isEqualTo(2);
        assertThat(roster.source()).isEqualTo(Source.PEER);
    }

    @Test
    void whereAllAreGoneAllBeginAgainTogether() {
        roster = roster(1, 0);
        train();
        for (int i = 0; i < WORKERS; i++) {
            roster.remove(roster.numbered(i).orElseThrow());
        }
        Member leader = spare(3, Phase.READY);
        assertThat(advance()).isFalse();
        assertThat(leader.leads()).isTrue();
        leader.waits(new Waiting(0, 20, 41));
        spare(4, Phase.WAITING);
        assertThat(advance()).as("the third one is still missing").isFalse();
        spare(5, Phase.WAITING);
        assertThat(advance()).isTrue();
        assertThat(roster.formed()).isEqualTo(WORKERS);
        assertThat(roster.source()).isEqualTo(Source.CHECKPOINT);
    }

    private boolean advance() {
        return roster.advance(now);
    }

    private void train() {
        for (int i = 0; i < WORKERS; i++) {
            started(i).become(Phase.READY);
        }
        roster.settings(JsonNodeFactory.instance.objectNode());
        advance();
        for (int i = 0; i < WORKERS; i++) {
            roster.numbered(i).orElseThrow().waits(new Waiting(0, 0, i == 0 ? 1 : -1));
        }
        assertThat(advance()).isTrue();
        roster.members().forEach(member -> member.become(Phase.TRAINING));
        assertThat(roster.isComplete()).isTrue();
    }

    private Member started(int number) {
        var member = new Member(number, new IdleProcess(), plan(1, 1));
        roster.members().add(member);
        if (number < WORKERS) {
            member.takeRank(number);
        }
        return member;
    }

    private Member spare(int number, Phase phase) {
        Member member = started(number);
        member.become(phase);
        return member;
    }

    private static final class IdleProcess extends SilentProcess {
        private boolean isKilled;

        @Override
        public long pid() {
            return 1;
        }

        @Override
        public int waitFor() {
            return 0;
        }

        @Override
        public int exitValue() {
            return 0;
        }

        @Override
        public void destroy() {
            isKilled = true;
        }
    }
}
