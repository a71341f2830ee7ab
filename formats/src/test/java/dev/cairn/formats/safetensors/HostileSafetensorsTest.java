package dev.cairn.formats.safetensors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.formats.file.BytesInput;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Made-up headers.
@Timeout(20)
class HostileSafetensorsTest {
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE, -1, -9, 100_000_001, 1L << 40, 99, 3})
    void aHeaderThatIsTooLongIsNotRead(long length) {
        assertThatThrownBy(() -> SafetensorsFile.open(new BytesInput(file(length, "{}", 0))))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining(Long.toUnsignedString(length));
    }

    static Stream<Arguments> headers() {
        return Stream.of(
                header("overlap", tensor("a", "[4]", "[0, 4]") + "," + tensor("b", "[4]", "[2, 6]")),
                header("the same bytes", tensor("a", "[8]", "[0, 8]") + "," + tensor("b", "[8]", "[0, 8]")),
                header("a hole", tensor("a", "[3]", "[0, 3]") + "," + tensor("b", "[4]", "[4, 8]")),
                header("a hole in front", tensor("a", "[7]", "[1, 8]")),
                header("bytes left over", tensor("a", "[4]", "[0, 4]")),
                header("beyond the end", tensor("a", "[9]", "[0, 9]")),
                header("backwards", tensor("a", "[8]", "[8, 0]")),
                header("negative", tensor("a", "[8]", "[-8, 0]")),
                header("another size", tensor("a", "[7]", "[0, 8]")),
                header("twice", tensor("a", "[4]", "[0, 4]") + "," + tensor("a", "[4]", "[4, 8]")),
                header("a key twice", "\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]}"),
                header("metadata twice", "\"__metadata__\":{},\"__metadata__\":{}," + tensor("a", "[8]", "[0, 8]")),
                header("metadata that is no text", "\"__metadata__\":{\"a\":1}," + tensor("a", "[8]", "[0, 8]")),
                header("nested metadata", "\"__metadata__\":{\"a\":{}}," + tensor("a", "[8]", "[0, 8]")),
                header("negative shape", tensor("a", "[-8]", "[0, 8]")),
                header("negative twice", tensor("a", "[-2, -4]", "[0, 8]")),
                header("overflow", tensor("a", "[4294967296, 4294967296]", "[0, 0]")),
                header("overflow to 8", tensor("a", "[9223372036854775807, 9223372036854775807, 8]", "[0, 8]")),
                header("overflow beside a zero", tensor("a", "[0, 9223372036854775807, 9]", "[0, 0]")),
                header("beyond long", tensor("a", "[99999999999999999999]", "[0, 8]")),
                header("fraction", tensor("a", "[8.0]", "[0, 8]")),
                header("text for a number", tensor("a", "[\"8\"]", "[0, 8]")),
                header("three offsets", tensor("a", "[8]", "[0, 4, 8]")),
                header("no shape", "\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,8]}"),
                header("not closed", tensor("a", "[8]", "[0, 8]").replace("}", "")),
                header("more after it", tensor("a", "[8]", "[0, 8]") + "}{"),
                header("deep", "\"a\":" + "[".repeat(100_000)),
                header("deep and ignored", "\"a\":{\"x\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}"),
                header("no UTF-8", "\"\u0000\":1"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("headers")
    void aHostileHeaderIsDamage(String what, String header) {
        assertThatThrownBy(() -> SafetensorsFile.open(new BytesInput(file(header, 8))))
                .isInstanceOf(DamagedFileException.class)
                .message()
                .hasLineCount(1)
                .hasSizeLessThan(500)
                .doesNotContainPattern("[A-Z]{3,}_[A-Z]|marker|Source|Json[A-Z]|end-of-input");
    }

    @ParameterizedTest
    @ValueSource(strings = {"F4", "F6_E2M3", "F6_E3M2", "F128", "\u001b[2J", ""})
    void aTypeThatCairnDoesNotHoldIsNamedWithItsTensor(String type) {
        String header = "{" + tensor("conv1", "[8]", "[0, 8]").replace("U8", type.replace("\u001b", "\\u001b")) + "}";
        assertThatThrownBy(() -> SafetensorsFile.open(new BytesInput(file(header, 8))))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("tensor conv1 has the type")
                .hasMessageNotContaining("\u001b");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                {"a":1}                                              | tensor a should be an object {…}, but is a whole number
                {"a":{"dtype":7}}                                    | dtype of tensor a should be a string, but is a whole number
                {"a":{"dtype":"U8","shape":["8"]}}                   | each number in the shape of tensor a should be a whole number, but is a string
                {"a":{"dtype":"U8","dtype":"U8"}}                    | header has 'dtype' twice at character
                {"a":{"shape":[99999999999999999999]}}               | header has a number that is too large at character
                {"a":{"dtype":"U8"                                   | header is cut off: its JSON has no end
                {"a":{"dtype":nothing}}                              | header is not JSON at character
                []                                                   | the header should be an object {…}, but is a list […]
                """)
    void whatIsWrongIsToldInWords(String header, String problem) {
        assertThatThrownBy(() -> SafetensorsFile.open(new BytesInput(file(header, 8))))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void bytesThatAreNotUtf8AreDamage() {
        byte[] bytes = file("{" + tensor("abc", "[8]", "[0, 8]") + "}", 8);
        bytes[8 + 3] = (byte) 0xff;
        assertThatThrownBy(() -> SafetensorsFile.open(new BytesInput(bytes)))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void aNameThatIsNoTextIsDamage() {
        byte[] bytes = file("{" + tensor("\\ud800", "[8]", "[0, 8]") + "}", 8);
        assertThatThrownBy(() -> SafetensorsFile.open(new BytesInput(bytes)))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("the name is not valid text");
    }

    @Test
    void whatTheFormatAllowsIsRead() throws IOException {
        String header = "{ \"b\" : {\"shape\":[2,2],\"data_offsets\":[4,8],\"dtype\":\"U8\",\"later\":[{}]},"
                + tensor("a", "[4]", "[0, 4]") + "," + tensor("none", "[0]", "[4, 4]") + "}   ";
        TensorFile file = SafetensorsFile.open(new BytesInput(file(header, 8)));
        assertThat(file.tensors()).extracting(NamedTensor::name).containsExactly("a", "none", "b");
        assertThat(file.metadata()).isEmpty();
    }

    private static Arguments header(String what, String content) {
        return Arguments.of(what, "{" + content + "}");
    }

    private static String tensor(String name, String shape, String offsets) {
        return "\"%s\":{\"dtype\":\"U8\",\"shape\":%s,\"data_offsets\":%s}".formatted(name, shape, offsets);
    }

    private static byte[] file(String header, int dataBytes) {
        return file(header.getBytes(UTF_8).length, header, dataBytes);
    }

    private static byte[] file(long length, String header, int dataBytes) {
        byte[] text = header.getBytes(UTF_8);
        byte[] bytes = new byte[8 + text.length + dataBytes];
        MemorySegment.ofArray(bytes).set(SafetensorsFile.U64, 0, length);
        System.arraycopy(text, 0, bytes, 8, text.length);
        return bytes;
    }
}
