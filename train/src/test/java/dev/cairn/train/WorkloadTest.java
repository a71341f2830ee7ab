package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.Model;
import dev.cairn.engine.Parameter;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.data.Dataset;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.fetch.DataProgress;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTest {
    @ParameterizedTest
    @CsvSource({
        "lr, digits, 7850",
        "lenet, digits, 61706",
        "alexnet, digits, 29585098",
        "alexnet, fake-227, 58322314",
        "mf, fake-ratings, 25500"
    })
    void hasTheModelThatPeopleKnow(String workload, String data, long parameters) throws IOException {
        Model model = Workload.named(workload).model(ModelSettings.USUAL, load(data));
        assertThat(model.parameters().stream().mapToLong(Parameter::count).sum())
                .isEqualTo(parameters);
        assertThat(model.parameters().stream().map(Parameter::name)).doesNotHaveDuplicates();
    }

    @Test
    void refusesDataOfAnotherKindBeforeItIsLoaded() {
        assertThatThrownBy(() -> resolve(TrainingRequest.of("mf").with("data", "digits")))
                .isInstanceOf(RefusedException.class)
                .hasMessage("data 'digits' has no ratings, which mf needs; choose other data");
        assertThatThrownBy(() -> resolve(TrainingRequest.of("lr").with("data", "jester")))
                .hasMessageStartingWith("data 'jester' has no images");
        assertThatThrownBy(() -> Workload.LENET.model(ModelSettings.USUAL, load("fake-227")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("data 'fake-227' has no square grey images");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThatThrownBy(() -> resolve(TrainingRequest.of("gpt")))
                .hasMessage("unknown workload 'gpt'; known: lr, lenet, alexnet, mf");
        assertThatThrownBy(() -> resolve(TrainingRequest.of("lenet").with("activation", "gelu")))
                .hasMessage("activation must be relu or tanh, not 'gelu'");
        assertThatThrownBy(() -> resolve(TrainingRequest.of("mf").with("rank", 0)))
                .hasMessage("rank must be from 1 to 4096, not 0");
        assertThatThrownBy(() -> resolve(TrainingRequest.of("lr").with("clip", -1.0)))
                .hasMessage("clip must be 0 or more and finite, not -1.0");
    }

    @Test
    void defaultsSuitTheWorkload() throws RefusedException {
        TrainingSettings mf = resolve(TrainingRequest.of("mf"));
        assertThat(mf.data()).isEqualTo("fake-ratings");
        assertThat(mf.optimizer().name()).isEqualTo("adam");
        assertThat(mf.batch()).isEqualTo(1000);
        TrainingSettings lenet = resolve(TrainingRequest.of("lenet").with("optimizer", "adam"));
        assertThat(lenet.rate()).isEqualTo(1e-3);
        assertThat(lenet.schedule()).isEqualTo(new RateSchedule.Constant());
    }

    private static TrainingSettings resolve(TrainingRequest request) throws RefusedException {
        return TrainingSettings.resolve(request, Optional.empty()).settings();
    }

    private static Dataset load(String name) throws IOException {
        return DataSets.load(name, DataPlaces.of(Optional.empty()), DataProgress.NONE);
    }
}
