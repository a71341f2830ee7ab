package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.testkit.Command;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// PyTorch's own optimizers load what `export --all` wrote of a run, and go on with it. Needs a Python that
/// has torch, by `CAIRN_PYTHON`.
@Tag("python")
class TorchWitnessTest {
    private static final String SCRIPT = """
            import sys, torch
            state = torch.load(sys.argv[1], weights_only=True)
            weights = [torch.nn.Parameter(tensor) for tensor in state["model"].values()]
            optimizer = getattr(torch.optim, sys.argv[2])(weights, lr=123.0)
            optimizer.load_state_dict(state["optimizer"])
            for weight in weights:
                for key, value in optimizer.state[weight].items():
                    assert key == "step" or value.shape == weight.shape, key
                weight.grad = torch.ones_like(weight)
            before = [weight.detach().clone() for weight in weights]
            optimizer.step()
            assert all((b != w).any() for b, w in zip(before, weights))
            group = optimizer.param_groups[0]
            step = [float(optimizer.state[w].get("step", 0)) for w in weights][0]
            keys = sorted(key for key in optimizer.state[weights[0]] if optimizer.state[weights[0]][key] is not None)
            print(group["lr"], group["weight_decay"], step, *keys)
            """;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "sgd, SGD, 0.1 0.01 0.0",
        "momentum, SGD, 0.1 0.01 0.0 momentum_buffer",
        "adam, Adam, 0.1 0.01 7.0 exp_avg exp_avg_sq step"
    })
    void torchGoesOnWithTheOptimizerOfARun(String optimizer, String kind, String expected) throws Exception {
        String python = System.getenv("CAIRN_PYTHON");
        assumeTrue(python != null && Command.of(python, "-c", "import torch").succeeds(), "CAIRN_PYTHON has no torch");
        String run = folder.resolve("run").toString();
        Cli trained = Cli.run(
                "train",
                "lr",
                "--run",
                run,
                "--steps",
                "6",
                "--optimizer",
                optimizer,
                "--rate",
                "0.1",
                "--weight-decay",
                "0.01");
        assertThat(trained.code()).as(trained.err()).isZero();
        String file = folder.resolve("state.pt").toString();
        assertThat(Cli.run("export", run, file, "--all").code()).isZero();
        assertThat(Command.of(python, "-c", SCRIPT, file, kind).succeed().strip())
                .isEqualTo(expected);
    }
}
