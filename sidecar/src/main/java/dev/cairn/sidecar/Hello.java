package dev.cairn.sidecar;

import dev.cairn.checkpoint.CaptureMode;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.store.Attributes;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.retention.Retention;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The first message of a training: which run, and what to do with it.
///
/// @param policy when to save; a policy that counts steps is applied by the training itself
record Hello(RunLocation run, boolean reads, SavePolicy policy, Codec codec, Retention keep, int threads) {
    /// The version of the protocol. Both sides must have the same one.
    static final long PROTOCOL = 1;

    private static final Pattern EVERY = Pattern.compile("([0-9]{1,9})(ms|s|m|h)?");

    /// @throws IllegalArgumentException if a setting is not valid; the message says what is
    static Hello of(Attributes message) {
        return new Hello(
                RunLocation.parse(required(message, "run")),
                required(message, "mode").equals("read"),
                every(required(message, "every")),
                Codec.parse(required(message, "codec")),
                Retention.parse(required(message, "keep")),
                message.integer("threads").orElse(2L).intValue());
    }

    /// Why this version cannot serve that client; empty text if it can.
    static String refusal(Attributes message, String version) {
        long theirs = message.integer("protocol").orElse(-1L);
        return theirs == PROTOCOL
                ? ""
                : "the sidecar is of another version: it speaks protocol %d (Cairn %s), the client %d (Cairn %s); install both from one wheel, or set CAIRN_JARS to the jars of the client's version"
                        .formatted(
                                PROTOCOL,
                                version,
                                theirs,
                                message.text("version").orElse("unknown"));
    }

    CheckpointOptions options() {
        return CheckpointOptions.defaults()
                .withPolicy(policy)
                .withCodec(codec)
                .withRetention(keep)
                .withCapture(CaptureMode.FUSED)
                .withSaveThreads(threads)
                .withoutLog();
    }

    private static String required(Attributes message, String name) {
        return message.text(name)
                .orElseThrow(() -> new IllegalArgumentException("the first message has no '" + name + "'"));
    }

    private static SavePolicy every(String text) {
        if (text.equals("auto")) {
            return SavePolicy.automatic();
        }
        Matcher matcher = EVERY.matcher(text);
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw new IllegalArgumentException("every='" + text
                    + "' is neither 'auto', nor a number of steps such as 100, nor a time such as '30s', '5m' or '1h'");
        }
        long amount = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2);
        if (unit == null) {
            return new SavePolicy.EverySteps(amount);
        }
        return new SavePolicy.EveryDuration(
                switch (unit) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    default -> Duration.ofHours(amount);
                });
    }
}
