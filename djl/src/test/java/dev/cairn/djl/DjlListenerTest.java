package dev.cairn.djl;

import dev.cairn.checkpoint.crash.KilledExample;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A user's DJL trainer survives a kill.
class DjlListenerTest {
    private static final long SEED = 20_261_115;

    @TempDir
    Path folder;

    @Test
    void aKilledTrainerEndsInTheBitsOfAnUndisturbedOne() throws Exception {
        new KilledExample("djl-listener", folder, 960, "-Dai.djl.offline=true").endsInTheSameBits(SEED);
    }
}
