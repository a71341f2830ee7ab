package dev.cairn.store.right;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StoreException;
import dev.cairn.store.log.SealedText;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Predicate;

/// One number of a run's lease, as it is stored. The highest number says who holds the run.
///
/// @param nonce a random number of the holder, because process ids and host names are reused
/// @param place the place of the store, see [BlobStore#place][dev.cairn.store.blob.BlobStore#place]
/// @param ttl the time without a new number after which the lease expires
/// @param holder the holder, in words for people
record LeaseBlob(long number, String nonce, String place, Duration ttl, State state, String holder) {
    private static final String MAGIC = "cairn-lease";
    private static final int VERSION = 1;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /// Whether the lease is held.
    enum State {
        HELD,
        /// Released: any process may take it at once.
        RELEASED;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        static State ofLabel(String label) {
            for (State state : values()) {
                if (state.label().equals(label)) {
                    return state;
                }
            }
            throw new IllegalArgumentException("unknown state '" + SealedText.printable(label) + "'");
        }
    }

    LeaseBlob {
        if (!ttl.isPositive() || ttl.compareTo(WriterClaim.LONGEST_TTL) > 0) {
            throw new IllegalArgumentException("a lease lasts at most " + WriterClaim.LONGEST_TTL + ", not " + ttl);
        }
    }

    /// The next number of the same holder.
    LeaseBlob next(long number, State state) {
        return new LeaseBlob(number, nonce, place, ttl, state, holder);
    }

    boolean isSameHolder(LeaseBlob other) {
        return nonce.equals(other.nonce);
    }

    byte[] bytes() {
        String json = JSON.createObjectNode()
                .put("number", number)
                .put("state", state.label())
                .put("nonce", nonce)
                .put("place", place)
                .put("ttlMillis", ttl.toMillis())
                .put("holder", holder)
                .toString();
        return new SealedText(VERSION, json).bytes(MAGIC);
    }

    static LeaseBlob read(String file, long number, byte[] bytes) throws StoreException {
        SealedText sealed = SealedText.read(file, "lease", MAGIC, VERSION, bytes);
        try {
            JsonNode json = JSON.readTree(sealed.content());
            long found = integer(json, "number");
            if (found != number) {
                throw new DamagedException(
                        file, "lease has number %d, but its file name says %d".formatted(found, number));
            }
            return new LeaseBlob(
                    number,
                    text(json, "nonce"),
                    text(json, "place"),
                    Duration.ofMillis(integer(json, "ttlMillis")),
                    State.ofLabel(text(json, "state")),
                    SealedText.printable(text(json, "holder")));
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            String reason =
                    String.valueOf(malformed.getMessage()).lines().findFirst().orElse("no message");
            throw new DamagedException(file, "lease does not parse: " + SealedText.printable(reason));
        }
    }

    private static long integer(JsonNode json, String key) {
        return field(json, key, node -> node.isIntegralNumber() && node.canConvertToLong())
                .longValue();
    }

    private static String text(JsonNode json, String key) {
        return field(json, key, JsonNode::isTextual).textValue();
    }

    private static JsonNode field(JsonNode json, String key, Predicate<JsonNode> isRight) {
        JsonNode value = json.path(key);
        if (!isRight.test(value)) {
            throw new IllegalArgumentException("key " + key + " is missing or of the wrong type");
        }
        return value;
    }
}
