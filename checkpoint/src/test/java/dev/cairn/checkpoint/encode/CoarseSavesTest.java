package dev.cairn.checkpoint.encode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointEvent.Remedy;
import dev.cairn.checkpoint.CheckpointEvent.TooCoarse;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.checkpoint.encode.SchemeRule.Decision;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CoarseSavesTest {
    private final CoarseSaves saves = new CoarseSaves(Codec.parse("lossy"));

    @Test
    void eachRemedyIsToldOnceInARow() {
        assertThat(told(1, null, 0.7)).isNull();
        assertThat(told(2, Remedy.FINER, 0.9)).isEqualTo(Remedy.FINER);
        assertThat(told(3, Remedy.FINER, 0.9)).isNull();
        assertThat(told(4, Remedy.EXACT, 0)).isEqualTo(Remedy.EXACT);
        assertThat(told(5, Remedy.FINER, 0.9)).isNull();
        assertThat(told(6, null, 0.7)).isNull();
        assertThat(told(7, Remedy.FINER, 0.9)).isEqualTo(Remedy.FINER);
    }

    @Test
    void anErrorThatNobodyForesawIsToldAsItIs() {
        assertThat(saves.judge(3, decision(Remedy.FINER), new WeightError(0.1, 1.5)))
                .contains(new TooCoarse(3, Codec.parse("lossy"), Remedy.NONE, 1.5));
        assertThat(saves.judge(4, decision(Remedy.FINER), new WeightError(0.1, 0.9)))
                .contains(new TooCoarse(4, Codec.parse("lossy"), Remedy.FINER, 2));
    }

    @Test
    void afterAnUnforeseenErrorTheNextCheckpointIsExact() {
        var rule = new SchemeRule(Codec.parse("lossy"));
        var sample = StateSample.of(List.of());
        rule.made(new WeightError(0.1, 1.5));
        assertThat(rule.next(sample, sample.deltaBins()).scheme()).isNull();
        assertThat(rule.next(sample, sample.deltaBins()).remedy()).isEqualTo(Remedy.EXACT);
        rule.made(WeightError.NONE);
        assertThat(rule.next(sample, sample.deltaBins()).scheme()).isNotNull();
    }

    @Test
    void bitsThatTheUserNamedAreNeverMadeGood() {
        var rule = new SchemeRule(Codec.parse("lc:2"));
        rule.made(new WeightError(0.1, 1.5));
        var sample = StateSample.of(List.of());
        assertThat(rule.next(sample, sample.deltaBins()).scheme()).isNotNull();
    }

    private @Nullable Remedy told(long step, @Nullable Remedy remedy, double ofChange) {
        return saves.judge(step, decision(remedy), new WeightError(0.01, ofChange))
                .map(TooCoarse::remedy)
                .orElse(null);
    }

    private static Decision decision(@Nullable Remedy remedy) {
        return new Decision(null, 100, 1, remedy, 2);
    }
}
