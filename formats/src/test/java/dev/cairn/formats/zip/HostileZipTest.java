package dev.cairn.formats.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.Allocation;
import dev.cairn.formats.Samples;
import dev.cairn.formats.file.BytesInput;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import dev.cairn.formats.npz.NpzFile;
import dev.cairn.formats.pt.PtFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Made-up zip files and arrays.
@Timeout(20)
class HostileZipTest {
    private static final String HEADER = "{'descr': '|u1', 'fortran_order': False, 'shape': (8,), }\n";

    @Test
    void arraysOfAnotherImplementationAreRead() throws IOException {
        var entries = new LinkedHashMap<String, byte[]>();
        byte[] large = Zips.npy(HEADER.replace("8,", "300000,"), 300_000);
        large[large.length - 1] = 5;
        entries.put("a/b.npy", Zips.npy(HEADER, 8));
        entries.put("large.npy", large);
        for (byte[] zip : List.of(Zips.stored(entries), Zips.deflated(entries))) {
            try (TensorFile file = NpzFile.open(new BytesInput(zip))) {
                assertThat(file.tensors())
                        .containsExactly(
                                new NamedTensor("a/b", ElementType.UINT8, List.of(8L)),
                                new NamedTensor("large", ElementType.UINT8, List.of(300_000L)));
                assertThat(Samples.read(file).lastEntry().getValue()).endsWith(0, 5);
                // Reading backwards works, too.
                byte[] last = new byte[2];
                file.read(file.tensors().getLast(), 299_998, MemorySegment.ofArray(last));
                assertThat(last).containsExactly(0, 5);
                file.read(file.tensors().getLast(), 0, MemorySegment.ofArray(last));
                assertThat(last).containsExactly(0, 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x.npy", "a/../../x.npy", "/etc/x.npy", "..\\x.npy", "a/..", "x\u0000.npy"})
    void anEntryThatPointsOutsideIsDamage(String name) throws IOException {
        byte[] zip = Zips.stored(Map.of(name, Zips.npy(HEADER, 8)));
        assertThatThrownBy(() -> NpzFile.open(new BytesInput(zip)))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("entry with the unsafe name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "/x", "a/..", "", "a\\b"})
    void aTensorWhoseNameWouldPointOutsideIsNotWritten(String name) {
        assertThatThrownBy(() -> ZipNames.check("file", name)).isInstanceOf(UnsupportedException.class);
    }

    @Test
    void anEntryThatClaimsMoreThanDeflateCanMakeIsDamage() throws IOException {
        byte[] zip = Zips.deflated(Map.of("x.npy", Zips.npy(HEADER, 8)));
        claimSize(zip, 1L << 31);
        assertThatThrownBy(() -> NpzFile.open(new BytesInput(zip)))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("entry x.npy: sizes");
    }

    @Test
    void aBombIsReadInPiecesAndEndsWhereItSays() throws IOException {
        byte[] zip = Zips.deflated(Map.of("x.npy", Zips.npy(HEADER.replace("8,", "50000000,"), 50_000_000)));
        assertThat(zip).hasSizeLessThan(100_000);
        long before = Allocation.ofThread();
        try (TensorFile file = NpzFile.open(new BytesInput(zip))) {
            MemorySegment piece = MemorySegment.ofArray(new byte[1 << 16]);
            NamedTensor tensor = file.tensors().getFirst();
            for (long at = 0; at < tensor.sizeBytes(); at += piece.byteSize()) {
                file.read(tensor, at, piece.asSlice(0, Math.min(piece.byteSize(), tensor.sizeBytes() - at)));
            }
        }
        assertThat(Allocation.ofThread() - before).isLessThan(8 << 20);
    }

    @Test
    void aPickleOrMetadataThatUnfoldsBeyondItsBoundIsNotUnfolded() throws IOException {
        byte[] large = new byte[TensorFile.MOST_HEADER_BYTES + 1];
        byte[] metadata = Zips.deflated(Map.of("__metadata__.json", large));
        byte[] pickle = Zips.deflated(Map.of("archive/data.pkl", large));
        long before = Allocation.ofThread();
        assertThatThrownBy(() -> NpzFile.open(new BytesInput(metadata))).isInstanceOf(UnsupportedException.class);
        assertThatThrownBy(() -> PtFile.open(new BytesInput(pickle))).isInstanceOf(UnsupportedException.class);
        assertThat(Allocation.ofThread() - before).isLessThan(8 << 20);
    }

    @Test
    void entriesThatShareBytesAreDamage() throws IOException {
        var entries = new LinkedHashMap<String, byte[]>();
        entries.put("a.npy", Zips.npy(HEADER, 8));
        entries.put("b.npy", Zips.npy(HEADER, 8));
        byte[] zip = Zips.stored(entries);
        MemorySegment bytes = MemorySegment.ofArray(zip);
        long directory = bytes.get(ZipLayout.U32, zip.length - 6);
        long second = directory + ZipLayout.CENTRAL_BYTES + 5;
        // The second entry now refers to the first one, under another name of the same length.
        bytes.set(ZipLayout.U32, second + 42, 0);
        zip[ZipLayout.LOCAL_BYTES] = 'b';
        zip[(int) directory + ZipLayout.CENTRAL_BYTES] = 'b';
        assertThatThrownBy(() -> NpzFile.open(new BytesInput(zip))).isInstanceOf(DamagedFileException.class);
    }

    @Test
    void aChangedByteOfAnArrayIsFoundWhenItIsReadInOrder() throws IOException {
        for (boolean deflated : List.of(false, true)) {
            var entries = Map.of("x.npy", Zips.npy(HEADER.replace("8,", "300,"), 300));
            byte[] zip = deflated ? Zips.deflated(entries) : Zips.stored(entries);
            // The flipped bit is in the middle of the data, or in the checksum if the data is compressed.
            long directory = MemorySegment.ofArray(zip).get(ZipLayout.U32, zip.length - 6);
            zip[deflated ? (int) directory + 16 : (int) directory - 100] ^= 1;
            TensorFile file = NpzFile.open(new BytesInput(zip));
            assertThatThrownBy(() -> Samples.read(file))
                    .isInstanceOf(DamagedFileException.class)
                    .hasMessageContaining("crc32");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '"', textBlock = """
            {'descr': '|O', 'fortran_order': False, 'shape': (1,), } ; type '|O'
            {'descr': '>f4', 'fortran_order': False, 'shape': (2,), } ; type '<f4'
            {'descr': '<c16', 'fortran_order': False, 'shape': (), } ; type '<c16'
            {'descr': '<V2', 'fortran_order': False, 'shape': (4,), } ; type '<V2'
            {'descr': '|u1', 'fortran_order': True, 'shape': (2, 4), } ; column by column
            {'descr': [('a', '|u1')], 'fortran_order': False, 'shape': (8,), } ; type '[('a', '|u1')]', which
            {'shape': (1,), 'fortran_order': False, 'descr': [('a', '<f4'), ('b', '<i4')]} ; save each of its fields
            {'descr': [(('t[', "n'"), [('c\\'(', '<i4')], (2, 1))], 'fortran_order': False, 'shape': (1,)} ; [('c\\'('
            """)
    void whatNumpyHasAndCairnNotIsNamedWithItsTensor(String header, String message) throws IOException {
        byte[] zip = Zips.stored(Map.of("x.npy", Zips.npy(header + "\n", 8)));
        assertThatThrownBy(() -> NpzFile.open(new BytesInput(zip)))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("tensor x ")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'descr': '|u1', 'fortran_order': False, 'shape': (-8,), }",
                "{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
                "{'descr': '|u1', 'fortran_order': False, 'shape': (0, 999999999999999999, 99), }",
                "{'descr': '|u1', 'fortran_order': False, 'shape': (9,), }",
                "{'descr': '|u1', 'fortran_order': False, 'shape': (8), }",
                "{'descr': '|u1', 'fortran_order': False, 'shape': (8,), 'shape': (8,), }",
                "{'descr': '|u1', 'fortran_order': False, }",
                "{'descr': [('a', '|u1'), 'fortran_order': False, 'shape': (8,), }",
                "{'fortran_order': False, 'shape': (8,), 'descr': [('a', '|u1')}",
                "{'fortran_order': False, 'shape': (8,), 'descr': [('a', '|u1}",
                "{'descr': '|u1', 'descr': [('a', '|u1')], 'fortran_order': False, 'shape': (8,), }",
                "{'descr': [__import__('os')], 'fortran_order': False, 'shape': (8,), }",
                "{'descr': '|u1', 'fortran_order': __import__('os').system('x'), 'shape': (8,), }",
                "{'descr': '|u1', 'fortran_order': False, 'shape': (2,,4), }",
                "{'descr': '|u1', 'fortran_order': False, 'shape': (8,), ",
                "{",
                ""
            })
    void aHeaderThatIsNoneIsDamage(String header) throws IOException {
        byte[] zip = Zips.stored(Map.of("x.npy", Zips.npy(header, 8)));
        assertThatThrownBy(() -> NpzFile.open(new BytesInput(zip))).isInstanceOf(DamagedFileException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '"', textBlock = """
            (-8,)          ; '-8' is not a whole number of at most 18 digits
            (2.0, 4)       ; '2.0' is not a whole number of at most 18 digits
            (8)            ; one dimension is written with a comma, (8,)
            (2,,4)         ; a dimension is missing
            (,)            ; a dimension is missing
            [2, 4]         ; not a tuple such as (2, 3)
            8              ; not a tuple such as (2, 3)
            """)
    void aShapeThatIsNoneIsNamedWithItsArrayAndTheReason(String shape, String reason) throws IOException {
        String header = "{'descr': '|u1', 'fortran_order': False, 'shape': %s, }\n".formatted(shape);
        byte[] zip = Zips.stored(Map.of("x.npy", Zips.npy(header, 8)));
        assertThatThrownBy(() -> NpzFile.open(new BytesInput(zip)))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("array x: shape %s: %s; the file is damaged".formatted(shape, reason));
    }

    @Test
    void moreDimensionsThanNumpyHasAreRefused() throws IOException {
        String header = "{'descr': '|u1', 'fortran_order': False, 'shape': (%s), }\n".formatted("1,".repeat(1001));
        byte[] zip = Zips.stored(Map.of("x.npy", Zips.npy(header, 1)));
        assertThatThrownBy(() -> NpzFile.open(new BytesInput(zip)))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("…: more than 1000 dimensions");
    }

    @Test
    void columnsThatAreRowsAreRead() throws IOException {
        String header = "{'shape': (1, 8, 1), 'fortran_order': True, 'descr': '|u1'}";
        try (TensorFile file = NpzFile.open(new BytesInput(Zips.stored(Map.of("x.npy", Zips.npy(header, 8)))))) {
            assertThat(file.tensors()).hasSize(1);
        }
    }

    @Test
    void allVersionsOfArraysAreRead() throws IOException {
        for (int version = 1; version <= 3; version++) {
            byte[] first = Zips.npy(HEADER, 8);
            byte[] array = first;
            if (version > 1) {
                array = new byte[first.length + 2];
                System.arraycopy(first, 0, array, 0, 10);
                System.arraycopy(first, 10, array, 12, first.length - 10);
                array[6] = (byte) version;
            }
            try (TensorFile file = NpzFile.open(new BytesInput(Zips.deflated(Map.of("x.npy", array))))) {
                assertThat(Samples.read(file)).hasSize(1);
            }
        }
    }

    /// Changes the size of the first entry in the directory.
    private static void claimSize(byte[] zip, long size) {
        MemorySegment bytes = MemorySegment.ofArray(zip);
        long directory = bytes.get(ZipLayout.U32, zip.length - 6);
        bytes.set(ZipLayout.U32, directory + 24, (int) size);
    }
}
