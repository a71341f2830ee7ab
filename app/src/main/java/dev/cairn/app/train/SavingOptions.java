package dev.cairn.app.train;

import dev.cairn.app.console.Choices;
import dev.cairn.app.run.Keep;
import dev.cairn.app.text.ByteCount;
import dev.cairn.app.text.CodecName;
import dev.cairn.app.text.Every;
import dev.cairn.app.text.Scrub;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.Scrubbing;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.StorageSettings;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.train.job.Place;
import dev.cairn.train.job.Saving;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Options of `train` that say when, how and where to save, and which checkpoints to keep.
final class SavingOptions {
    @Option(
            names = "--every",
            paramLabel = "auto|N|30s|epoch",
            defaultValue = "auto",
            converter = Every.class,
            description = {
                "How often to save:",
                "auto   chooses the save interval that wastes the",
                "       least time, from the cost of saves and the",
                "       failures of this run; 'cairn show --policy'",
                "       shows what it chose and why",
                "N      every N steps; saves are skipped if they",
                "       take longer than the steps between them, and",
                "       the training has waited 2 s and a twentieth",
                "       of its time for them",
                "30s    every 30 seconds; also 5m, 1h",
                "epoch  after every epoch; with --epochs",
                "Default: ${DEFAULT-VALUE}"
            })
    private SavePolicy every;

    @Option(
            names = "--budget",
            paramLabel = "SHARE",
            description = "Maximum share of the run's time for saves, with --every auto: 0.02 is 2 %% (default: no "
                    + "limit; for saves of best scores 5 %%).")
    private @Nullable Double budget;

    @Option(
            names = "--keep",
            paramLabel = "POLICY,...",
            defaultValue = "latest:5,every:1h,best:1",
            converter = Keep.class,
            description = {
                "Which checkpoints to keep: those that any of these selects, always the newest good one, and those that "
                        + "kept ones are built on.",
                "latest:N         the newest N",
                "every:N          one every N steps",
                "every:1h         one every hour",
                "best:N           the best N by test accuracy (by",
                "                 loss until there is one); a new",
                "                 best is saved when it is scored",
                "best:N@METRIC    by another metric; keeps all if no",
                "                 checkpoint has it",
                "newer:2d         those not older than 2 days",
                "atleast:N        more checkpoints, up to N in all",
                "all              every checkpoint",
                "Default: ${DEFAULT-VALUE}"
            })
    private Retention keep;

    @Option(
            names = "--codec",
            paramLabel = "CODEC",
            completionCandidates = Choices.Codecs.class,
            defaultValue = "lossless",
            converter = CodecName.class,
            description = {
                "How to store checkpoints (default: lossless):",
                "lossless     bit for bit",
                "full         as in memory",
                "lossy        small deltas: uq:" + Codec.DEFAULT_TARGET + "; first moments",
                "             (momentum, Adam's m) are restored as",
                "             zeros",
                "lossy+m      the same, and first moments with a",
                "             relative error of " + Codec.DEFAULT_MOMENT_TARGET,
                "uq:E         error E relative to the change since",
                "             the last checkpoint",
                "rel:E        error E relative to the weights",
                "lc:X         LC-Checkpoint with X bits",
                "lc:auto:E    LC-Checkpoint with the bits that",
                "             error E needs, relative to the change",
                "+m, +m:E     after lossy, uq, rel or lc: keeps",
                "             first moments, with relative error E",
                "The last save is exact with every codec."
            })
    private Codec codec;

    @Option(
            names = "--write-limit",
            paramLabel = "50M",
            converter = ByteCount.class,
            description = "Maximum number of bytes per second to write during training: 500K, 50M, 1G (default: no "
                    + "limit). Does not slow down a last save that the training waits for.")
    private @Nullable Long writeLimit;

    @Option(
            names = "--scrub",
            paramLabel = "off|PERIOD[,RATE]",
            converter = Scrub.class,
            description = {
                "Read each file of the run again after PERIOD, at most RATE bytes per second, and rewrite what rotted and "
                        + "heals: 12h, 7d, 1d,5M. Saves go first.",
                "Default: 1d,10M; off in object storage"
            })
    private @Nullable Scrubbing scrub;

    @Option(
            names = "--copy-to",
            paramLabel = "PLACE",
            description = "Copy the checkpoints during training, the newest first, to s3://bucket/prefix or another "
                    + "folder. If the run's own folder is lost, the same command resumes from the copy.")
    private @Nullable RunLocation copyTo;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    SavingOptions() {}

    /// When to save.
    SavePolicy every() {
        return every;
    }

    /// Converts the options to the plan of a job.
    Saving saving(CommandSpec command, StorageSettings storage, WriterClaim claim) {
        CheckpointOptions options = CheckpointOptions.defaults()
                .withPolicy(policy(command))
                .withCodec(codec)
                .withRetention(keep)
                .withClaim(claim)
                .withoutLog();
        if (writeLimit != null) {
            options = options.withWriteLimit(writeLimit);
        }
        return new Saving(
                scrub == null ? options : options.withScrubbing(scrub),
                Optional.ofNullable(copyTo).map(place -> new Place(place, storage)));
    }

    /// Returns the place of the copy, for people; empty if there is none.
    String copyName() {
        return copyTo == null ? "" : copyTo.toString();
    }

    /// Returns a note if the run has been saved with another codec so far.
    ///
    /// @param steps the last step of the training
    Optional<String> otherCodec(CommandSpec command, Checkpoint newest, long steps) {
        String before = newest.codec();
        if (before.isEmpty() || before.equals(codec.text())) {
            return Optional.empty();
        }
        if (newest.step() < steps) {
            return Optional.of("cairn: saving as codec=%s from now on; until now the run was saved as codec=%s"
                    .formatted(CodecName.typed(codec.text()), CodecName.typed(before)));
        }
        return command.commandLine().getParseResult().hasMatchedOption("--codec")
                ? Optional.of("cairn: --codec %s changes nothing: the run is finished, saved as codec=%s"
                        .formatted(CodecName.typed(codec.text()), CodecName.typed(before)))
                : Optional.empty();
    }

    private SavePolicy policy(CommandSpec command) {
        if (budget == null) {
            return every;
        }
        if (!(every instanceof SavePolicy.Automatic automatic)) {
            throw new ParameterException(command.commandLine(), "--budget is for --every auto; give one of them");
        }
        if (!(budget > 0) || budget >= 1) {
            throw new ParameterException(
                    command.commandLine(), "--budget takes a share between 0 and 1, such as 0.02, not " + budget);
        }
        return new SavePolicy.Automatic(automatic.settings().withBudget(budget));
    }
}
