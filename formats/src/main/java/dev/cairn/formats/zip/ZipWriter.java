package dev.cairn.formats.zip;

import dev.cairn.disk.NewFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/// Writes a zip file of stored entries whose sizes are known in advance. It uses Zip64 if necessary. The same entries
/// give the same bytes, because no times are stored.
public final class ZipWriter {
    private static final int VERSION = 20;
    private static final int VERSION_ZIP64 = 45;

    /// 1980-01-01, the first day that a zip file can express.
    private static final short FIRST_DAY = 0x21;

    private static final int EXTRA_PADDING = 0x4246;
    private static final int EXTRA_HEADER_BYTES = 4;

    private final NewFile output;
    private final List<Written> written = new ArrayList<>();
    private final CRC32 crc = new CRC32();
    private Written current = new Written("", 0, 0, 0);

    public ZipWriter(NewFile output) {
        this.output = output;
    }

    private record Written(String name, long sizeBytes, long offset, int crc) {
        boolean isWide() {
            return sizeBytes >= ZipLayout.SEE_ZIP64_32;
        }

        byte[] nameBytes() {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        int flags() {
            return nameBytes().length == name.length() ? 0 : ZipLayout.FLAG_UTF8;
        }
    }

    /// Writes a whole entry.
    public void entry(String name, byte[] content) throws IOException {
        begin(name, content.length, 1);
        append(MemorySegment.ofArray(content));
        end();
    }

    /// Begins an entry.
    ///
    /// @param alignment the position of the first byte is a multiple of this power of two
    public void begin(String name, long sizeBytes, int alignment) throws IOException {
        current = new Written(name, sizeBytes, output.position(), 0);
        byte[] bytes = current.nameBytes();
        crc.reset();
        int zip64 = current.isWide() ? EXTRA_HEADER_BYTES + 16 : 0;
        int padding = padding(output.position() + ZipLayout.LOCAL_BYTES + bytes.length + zip64, alignment);
        var header = new Fields(ZipLayout.LOCAL_BYTES + bytes.length + zip64 + padding);
        header.u32(ZipLayout.LOCAL)
                .u16(current.isWide() ? VERSION_ZIP64 : VERSION)
                .u16(current.flags());
        header.u16(ZipLayout.STORED).u16(0).u16(FIRST_DAY).u32(0);
        header.u32(narrow(sizeBytes)).u32(narrow(sizeBytes));
        header.u16(bytes.length).u16(zip64 + padding).all(bytes);
        if (current.isWide()) {
            header.u16(ZipLayout.EXTRA_ZIP64).u16(16).u64(sizeBytes).u64(sizeBytes);
        }
        if (padding > 0) {
            header.u16(EXTRA_PADDING).u16(padding - EXTRA_HEADER_BYTES);
        }
        output.append(header.bytes());
    }

    /// The number of bytes from this position to the next multiple of the alignment. It is 0 or enough for an
    /// extra field.
    private static int padding(long position, int alignment) {
        int padding = (int) (-position & (alignment - 1));
        return padding > 0 && padding < EXTRA_HEADER_BYTES ? padding + alignment : padding;
    }

    public void append(MemorySegment piece) throws IOException {
        for (long at = 0; at < piece.byteSize(); at += 1 << 30) {
            crc.update(
                    piece.asSlice(at, Math.min(1 << 30, piece.byteSize() - at)).asByteBuffer());
        }
        output.append(piece);
    }

    public void end() throws IOException {
        int sum = (int) crc.getValue();
        output.change(
                current.offset() + ZipLayout.LOCAL_CRC_OFFSET,
                new Fields(4).u32(sum).bytes());
        written.add(new Written(current.name(), current.sizeBytes(), current.offset(), sum));
    }

    /// Writes the central directory.
    public void finish() throws IOException {
        long start = output.position();
        for (Written entry : written) {
            output.append(central(entry));
        }
        long size = output.position() - start;
        boolean wide = written.size() >= ZipLayout.SEE_ZIP64_16
                || size >= ZipLayout.SEE_ZIP64_32
                || start >= ZipLayout.SEE_ZIP64_32;
        if (wide) {
            long end64 = output.position();
            var end = new Fields(ZipLayout.END64_BYTES + ZipLayout.LOCATOR64_BYTES);
            end.u32(ZipLayout.END64).u64(ZipLayout.END64_BYTES - 12);
            end.u16(VERSION_ZIP64).u16(VERSION_ZIP64).u32(0).u32(0);
            end.u64(written.size()).u64(written.size()).u64(size).u64(start);
            end.u32(ZipLayout.LOCATOR64).u32(0).u64(end64).u32(1);
            output.append(end.bytes());
        }
        int count = wide ? ZipLayout.SEE_ZIP64_16 : written.size();
        var end = new Fields(ZipLayout.END_BYTES).u32(ZipLayout.END).u32(0);
        end.u16(count).u16(count);
        end.u32(wide ? (int) ZipLayout.SEE_ZIP64_32 : (int) size);
        end.u32(wide ? (int) ZipLayout.SEE_ZIP64_32 : (int) start);
        output.append(end.u16(0).bytes());
    }

    private static byte[] central(Written entry) {
        boolean far = entry.offset() >= ZipLayout.SEE_ZIP64_32;
        int values = (entry.isWide() ? 16 : 0) + (far ? 8 : 0);
        int extra = values == 0 ? 0 : EXTRA_HEADER_BYTES + values;
        int version = extra == 0 ? VERSION : VERSION_ZIP64;
        byte[] name = entry.nameBytes();
        var fields = new Fields(ZipLayout.CENTRAL_BYTES + name.length + extra);
        fields.u32(ZipLayout.CENTRAL).u16(version).u16(version).u16(entry.flags());
        fields.u16(ZipLayout.STORED).u16(0).u16(FIRST_DAY).u32(entry.crc());
        fields.u32(narrow(entry.sizeBytes())).u32(narrow(entry.sizeBytes()));
        fields.u16(name.length).u16(extra).u16(0).u16(0).u16(0).u32(0);
        fields.u32(narrow(entry.offset())).all(name);
        if (extra > 0) {
            fields.u16(ZipLayout.EXTRA_ZIP64).u16(values);
        }
        if (entry.isWide()) {
            fields.u64(entry.sizeBytes()).u64(entry.sizeBytes());
        }
        if (far) {
            fields.u64(entry.offset());
        }
        return fields.bytes();
    }

    /// The value, or the mark that the value is in the Zip64 field.
    private static int narrow(long value) {
        return (int) Math.min(value, ZipLayout.SEE_ZIP64_32);
    }

    /// Writes fields one after the other. The rest is zero.
    private static final class Fields {
        private final MemorySegment bytes;
        private long at;

        Fields(int sizeBytes) {
            this.bytes = MemorySegment.ofArray(new byte[sizeBytes]);
        }

        Fields u16(int value) {
            bytes.set(ZipLayout.U16, at, (short) value);
            at += 2;
            return this;
        }

        Fields u32(int value) {
            bytes.set(ZipLayout.U32, at, value);
            at += 4;
            return this;
        }

        Fields u64(long value) {
            bytes.set(ZipLayout.U64, at, value);
            at += 8;
            return this;
        }

        Fields all(byte[] values) {
            MemorySegment.copy(values, 0, bytes, ValueLayout.JAVA_BYTE, at, values.length);
            at += values.length;
            return this;
        }

        byte[] bytes() {
            return bytes.toArray(ValueLayout.JAVA_BYTE);
        }
    }
}
