package dev.cairn.app.train;

import dev.cairn.train.Goals;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// Options that end a training early, or say what to do if it diverges.
final class GoalOptions {
    private static final Pattern ROLLBACK = Pattern.compile("rollback:([1-9][0-9]{0,5})");

    @Option(names = "--until-loss", paramLabel = "X", description = "Stop when the test loss is X or less.")
    private @Nullable Double untilLoss;

    @Option(names = "--until-accuracy", paramLabel = "X", description = "Stop at a test accuracy of X, such as 0.98.")
    private @Nullable Double untilAccuracy;

    @Option(names = "--until-rmse", paramLabel = "X", description = "For mf: stop when the test RMSE is X or less.")
    private @Nullable Double untilRmse;

    @Option(
            names = "--on-divergence",
            paramLabel = "HOW",
            defaultValue = "stop",
            description = "What to do if the loss is not a number or explodes: stop, or rollback:N, which goes back N "
                    + "checkpoints and halves the learning rate, at most ten times (default: stop).")
    private String onDivergence;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    GoalOptions() {}

    Goals goals(CommandLine command, String workload) {
        if (untilAccuracy != null && workload.equals("mf")) {
            throw new CommandLine.ParameterException(command, "mf has no accuracy; give --until-rmse or --until-loss");
        }
        if (untilRmse != null && !workload.equals("mf")) {
            throw new CommandLine.ParameterException(
                    command, "--until-rmse is a goal of mf; give --until-accuracy or --until-loss");
        }
        if (untilAccuracy != null && !(untilAccuracy > 0 && untilAccuracy <= 1)) {
            throw new CommandLine.ParameterException(
                    command, "--until-accuracy must be above 0 and up to 1, not " + untilAccuracy);
        }
        for (Double least : new Double[] {untilLoss, untilRmse}) {
            if (least != null && !(least > 0)) {
                throw new CommandLine.ParameterException(
                        command, "--until-loss and --until-rmse must be above 0, not " + least);
            }
        }
        return new Goals(optional(untilLoss), optional(untilAccuracy), optional(untilRmse), rollback(command));
    }

    private int rollback(CommandLine command) {
        if (onDivergence.equals("stop")) {
            return 0;
        }
        Matcher rollback = ROLLBACK.matcher(onDivergence);
        if (!rollback.matches()) {
            throw new CommandLine.ParameterException(
                    command,
                    "--on-divergence must be stop or rollback:N with N from 1, not '%s'".formatted(onDivergence));
        }
        return Integer.parseInt(rollback.group(1));
    }

    private static OptionalDouble optional(@Nullable Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
