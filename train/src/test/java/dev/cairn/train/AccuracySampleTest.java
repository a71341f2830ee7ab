package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A few seconds of [AccuracyTest], if the data is found.
class AccuracySampleTest {
    @Test
    void softmaxRegressionLearnsMnist(@TempDir Path folder) throws IOException {
        TrainingRequest request = AccuracyTest.on("mnist", "lr").with("steps", 500);
        assertThat(new TestTraining(request).run(folder).bestScore()).isGreaterThanOrEqualTo(0.85);
    }
}
