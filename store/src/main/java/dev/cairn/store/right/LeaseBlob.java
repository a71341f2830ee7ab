package dev.cairn.store.right;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StoreException;
import dev.cairn.store.log.SealedText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One number of a run's lease, as it is stored. The highest number says who holds the run.
///
/// @param nonce a random number of the holder, because process ids and host names are reused
/// @param place the place of the store, see [BlobStore#place][dev.cairn.store.blob.BlobStore#place]
/// @param ttl the time without a new number after which the lease expires
/// @param holder the holder, in words for people
/// @param generation the processes that train together; null if the holder trains alone
record LeaseBlob(
        long number,
        String nonce,
        String place,
        Duration ttl,
        State state,
        String holder,
        @Nullable Generation generation) {
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
        return new LeaseBlob(number, nonce, place, ttl, state, holder, generation);
    }

    /// The next number of the same holder, for this group of processes.
    LeaseBlob next(Generation group) {
        return new LeaseBlob(number + 1, nonce, place, ttl, State.HELD, holder, group);
    }

    /// Whether a process of this job holds it.
    boolean isOfJob(String job) {
        return generation != null && generation.job().equals(job);
    }

    boolean isSameHolder(LeaseBlob other) {
        return nonce.equals(other.nonce);
    }

    byte[] bytes() {
        ObjectNode json = JSON.createObjectNode()
                .put("number", number)
                .put("state", state.label())
                .put("nonce", nonce)
                .put("place", place)
                .put("ttlMillis", ttl.toMillis())
                .put("holder", holder);
        if (generation != null) {
            json.put("job", generation.job()).put("generation", generation.number());
            ArrayNode members = json.putArray("members");
            generation.members().forEach(members::add);
        }
        return new SealedText(VERSION, json.toString()).bytes(MAGIC);
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
                    SealedText.printable(text(json, "holder")),
                    generation(json));
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            String reason =
                    String.valueOf(malformed.getMessage()).lines().findFirst().orElse("no message");
            throw new DamagedException(file, "lease does not parse: " + SealedText.printable(reason));
        }
    }

    private static @Nullable Generation generation(JsonNode json) {
        if (!json.has("job")) {
            return null;
        }
        var members = new ArrayList<String>();
        field(json, "members", JsonNode::isArray).forEach(member -> members.add(SealedText.printable(member.asText())));
        return new Generation(text(json, "job"), integer(json, "generation"), members);
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
