package dev.cairn.train.data.ratings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.train.data.MalformedDataException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.poi.hssf.record.BOFRecord;
import org.apache.poi.hssf.record.CodepageRecord;
import org.apache.poi.hssf.record.EOFRecord;
import org.apache.poi.hssf.record.MulRKRecord;
import org.apache.poi.hssf.record.NumberRecord;
import org.apache.poi.hssf.record.RKRecord;
import org.apache.poi.hssf.record.Record;
import org.apache.poi.poifs.filesystem.POIFSFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JesterTest {
    @TempDir
    Path folder;

    @Test
    void rowsAreUsersAndColumnsJokes() throws IOException {
        var set = Jester.read(text(rows(20)));
        assertThat(set.users()).isEqualTo(20);
        assertThat(set.items()).isEqualTo(100);
        assertThat(set.low()).isEqualTo(-10);
        assertThat(set.high()).isEqualTo(10);
        double[][] rows = rows(20);
        for (int i = 0; i < set.train().count(); i++) {
            double expected = rows[set.train().user(i)][set.train().item(i) + 1];
            assertThat(set.train().rating(i)).isEqualTo((float) expected);
        }
        assertThat(set.train().count() + set.test().count())
                .isEqualTo(Arrays.stream(rows).mapToInt(row -> (int) row[0]).sum());
    }

    /// POI would allocate two gigabytes of memory for the sectors that the tables describe.
    @Test
    void aSheetThatSaysItIsFarLargerIsMalformed() throws IOException {
        Path sheet = sheet(rows(20));
        byte[] bytes = Files.readAllBytes(sheet);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(44, 32_000);
        Files.write(sheet, bytes);
        assertThatThrownBy(() -> Jester.read(sheet))
                .isInstanceOf(MalformedDataException.class)
                .hasMessageContaining("far larger than it is");
    }

    @Test
    void theSpreadsheetIsReadLikeTheText() throws IOException {
        var fromText = Jester.read(text(rows(20)));
        var fromSheet = Jester.read(sheet(rows(20)));
        assertThat(fromSheet.users()).isEqualTo(fromText.users());
        assertThat(fromSheet.test().count()).isEqualTo(fromText.test().count());
        for (int i = 0; i < fromText.test().count(); i++) {
            assertThat(fromSheet.test().user(i)).isEqualTo(fromText.test().user(i));
            assertThat(fromSheet.test().item(i)).isEqualTo(fromText.test().item(i));
            assertThat(fromSheet.test().rating(i)).isEqualTo(fromText.test().rating(i));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 101, 'count is more than 100', 'says 101 ratings, has '",
        "7, 11, 'rating of joke 7 is neither in [-10, 10] nor 99: 11.0', 'rating of joke 7 is neither'",
        "7, NaN, 'rating is not a number', 'rating of joke 7 is neither'",
        "7, -Infinity, 'rating is not a number', 'rating of joke 7 is neither'",
        "7, 1e300, 'rating is not a number', 'rating of joke 7 is neither'"
    })
    void malformedRowsAreOneErrorWithFileLineAndReason(int column, double value, String inText, String inSheet)
            throws IOException {
        double[][] rows = rows(3);
        rows[1][column] = value;
        Path text = text(rows);
        assertThatThrownBy(() -> Jester.read(text))
                .isInstanceOf(MalformedDataException.class)
                .hasMessageStartingWith("malformed: " + text + ": line 2: " + inText);
        Path sheet = sheet(rows);
        assertThatThrownBy(() -> Jester.read(sheet))
                .isInstanceOf(MalformedDataException.class)
                .hasMessageStartingWith("malformed: " + sheet + ": line 2: " + inSheet);
    }

    @Test
    void shortAndLongAndMiscountedRowsAreMalformed() throws IOException {
        double[][] rows = rows(3);
        rows[2] = Arrays.copyOf(rows[2], 100);
        Path text = text(rows);
        assertThatThrownBy(() -> Jester.read(text))
                .hasMessageContaining("line 3: no further rating, of 100: fields are separated by ','")
                .hasMessageEndingWith("; remove the file to download it again");
        Path sheet = sheet(rows);
        assertThatThrownBy(() -> Jester.read(sheet))
                .hasMessageContaining("line 3: no further rating, of 100")
                .hasMessageEndingWith("; remove the file to download it again");
        rows[2] = Arrays.copyOf(rows(3)[2], 102);
        Path longer = text(rows);
        assertThatThrownBy(() -> Jester.read(longer)).hasMessageContaining("line 3: continues after the last field");
        rows[2] = rows(3)[2];
        rows[2][0]--;
        Path miscounted = text(rows);
        assertThatThrownBy(() -> Jester.read(miscounted))
                .hasMessageContaining("line 3: says %.0f ratings, has %.0f".formatted(rows[2][0], rows[2][0] + 1));
        assertThatThrownBy(() -> Jester.read(text(rows(0)))).hasMessageContaining("line 1: no ratings");
    }

    @Test
    void aBlankLastLineIsNone() throws IOException {
        Path text = text(rows(3));
        int users = Jester.read(text).users();
        Files.writeString(text, "\n", StandardOpenOption.APPEND);
        assertThat(Jester.read(text).users()).isEqualTo(users);
        Files.writeString(text, "1,2\n", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> Jester.read(text)).hasMessageContaining("line 4: blank, with more lines after it");
    }

    @Test
    void damagedSpreadsheetsAreMalformedOrGiveRatings() throws IOException {
        Path sheet = sheet(rows(2));
        byte[] good = Files.readAllBytes(sheet);
        var random = new Random(1);
        for (int i = 0; i < 150; i++) {
            byte[] bad = i % 2 == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
            for (int k = 0; k < 3 && bad.length > 0; k++) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            Files.write(sheet, bad);
            try {
                assertThat(Jester.read(sheet).items()).as("change %d", i).isBetween(1, 100);
            } catch (MalformedDataException e) {
                assertThat(e).hasMessageStartingWith("malformed: " + sheet + ": line ");
            }
        }
    }

    /// Half of the jokes rated, at random.
    private static double[][] rows(int count) {
        var random = new Random(7);
        var rows = new double[count][101];
        for (double[] row : rows) {
            for (int joke = 1; joke <= 100; joke++) {
                boolean rated = random.nextBoolean();
                row[joke] = rated ? (random.nextInt(2001) - 1000) / 100.0 : 99;
                row[0] += rated ? 1 : 0;
            }
        }
        return rows;
    }

    private Path text(double[][] rows) throws IOException {
        String lines = Arrays.stream(rows)
                .map(row -> (int) row[0]
                        + Arrays.stream(row)
                                .skip(1)
                                .mapToObj(value -> value == 99 ? ",99" : "," + value)
                                .collect(Collectors.joining())
                        + "\n")
                .collect(Collectors.joining());
        return Files.writeString(folder.resolve("jester-data-1.csv"), lines);
    }

    Path sheet(double[][] rows) throws IOException {
        var records = new ByteArrayOutputStream();
        write(records, begin(BOFRecord.TYPE_WORKBOOK));
        write(records, new CodepageRecord());
        write(records, EOFRecord.instance);
        write(records, begin(BOFRecord.TYPE_WORKSHEET));
        for (int row = 0; row < rows.length; row++) {
            if (row % 2 == 0) {
                records.writeBytes(packed(row, rows[row]));
            } else {
                records.writeBytes(plain(row, rows[row]));
            }
        }
        write(records, EOFRecord.instance);
        Path file = folder.resolve("jester-data-1.xls");
        try (var container = new POIFSFileSystem();
                var out = Files.newOutputStream(file)) {
            container.createDocument(new ByteArrayInputStream(records.toByteArray()), "Workbook");
            container.writeFilesystem(out);
        }
        return file;
    }

    /// A record for each number.
    private static byte[] plain(int row, double[] values) {
        var records = new ByteArrayOutputStream();
        for (int column = 0; column < values.length; column++) {
            var cell = new NumberRecord();
            cell.setRow(row);
            cell.setColumn((short) column);
            cell.setValue(values[column]);
            write(records, cell);
        }
        return records.toByteArray();
    }

    /// Hundredths in 30 bits, as Excel writes them: the first number in its own record, the others in one record.
    private static byte[] packed(int row, double[] values) {
        int others = values.length - 1;
        var records = ByteBuffer.allocate(14 + 10 + 6 * others).order(ByteOrder.LITTLE_ENDIAN);
        records.putShort(RKRecord.sid)
                .putShort((short) 10)
                .putShort((short) row)
                .putShort((short) 0);
        records.putShort((short) 0).putInt(hundredths(values[0]));
        records.putShort(MulRKRecord.sid).putShort((short) (6 + 6 * others));
        records.putShort((short) row).putShort((short) 1);
        for (int column = 1; column < values.length; column++) {
            records.putShort((short) 0).putInt(hundredths(values[column]));
        }
        return records.putShort((short) others).array();
    }

    private static int hundredths(double value) {
        return ((int) Math.round(value * 100) << 2) | 3;
    }

    private static BOFRecord begin(int type) {
        var begin = new BOFRecord();
        begin.setVersion(BOFRecord.VERSION);
        begin.setType(type);
        return begin;
    }

    private static void write(ByteArrayOutputStream records, Record record) {
        records.writeBytes(record.serialize());
    }
}
