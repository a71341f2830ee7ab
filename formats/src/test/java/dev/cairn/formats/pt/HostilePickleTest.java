package dev.cairn.formats.pt;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.Allocation;
import dev.cairn.formats.file.BytesInput;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import dev.cairn.formats.zip.Zips;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Made-up pickles. In the texts below every character is a byte.
@Timeout(20)
class HostilePickleTest {
    private static final String STORAGE = "((U\u0007storagectorch\nFloatStorage\nU\u00010U\u0003cpuK\u0010tQ";
    private static final String HOOKS = "\u0089ccollections\nOrderedDict\n)R";

    /// `{'t': _rebuild_tensor_v2(storage of 16 floats, …)}`
    private static String tensor(String offset, String shape, String strides) {
        return "\u0080\u0002}(U\u0001tctorch._utils\n_rebuild_tensor_v2\n" + STORAGE + offset + shape + strides + HOOKS
                + "tRu.";
    }

    @Test
    void aTensorIsRead() throws IOException {
        assertThat(open(tensor("K\u0004", "(K\u0003K\u0004t", "(K\u0004K\u0001t"))
                        .tensors())
                .containsExactly(new NamedTensor("t", ElementType.FLOAT32, List.of(3L, 4L)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cos\\nsystem\\n(U\\u0004ls /tR.                             | os.system
            cposix\\nsystem\\n(U\\u0004ls /tR.                          | posix.system
            cbuiltins\\neval\\n(U\\u00011tR.                            | builtins.eval
            c__builtin__\\nexec\\n(U\\u00011tR.                         | __builtin__.exec
            csubprocess\\nPopen\\n(U\\u0002lstR.                        | subprocess.Popen
            ctorch.hub\\nload\\n(U\\u0001xtR.                           | torch.hub.load
            ctorch._utils\\n_rebuild_qtensor\\n)R.                      | torch._utils._rebuild_qtensor
            U\\u0002osU\\u0006system\\u0093.                            | os.system
            c__main__\\nModel\\n)\\u0081.                               | __main__.Model
            ctorch\\nload\\n.                                           | torch.load
            """)
    void aNameThatNoTensorNeedsIsNamedAndNotLookedUp(String pickle, String name) {
        assertThatThrownBy(() -> open(unescaped(pickle)))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("its pickle names " + name)
                .hasMessageContaining("nothing in it was run");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            (U\\u0002ls(ios\\nsystem\\n.        | 0x69
            }o.                                 | 0x6f
            ctorch\\nSize\\n)\\u0081.           | 0x81
            Pabc\\n.                            | 0x50
            \\u0082\\u0001.                     | 0x82
            I01\\n.                             | 0x49
            S'abc'\\n.                          | 0x53
            V\\u0041\\n.                        | 0x56
            \\u0096\\u0000.                     | 0x96
            """)
    void anOperationThatNoTensorNeedsEndsIt(String pickle, String operation) {
        assertThatThrownBy(() -> open(unescaped(pickle)))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining(operation);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Calls of something that is not a function, or with invalid arguments.
                "U\u0001xU\u0001yR.",
                "}}R.",
                "ctorch\nFloatStorage\n)R.",
                "ctorch._utils\n_rebuild_tensor_v2\n)R.",
                "ctorch._utils\n_rebuild_parameter\n(K\u0001tR.",
                "ccollections\nOrderedDict\n(K\u0001tR.",
                "ctorch\nSize\n)R.",
                "ccollections\nOrderedDict\nK\u0001R.",
                // Values that are missing.
                "",
                ".",
                "}",
                "(",
                "t.",
                "s.",
                "(s.",
                "u.",
                "e.",
                "a.",
                "R.",
                "b.",
                "Q.",
                "}Q.",
                "h\u0000.",
                "K",
                "X\u0005\u0000\u0000\u0000ab",
                "X\u00ff\u00ff\u00ff\u00ff",
                "\u008d\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u007f",
                "cos",
                "cos\nsystem",
                // Items for something that is not a container.
                "K\u0001K\u0002a.",
                ")K\u0002a.",
                "K\u0001K\u0002K\u0003s.",
                "}(K\u0001u.",
                "K\u0001}b.",
                // A number that is cut off, and text that is not valid.
                "\u008a\u000912345678",
                "U\u0002\u00ff\u00fe."
            })
    void aPickleThatMakesNoSenseIsDamage(String pickle) {
        assertThatThrownBy(() -> open(pickle)).isInstanceOf(DamagedFileException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            K\\u0000 | (K\\u0011t | (K\\u0001t
            K\\u0001 | (K\\u0010t | (K\\u0001t
            Jÿÿÿÿ | (K\\u0001t | (K\\u0001t
            K\\u0000 | (Jÿÿÿÿt | (K\\u0001t
            K\\u0000 | (JÿÿÿÿJÿÿÿÿt | (K\\u0001K\\u0001t
            \\u008a\\b\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0040 | (K\\u0001t | (K\\u0001t
            K\\u0000 | (\\u008a\\bÿÿÿÿÿÿÿ\\u007ft | (K\\u0001t
            K\\u0000 | (\\u008a\\b\\u0000\\u0000\\u0000\\u0000\\u0001\\u0000\\u0000\\u0000\\u008a\\b\\u0000\\u0000\\u0000\\u0000\\u0001\\u0000\\u0000\\u0000t | (K\\u0001K\\u0001t
            K\\u0000 | (K\\u0002K\\u0002t | (K\\u0002t
            G\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000 | (K\\u0001t | (K\\u0001t
            """)
    void aViewOutsideItsStorageIsDamage(String offset, String shape, String strides) {
        assertThatThrownBy(() -> open(tensor(unescaped(offset), unescaped(shape), unescaped(strides))))
                .isInstanceOf(DamagedFileException.class);
    }

    @Test
    void aViewThatIsNotContiguousIsNamed() {
        assertThatThrownBy(() -> open(tensor("K\u0000", "(K\u0004K\u0004t", "(K\u0001K\u0004t")))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("tensor t is not contiguous: shape=[4, 4] strides=[1, 4]");
        assertThatThrownBy(() -> open(tensor("K\u0000", "(J\u0000\u0000\u0000\u007ft", "(K\u0000t")))
                .isInstanceOf(FormatException.class);
    }

    /// The last argument that `torch.save` writes for `x.conj()` and for its `x.imag`.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            }U\\u0004conj\\u0088s                    | tensor t is conjugated only when it is read (its conj bit is set); save it with .resolve_conj()
            }U\\u0003neg\\u0088s                     | tensor t is negated only when it is read (its neg bit is set); save it with .resolve_neg()
            }(U\\u0003neg\\u0089U\\u0004conj\\u0088u  | save it with .resolve_conj()
            }U\\u0004conjK\\u0001s                   | save it with .resolve_conj()
            }U\\u0004zero\\u0088s                    | tensor t has the metadata 'zero', whose effect on its values Cairn does not know
            """)
    void aTensorThatIsAnotherThanItsStorageIsRefused(String metadata, String message) {
        String plain = tensor("K\u0000", "(K\u0004t", "(K\u0001t");
        String flagged = plain.replace(HOOKS, HOOKS + unescaped(metadata));
        String later = flagged.replace("_v2", "_v3").replace(HOOKS, HOOKS + "ctorch\nfloat32\n");
        String parameter = flagged.replace("ctorch._utils\n", "ctorch._utils\n_rebuild_parameter\n(ctorch._utils\n")
                .replace("Ru.", "R" + HOOKS + "tRu.");
        for (String pickle : List.of(flagged, later, parameter)) {
            assertThatThrownBy(() -> open(pickle))
                    .isInstanceOf(UnsupportedException.class)
                    .hasMessageContaining(message);
        }
        assertThatThrownBy(() ->
                        open(flagged.replace("}(U\u0001tc", "}(U\u0001t](c").replace("tRu.", "tReu.")))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("tensor t.0 ");
    }

    @Test
    void metadataThatChangesNothingIsNoReasonToRefuseATensor() throws IOException {
        String plain = tensor("K\u0000", "(K\u0004t", "(K\u0001t");
        for (String metadata : List.of("N", "}", "}U\u0004conj\u0089s")) {
            assertThat(open(plain.replace(HOOKS, HOOKS + metadata)).tensors()).hasSize(1);
        }
        for (String senseless : List.of("K\u0001", "}K\u0001\u0088s")) {
            assertThatThrownBy(() -> open(plain.replace(HOOKS, HOOKS + senseless)))
                    .isInstanceOf(DamagedFileException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ComplexDoubleStorage, complex32, complex128, torch.view_as_real",
        "FloatStorage, complex32, complex32, torch.view_as_real",
        "QUInt8Storage, quint8, quint8, .dequantize()",
        "ByteStorage, float4_e2m1fn_x2, float4_e2m1fn_x2, .view(torch.uint8)",
    })
    void aTypeThatCairnHasNotIsNamedWithItsTensor(String storage, String own, String type, String cure) {
        String stored = tensor("K\u0000", "(K\u0001t", "(K\u0001t").replace("FloatStorage", storage);
        String typed = stored.replace("_v2", "_v3").replace(HOOKS, HOOKS + "ctorch\n" + own + "\n");
        assertThatThrownBy(() -> open(own.equals(type) ? typed : stored))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("tensor t has the type %s, which Cairn cannot hold; save ".formatted(type))
                .hasMessageContaining(cure);
    }

    @Test
    void aTypeThatCairnHasNotIsLeftOutWhereItIsNoTensors() throws IOException {
        assertThat(open("}U\u0001dctorch\ncomplex128\ns.").notes()).hasSize(1);
    }

    @Test
    void deepNestingEnds() {
        for (String pickle : List.of(
                "}U\u0001k".repeat(100_000) + "}" + "s".repeat(100_000) + ".",
                "]".repeat(100_000) + "a".repeat(99_999) + ".",
                ")" + "\u0085".repeat(1_000_000) + ".")) {
            assertThatThrownBy(() -> open(pickle))
                    .isInstanceOf(UnsupportedException.class)
                    .hasMessageContaining("deep");
        }
    }

    @Test
    void aDictionaryThatContainsItselfEnds() {
        assertThatThrownBy(() -> open("}q\u0000U\u0001kh\u0000s."))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("deep");
    }

    /// Each list holds the previous one ten times: 10^30 values in 500 bytes.
    @Test
    void listsOfListsOfListsEnd() {
        var pickle = new StringBuilder("]q\u0000");
        for (int level = 1; level <= 30; level++) {
            pickle.append("](")
                    .append(("h" + (char) (level - 1)).repeat(10))
                    .append("eq")
                    .append((char) level);
        }
        assertThatThrownBy(() -> open(pickle + "."))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("values");
    }

    @Test
    void namesThatGrowEnd() {
        String key = "X\u0000\u0008\u0000\u0000" + "k".repeat(2048);
        assertThatThrownBy(() -> open(("}" + key).repeat(3) + "K\u0001sss."))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("names of");
    }

    @Test
    void whatIsBuiltIsBoundedByWhatWasRead() {
        for (String pickle : List.of("]", "}", "(", "]q\u0000h\u0000", "](", "K\u0001\u0085")) {
            long before = Allocation.ofThread();
            assertThatThrownBy(() -> PtFile.open(new BytesInput(Zips.deflated(
                            Map.of("archive/data.pkl", (pickle.repeat(9_000_000) + ".").getBytes(ISO_8859_1))))))
                    .isInstanceOf(UnsupportedException.class)
                    .hasMessageContaining("expand to more than");
            assertThat(Allocation.ofThread() - before).isLessThan(200 << 20);
        }
    }

    @Test
    void twoTensorsOfOneNameAreRefused() {
        String body = "ctorch._utils\n_rebuild_tensor_v2\n" + STORAGE + "K\u0000(K\u0001t(K\u0001t" + HOOKS + "tR";
        assertThatThrownBy(() -> open("}(U\u0003a.b" + body + "U\u0001a}U\u0001b" + body + "su."))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("two tensors would have the name a.b");
    }

    @Test
    void aStorageThatIsMissingOrOfAnotherSizeIsDamage() {
        String good = tensor("K\u0000", "(K\u0001t", "(K\u0001t");
        for (String changed : List.of(
                good.replace("U\u00010", "U\u00011"),
                good.replace("U\u00010", "U\u0004../0"),
                good.replace("K\u0010tQ", "K\u000ftQ"),
                good.replace("K\u0010tQ", "\u008a\u0008\u0004\u0000\u0000\u0000\u0000\u0000\u0000@tQ"))) {
            assertThatThrownBy(() -> open(changed)).isInstanceOf(DamagedFileException.class);
        }
    }

    @Test
    void whatIsNeitherTensorNorMetadataIsCounted() throws IOException {
        TensorFile file = open("}(U\u0001nNU\u0001eK\u0003U\u0002lrG?\u00f0\u0000\u0000\u0000\u0000\u0000\u0000"
                + "U\u0001l](K\u0001K\u0002eU\u0001d}U\u0001x\u0088su.");
        assertThat(file.notes()).singleElement().asString().startsWith("3 values");
        assertThat(file.metadata()).hasToString("{d.x=true, e=3, lr=1.0}");
    }

    /// A number such as `1 << 80`.
    @Test
    void aNumberBeyond64BitsIsNamed() throws IOException {
        String wide = "\u008a\u000b" + "\u0000".repeat(10) + "\u0001";
        assertThatThrownBy(() -> open("}U\u0001r}U\u0004seed" + wide + "ss."))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("r.seed is a whole number of 11 bytes")
                .hasMessageContaining("str()");
        assertThatThrownBy(() -> open("}" + wide + "K\u0001s."))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("a key that is neither text nor a number of 8 bytes");
        assertThat(open("}U\u0001l](" + wide + "es.").notes())
                .singleElement()
                .asString()
                .startsWith("1 values");
        assertThatThrownBy(() -> open(tensor(wide, "(K\u0001t", "(K\u0001t"))).isInstanceOf(DamagedFileException.class);
    }

    @Test
    void theOldFormIsNamed() {
        assertThatThrownBy(() -> PtFile.open(new BytesInput(new byte[] {(byte) 0x80, 2, 'l', '.'})))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("before 1.6");
    }

    private static TensorFile open(String pickle) throws IOException {
        return PtFile.open(new BytesInput(Zips.pt(pickle)));
    }

    private static String unescaped(String text) {
        return Pattern.compile("\\\\u([0-9a-f]{4})")
                .matcher(text.replace("\\n", "\n").replace("\\b", "\b"))
                .replaceAll(
                        found -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 16))));
    }
}
