package dev.cairn.store.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.codec.Crc32c;
import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;

/// The frame of all stored text files: a line with the kind and version, the content, and a line with the CRC32C of
/// everything before it.
///
/// ```
/// cairn-record 3
/// {"type":"checkpoint","number":7,…}
/// crc32c 0badcafe
/// ```
/// The first and the last line are the same in all versions, so that an intact text of a newer version can be
/// distinguished from a damaged one.
///
/// @param content the text between the two lines
public record SealedText(long version, String content) {
    private static final String CHECKSUM = "crc32c ";
    private static final int CHECKSUM_LINE_BYTES = CHECKSUM.length() + 8 + 1;

    /// Encodes the text as it is stored.
    ///
    /// @param magic the kind of text, such as `cairn-record`
    public byte[] bytes(String magic) {
        String body = magic + " " + version + "\n" + content + "\n";
        return (body + CHECKSUM + Crc32c.text(Crc32c.of(body.getBytes(UTF_8))) + "\n").getBytes(UTF_8);
    }

    /// Checks the frame and returns the content, which the caller parses.
    ///
    /// @param what the name of the text in error messages
    public static SealedText read(String file, String what, String magic, long newestKnown, byte[] bytes)
            throws StoreException {
        if (bytes.length < magic.length() + 1 + CHECKSUM_LINE_BYTES) {
            throw new DamagedException(file, what + " too short: bytes=" + bytes.length);
        }
        int bodyLength = bytes.length - CHECKSUM_LINE_BYTES;
        String checksumLine = new String(bytes, bodyLength, CHECKSUM_LINE_BYTES, UTF_8);
        int actual = Crc32c.of(bytes, 0, bodyLength);
        if (!checksumLine.equals(CHECKSUM + Crc32c.text(actual) + "\n")) {
            String expected = checksumLine.startsWith(CHECKSUM) && checksumLine.endsWith("\n")
                    ? checksumLine.substring(CHECKSUM.length()).strip()
                    : "(cut off)";
            throw new DamagedException(
                    file, "%s: expected crc32c=%s, actual crc32c=%s".formatted(what, expected, Crc32c.text(actual)));
        }
        String body = new String(bytes, 0, bodyLength, UTF_8);
        int end = body.indexOf('\n');
        long version = version(file, what, magic + " ", end < 0 ? body : body.substring(0, end));
        if (version > newestKnown) {
            throw new NewerFormatException(file, version, newestKnown);
        }
        if (end < 0) {
            throw new DamagedException(file, what + " has no second line");
        }
        return new SealedText(version, body.substring(end + 1));
    }

    private static long version(String file, String what, String start, String line) throws DamagedException {
        try {
            String digits = line.startsWith(start) ? line.substring(start.length()) : "";
            if (!digits.startsWith("+") && Long.parseLong(digits) > 0) {
                return Long.parseLong(digits);
            }
        } catch (NumberFormatException notANumber) {
            // Continues with the same error as for a missing magic.
        }
        throw new DamagedException(file, "not a " + what + ": it starts with '" + printable(line) + "'");
    }

    /// Makes text of unknown origin safe to print in one line.
    public static String printable(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", "?");
        return clean.length() <= 80 ? clean : clean.substring(0, 80) + "…";
    }
}
