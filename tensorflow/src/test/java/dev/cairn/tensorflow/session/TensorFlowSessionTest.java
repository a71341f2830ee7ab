package dev.cairn.tensorflow.session;

import dev.cairn.checkpoint.crash.KilledExample;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A user's TensorFlow session survives a kill.
class TensorFlowSessionTest {
    private static final long SEED = 20_261_115;

    @TempDir
    Path folder;

    @Test
    void aKilledSessionEndsInTheBitsOfAnUndisturbedOne() throws Exception {
        new KilledExample("tensorflow-session", folder, 2000).endsInTheSameBits(SEED);
    }
}
