package dev.cairn.train.data.ratings;

import dev.cairn.train.data.MalformedDataException;
import dev.cairn.train.data.Ratings;
import dev.cairn.train.data.fetch.Archives;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.poi.hssf.record.BOFRecord;
import org.apache.poi.hssf.record.CellValueRecordInterface;
import org.apache.poi.hssf.record.EOFRecord;
import org.apache.poi.hssf.record.NumberRecord;
import org.apache.poi.hssf.record.Record;
import org.apache.poi.hssf.record.RecordFactoryInputStream;
import org.apache.poi.poifs.filesystem.POIFSFileSystem;

/// Reads the first sheet of an `.xls` workbook record by record. It never holds the whole sheet.
final class JesterSheet {
    private static final int MOST_BYTES = 100_000_000;
    private static final int COLUMNS = Jester.JOKES + 1;

    /// The header of an OLE 2 container.
    private static final int HEADER_BYTES = 512;

    private static final int SECTOR_SHIFT = 30;
    private static final int TABLE_SECTORS = 44;

    /// With large sectors, one table describes 4 MB.
    private static final long SLACK = 8 << 20;

    private final String source;
    private final RatingTable table;
    private boolean inSheet;
    private int row;
    private int column;
    private long said;
    private int before;

    private JesterSheet(String source, RatingTable table) {
        this.source = source;
        this.table = table;
    }

    static void read(Archives.Opened opened, RatingTable table) throws IOException {
        byte[] bytes = opened.in().readNBytes(MOST_BYTES);
        if (bytes.length == MOST_BYTES) {
            throw new MalformedDataException(opened.source(), 1, "more than %d bytes".formatted(MOST_BYTES));
        }
        if (isLargerThan(bytes)) {
            throw new MalformedDataException(
                    opened.source(), 1, "damaged: the workbook claims to be far larger than it is");
        }
        var sheet = new JesterSheet(opened.source(), table);
        try (var container = new POIFSFileSystem(new ByteArrayInputStream(bytes));
                InputStream workbook = container.createDocumentInputStream("Workbook")) {
            sheet.readFirst(new RecordFactoryInputStream(workbook, false));
        } catch (MalformedDataException e) {
            throw e;
        } catch (IOException
                | RuntimeException
                | StackOverflowError e) { // POI throws many kinds of errors for malformed input
            throw new MalformedDataException(
                    opened.source(),
                    sheet.row + 1L,
                    "not a workbook of Excel 97 or later, or damaged: "
                            + String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
        }
    }

    /// Whether the tables of a container describe far more sectors than it has. POI would allocate memory for all
    /// of them.
    private static boolean isLargerThan(byte[] container) {
        if (container.length < HEADER_BYTES) {
            return false;
        }
        var header = ByteBuffer.wrap(container).order(ByteOrder.LITTLE_ENDIAN);
        int shift = Short.toUnsignedInt(header.getShort(SECTOR_SHIFT));
        long tables = Integer.toUnsignedLong(header.getInt(TABLE_SECTORS));
        // Four bytes of a table describe one sector.
        return shift < 7 || shift > 12 || tables << (2 * shift - 2) > 2L * container.length + SLACK;
    }

    private void readFirst(RecordFactoryInputStream records) throws MalformedDataException {
        for (Record record = records.nextRecord(); record != null; record = records.nextRecord()) {
            switch (record) {
                case BOFRecord begin -> inSheet = begin.getType() == BOFRecord.TYPE_WORKSHEET;
                case EOFRecord _
                when inSheet -> {
                    if (column != 0) {
                        throw malformed("no further rating, of %d".formatted(Jester.JOKES));
                    }
                    return;
                }
                case NumberRecord cell when inSheet -> cell(cell, cell.getValue()); // also packed cells, by POI
                case CellValueRecordInterface cell
                when inSheet -> throw malformed("column %d is not a number".formatted(cell.getColumn() + 1));
                default -> {} // looks, widths, names
            }
        }
        throw malformed("the sheet has no end");
    }

    private void cell(CellValueRecordInterface cell, double value) throws MalformedDataException {
        if (cell.getRow() != row || cell.getColumn() != column) {
            throw malformed("column %d is missing or out of order".formatted(column + 1));
        }
        if (column == 0) {
            said = Math.round(value);
            before = table.count();
        } else if (!(Math.abs(value) < Jester.NOT_RATED)
                || !Jester.add(table, row, column - 1, (int) Math.round(value * Ratings.UNIT))) {
            throw malformed("rating of joke %d is neither in [-10, 10] nor 99: %s".formatted(column, value));
        }
        if (++column == COLUMNS) {
            if (table.count() - before != said) {
                throw malformed("says %d ratings, has %d".formatted(said, table.count() - before));
            }
            column = 0;
            row++;
        }
    }

    private MalformedDataException malformed(String reason) {
        return new MalformedDataException(source, row + 1L, reason);
    }
}
