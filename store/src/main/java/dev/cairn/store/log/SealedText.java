package dev.cairn.store.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.codec.Crc32c;
import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;

/// The frame of everything that is stored as text: a line with what it is and its version, the content, a line with
/// the CRC32C of all before.
///
/// ```
/// cairn-record 3
/// {"type":"checkpoint","number":7,…}
/// crc32c 0badcafe
/// ```
/// First and last line stay the same in all versions, so that an intact text of a newer version can be told from a
/// damaged one.
///
/// @param content what is between the two lines
public record SealedText(long version, String content) {
    private static final String CHECKSUM = "crc32c ";
    private static final int CHECKSUM_LINE_BYTES = CHECKSUM.length() + 8 + 1;

    /// The text as it is stored.
    ///
    /// @param magic what it is, such as `cairn-record`
    public byte[] bytes(String magic) {
        String body = magic + " " + version + "\n" + content + "\n";
        return (body + CHECKSUM + Crc32c.text(Crc32c.of(body.getBytes(UTF_8))) + "\n").getBytes(UTF_8);
    }

    /// Checks the frame; the content is the caller's to understand.
    ///
    /// @param what how errors call it
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
            // Falls through to the same error as a missing magic.
        }
        throw new DamagedException(file, "not a " + what + ": it starts with '" + printable(line) + "'");
    }

    /// Text of unknown origin as part of a line for people.
    public static String printable(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", "?");
        return clean.length() <= 80 ? clean : clean.substring(0, 80) + "…";
    }
}
