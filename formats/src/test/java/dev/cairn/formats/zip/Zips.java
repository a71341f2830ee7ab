package dev.cairn.formats.zip;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipOutputStream;

/// Zip files in memory with correct checksums, made by another implementation.
public final class Zips {
    private static final byte[] NPY_MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

    private Zips() {}

    public static byte[] deflated(Map<String, byte[]> entries) throws IOException {
        return zip(entries, java.util.zip.ZipEntry.DEFLATED);
    }

    public static byte[] stored(Map<String, byte[]> entries) throws IOException {
        return zip(entries, java.util.zip.ZipEntry.STORED);
    }

    private static byte[] zip(Map<String, byte[]> entries, int method) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (var each : entries.entrySet()) {
                var crc = new CRC32();
                crc.update(each.getValue());
                var entry = new java.util.zip.ZipEntry(each.getKey());
                entry.setMethod(method);
                entry.setSize(each.getValue().length);
                entry.setCrc(crc.getValue());
                zip.putNextEntry(entry);
                zip.write(each.getValue());
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    /// An array with this header.
    public static byte[] npy(String header, int dataBytes) {
        byte[] text = header.getBytes(ISO_8859_1);
        byte[] bytes = new byte[10 + text.length + dataBytes];
        System.arraycopy(NPY_MAGIC, 0, bytes, 0, NPY_MAGIC.length);
        bytes[6] = 1;
        bytes[8] = (byte) text.length;
        bytes[9] = (byte) (text.length >>> 8);
        System.arraycopy(text, 0, bytes, 10, text.length);
        return bytes;
    }

    /// A pt file with this pickle, each character a byte, and one storage of 64 bytes.
    public static byte[] pt(String pickle) throws IOException {
        return stored(Map.of("archive/data.pkl", pickle.getBytes(ISO_8859_1), "archive/data/0", new byte[64]));
    }
}
