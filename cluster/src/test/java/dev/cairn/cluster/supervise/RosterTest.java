package dev.cairn.cluster.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.cluster.control.Message.Waiting;
import dev.cairn.cluster.supervise.Failure.Source;
import dev.cairn.cluster.supervise.Member.Phase;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RosterTest {
    private static final int WORKERS = 3;

    private final Roster roster = new Roster(WORKERS, Path.of("meetings"));

    @Test
    void aGroupFormsWhenAllWhoHaveAPlaceWaitForIt() {
        Member leader = started(0);
        Member second = started(1);
        Member third = started(2);
        leader.become(Phase.READY);
        assertThat(roster.advance()).isFalse();
        assertThat(leader.leads()).isTrue();
        second.become(Phase.READY);
        assertThat(roster.advance()).isFalse();
        assertThat(second.phase()).as("the settings are not known yet").isEqualTo(Phase.READY);

        roster.settings(JsonNodeFactory.instance.objectNode());
        leader.waits(new Waiting(0, 0, 1));
        assertThat(roster.advance()).isFalse();
        assertThat(second.phase()).isEqualTo(Phase.PREPARING);
        second.waits(new Waiting(0, 0, -1));
        third.waits(new Waiting(0, 0, -1));
        assertThat(roster.advance()).isTrue();
        assertThat(roster.generation()).isEqualTo(1);
        assertThat(roster.source()).isEqualTo(Source.CHECKPOINT);
        assertThat(roster.members()).extracting(Member::phase).containsOnly(Phase.FORMING);
        assertThat(roster.advance()).as("once").isFalse();
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
        assertThat(roster.advance()).isTrue();
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
        assertThat(roster.advance()).as("it first opens the run").isFalse();
        assertThat(warm.rank()).isZero();
        assertThat(warm.leads()).isTrue();
        warm.waits(new Waiting(0, 20, 41));
        assertThat(roster.advance()).isTrue();
        assertThat(roster.source()).isEqualTo(Source.PEER);
    }

    @Test
    void whereNobodyHasAStateALeaderIsReplacedSoThatTheNextRestores() {
        train();
        for (int i = 0; i < WORKERS; i++) {
            roster.numbered(i).orElseThrow().waits(new Waiting(1, 40, -1));
        }
        assertThat(roster.advance()).isFalse();
        assertThat(((IdleProcess) roster.numbered(0).orElseThrow().process()).isKilled)
                .isTrue();
    }

    private void train() {
        for (int i = 0; i < WORKERS; i++) {
            started(i).become(Phase.READY);
        }
        roster.settings(JsonNodeFactory.instance.objectNode());
        roster.advance();
        for (int i = 0; i < WORKERS; i++) {
            roster.numbered(i).orElseThrow().waits(new Waiting(0, 0, i == 0 ? 1 : -1));
        }
        assertThat(roster.advance()).isTrue();
        roster.members().forEach(member -> member.become(Phase.TRAINING));
        assertThat(roster.isComplete()).isTrue();
    }

    private Member started(int number) {
        var member = new Member(number, new IdleProcess());
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
