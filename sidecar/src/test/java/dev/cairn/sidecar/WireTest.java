package dev.cairn.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.Attributes;
import dev.cairn.store.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WireTest {
    private static Map<String, @Nullable Object> message() {
        var message = new TreeMap<String, @Nullable Object>();
        message.put("none", null);
        message.put("flags", List.of(true, false));
        message.put("numbers", List.of(0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE));
        message.put(
                "doubles",
                List.of(
                        -0.0,
                        Double.MIN_VALUE,
                        Double.NEGATIVE_INFINITY,
                        Double.longBitsToDouble(0x7ff8_0605_0403_0201L)));
        message.put("text", "täxt 🗿");
        message.put("bytes", Bytes.of(new byte[] {0, -1}));
        message.put("deep", Map.of("a", List.of(Map.of(), List.of(), "")));
        return message;
    }

    @Test
    void keepsEveryValue() {
        assertThat(Wire.decode(Wire.encode(message()))).isEqualTo(Attributes.of(message()));
    }

    @Test
    void refusesWhatIsCutOff() {
        byte[] whole = Wire.encode(message());
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> Wire.decode(part)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Wire.decode(Arrays.copyOf(whole, whole.length + 1)))
                .hasMessage("a message must be one map");
    }

    @Test
    void readsOrRefusesWhateverComes() {
        byte[] whole = Wire.encode(message());
        var random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            try {
                assertThat(Wire.decode(damaged)).isNotNull();
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageNotContaining("null");
            }
        }
    }

    @Test
    void refusesWhatIsNestedTooDeeply() {
        byte[] lists = new byte[5 * 5000];
        for (int i = 0; i < lists.length; i += 5) {
            lists[i] = 'L';
            lists[i + 1] = 1;
        }
        assertThatThrownBy(() -> Wire.decode(lists)).hasMessageContaining("nested deeper");
    }
}
