package dev.cairn.torch;

import dev.cairn.checkpoint.crash.KilledExample;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A user's libtorch loop survives a kill.
class TorchLoopTest {
    private static final long SEED = 20_261_115;

    @TempDir
    Path folder;

    @Test
    void aKilledLoopEndsInTheBitsOfAnUndisturbedOne() throws Exception {
        new KilledExample("torch-loop", folder, 2000).endsInTheSameBits(SEED);
    }
}
