package dev.cairn.train.data.fetch;

import dev.cairn.train.data.MalformedDataException;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/// Opens a data file, either directly or inside the zip archive in which it was published. Nothing is unpacked to
/// disk.
public final class Archives {
    /// The largest needed member, of MovieLens-10M, has a quarter of this size.
    static final long MOST_BYTES = 1L << 30;

    private static final long ALWAYS_UNPACKED = 1 << 20;

    /// Published data grows four to five times when unpacked.
    private static final long BEST_RATIO = 40;

    private Archives() {}

    /// The maximum unpacked size of a data file. It limits small files that claim to unpack to a large one.
    public static long mostUnpacked(long packedBytes) {
        return packedBytes > MOST_BYTES ? MOST_BYTES : ALWAYS_UNPACKED + BEST_RATIO * Math.max(0, packedBytes);
    }

    /// An open data file.
    ///
    /// @param source the file and, in an archive, the member, for messages
    /// @param name the name of the file or the member, without folders
    public record Opened(InputStream in, String source, String name) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /// Opens the file itself, or the only member of an archive that has one of these names in any folder.
    public static Opened open(Path file, Set<String> wanted) throws IOException {
        if (!file.toString().endsWith(".zip")) {
            return new Opened(Files.newInputStream(file), file.toString(), String.valueOf(file.getFileName()));
        }
        ZipFile zip;
        try {
            zip = new ZipFile(file.toFile());
        } catch (ZipException | EOFException e) {
            throw new MalformedDataException(file, "not a zip archive, or truncated or damaged");
        }
        try {
            ZipEntry member = member(zip, file, wanted);
            String source = file + ": " + member.getName();
            return new Opened(new Member(zip, member, file), source, lastPart(member.getName()));
        } catch (IOException | RuntimeException e) {
            zip.close();
            throw e;
        }
    }

    private static ZipEntry member(ZipFile zip, Path file, Set<String> wanted) throws MalformedDataException {
        List<? extends ZipEntry> members = Collections.list(zip.entries());
        for (ZipEntry member : members) {
            String name = member.getName();
            if (name.startsWith("/")
                    || name.contains("\\")
                    || List.of(name.split("/", -1)).contains("..")) {
                throw new MalformedDataException(
                        file, "the name of a member points outside the archive: '%s'".formatted(name));
            }
        }
        List<? extends ZipEntry> found = members.stream()
                .filter(member -> !member.isDirectory() && wanted.contains(lastPart(member.getName())))
                .toList();
        if (found.size() != 1) {
            throw new MalformedDataException(
                    file,
                    "%d members are named %s, not 1"
                            .formatted(
                                    found.size(),
                                    String.join(" or ", wanted.stream().sorted().toList())));
        }
        ZipEntry member = found.getFirst();
        long most = Math.min(MOST_BYTES, mostUnpacked(member.getCompressedSize()));
        if (member.getSize() > most) {
            throw new MalformedDataException(
                    file,
                    "%s would unpack to %d bytes, more than %d".formatted(member.getName(), member.getSize(), most));
        }
        return member;
    }

    private static String lastPart(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /// The bytes of a member, which must have the size and checksum that the archive states.
    private static final class Member extends FilterInputStream {
        private final ZipFile zip;
        private final ZipEntry entry;
        private final Path file;
        private final CRC32 crc = new CRC32();
        private long count;

        Member(ZipFile zip, ZipEntry entry, Path file) throws IOException {
            super(zip.getInputStream(entry));
            this.zip = zip;
            this.entry = entry;
            this.file = file;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int read;
            try {
                read = in.read(target, offset, length);
            } catch (ZipException | EOFException e) {
                throw new MalformedDataException(
                        file, "%s is truncated or damaged after %d bytes".formatted(entry.getName(), count));
            }
            if (read > 0) {
                count += read;
                crc.update(target, offset, read);
            }
            boolean ended = read < 0;
            if (count > entry.getSize() || (ended && (count != entry.getSize() || crc.getValue() != entry.getCrc()))) {
                throw new MalformedDataException(
                        file, "%s does not match its size or checksum".formatted(entry.getName()));
            }
            return read;
        }

        @Override
        public void close() throws IOException {
            zip.close();
        }
    }
}
