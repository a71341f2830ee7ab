package dev.cairn.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.testkit.Command;
import dev.cairn.testkit.Command.Ended;
import dev.cairn.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The tests of the Python package (`python/tests`), with this build as its sidecar. They need Python 3.10; those with
/// PyTorch also a Python that has it: the one that `CAIRN_PYTHON` names, or one that `python/venv` makes once.
class PythonTest {
    private static final Path FOLDER = Path.of("..", "python").toAbsolutePath().normalize();
    private static final String ENOUGH =
            "import os, sys; sys.exit(sys.version_info < (3, 10) or not os.path.exists('/proc/self'))";

    @Test
    void pythonsStandardLibraryIsEnough() throws IOException {
        String python = given("python3");
        assumeTrue(Command.of(python, "-c", ENOUGH).succeeds(), "there is no Python 3.10 on Linux here: " + python);
        String tests = "test_checkpoints.CheckpointsTest.test_";
        run(
                python,
                "1",
                "test_wire",
                "test_tree",
                tests + "restores_what_was_saved",
                tests + "a_killed_training_ends_in_the_same_bits",
                tests + "a_copy_that_is_complete_is_committed_though_the_training_is_killed_at_once",
                tests + "a_training_outlives_its_sidecar",
                tests + "a_sidecar_of_another_version_is_refused");
    }

    @Tag("python")
    @Test
    void everything() throws IOException {
        String python = given("python3");
        assumeTrue(Command.of(python, "-c", ENOUGH).succeeds(), "there is no Python 3.10 on Linux here: " + python);
        run(python, "3", "test_wire", "test_tree", "test_checkpoints");
    }

    /// In turns, because one process of a test may take five minutes and not more.
    @Tag("python")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void manyKills(int seed) throws IOException {
        String python = given("python3");
        assumeTrue(Command.of(python, "-c", ENOUGH).succeeds(), "there is no Python 3.10 on Linux here: " + python);
        run(python, "10", seed, "test_checkpoints.CheckpointsTest.test_a_killed_training_ends_in_the_same_bits");
    }

    @Tag("python")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void manyKillsWithTorch(int seed) throws IOException {
        run(torch(), "10", seed, "test_torch.TorchTest.test_a_killed_training_ends_in_the_same_bits");
    }

    @Tag("python")
    @Test
    void withTorch() throws IOException {
        run(torch(), "3", "test_torch");
    }

    /// A Python that has PyTorch.
    private static String torch() throws IOException {
        String python = given("");
        if (python.isEmpty()) {
            Ended made = Command.of(FOLDER.resolve("venv").toString()).run();
            assumeTrue(made.code() == 0, "no virtual environment with PyTorch, which needs a network: " + made.err());
            python = made.out().strip();
        }
        assumeTrue(Command.of(python, "-c", "import torch, numpy").succeeds(), python + " has no PyTorch");
        return python;
    }

    private static String given(String otherwise) {
        String python = System.getenv("CAIRN_PYTHON");
        return python == null ? otherwise : python;
    }

    /// Runs these tests of the folder.
    private static void run(String python, String kills, String... tests) throws IOException {
        run(python, kills, 11, tests);
    }

    private static void run(String python, String kills, int seed, String... tests) throws IOException {
        List<String> words = new ArrayList<>(List.of(python, "-m", "unittest", "-v"));
        words.addAll(List.of(tests));
        String path = FOLDER.resolve("src") + ":" + FOLDER.resolve("tests");
        Ended ended = Command.of(words)
                .withVariable("PYTHONPATH", path)
                .withVariable("PYTHONDONTWRITEBYTECODE", "1")
                .withVariable("CAIRN_JAVA", JavaProcess.java())
                .withVariable("CAIRN_CLASS_PATH", System.getProperty("java.class.path"))
                .withVariable("CAIRN_TEST_KILLS", kills)
                .withVariable("CAIRN_TEST_SEED", Integer.toString(seed))
                .run();
        assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    }
}
