package dev.cairn.sidecar;

import dev.cairn.checkpoint.CaptureMode;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.store.Attributes;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.retention.Retention;

/// The first message of a training: which run, and what to do with it.
///
/// @param policy when to save; a policy that counts steps is applied by the training itself
record Hello(RunLocation run, boolean reads, SavePolicy policy, Codec codec, Retention keep, int threads) {
    /// The version of the protocol. Both sides must have the same one.
    static final long PROTOCOL = 1;

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
        SavePolicy policy = SavePolicy.parse(text);
        if (policy instanceof SavePolicy.EveryEpoch) {
            throw new IllegalArgumentException(
                    "every='epoch' is for 'cairn train'; in Python, call save_now at the end of an epoch");
        }
        return policy;
    }
}
