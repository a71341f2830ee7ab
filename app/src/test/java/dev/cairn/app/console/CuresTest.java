package dev.cairn.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.InvalidSettingException;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.UnsupportedException;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.UnknownNameException;
import dev.cairn.train.data.fetch.DataUnavailableException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CuresTest {
    @Test
    void namesTheOptionsThatTheLibraryDoesNotKnow() {
        Map<Exception, String> lines = Map.of(
                new InvalidSettingException("batch", "must be at least 1, not 0"),
                "--batch must be at least 1, not 0",
                new InvalidSettingException("evaluateEvery", "must be at least 1, not 0"),
                "--eval-every must be at least 1, not 0",
                new DamagedFileException("a.npz", "ends early"),
                "a.npz: ends early; the file is damaged or has another format (--format selects the format)",
                UnsupportedException.otherFormat("a.ckpt", "is a single file", "pt"),
                "a.ckpt: is a single file; if it is a pt file, use --format pt",
                StorageUnavailableException.unreachable("no answer", "endpoint", new IOException()),
                "no answer; check the network and --endpoint; try again later",
                new DataUnavailableException("cannot write x", "free some space", "a folder that has it", null),
                "cannot write x; free some space, or name a folder that has it with --data-dir or CAIRN_DATA");
        lines.forEach((e, line) -> {
            assertThat(Failures.describe(e)).isEqualTo(line);
            assertThat(e.getMessage()).doesNotContain("--");
        });
    }

    @Test
    void guessesTheKnownNameAndKeepsTheExplanation() {
        assertThat(Failures.describe(new UnknownNameException("fruit", "aplpe", List.of("pear", "apple"), "both grow")))
                .isEqualTo("unknown fruit 'aplpe' (did you mean 'apple'?); known: pear, apple; both grow");
        assertThat(Failures.describe(new UnknownNameException("fruit", "stone", List.of("pear", "apple"))))
                .isEqualTo("unknown fruit 'stone'; known: pear, apple");
    }
}
