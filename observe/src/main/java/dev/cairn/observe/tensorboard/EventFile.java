package dev.cairn.observe.tensorboard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One file of records, to which they are appended. Readers read the files of a folder in order of their names, so a
/// name has a number that rises with each start, where TensorFlow's own have the time: a clock may go back.
///
/// After a write that failed, the file ends with its last whole record. Not thread-safe.
final class EventFile implements CurveFile {
    static final Pattern NAME = Pattern.compile("events\\.out\\.tfevents\\.([0-9]{10,15})\\..*");
    private static final Pattern STRANGE = Pattern.compile("[^A-Za-z0-9_-]");

    private final FileChannel channel;
    private long end;

    private EventFile(FileChannel channel) {
        this.channel = channel;
    }

    /// Creates the next file in this folder. No file that is there is touched.
    static EventFile next(Path folder, String host) throws IOException {
        String writer = writer(host);
        for (long number = last(folder) + 1; ; number++) {
            Path file = folder.resolve(String.format(Locale.ROOT, "events.out.tfevents.%010d.%s", number, writer));
            try {
                return new EventFile(FileChannel.open(
                        file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
            } catch (FileAlreadyExistsException taken) {
                // Tries the next number.
            }
        }
    }

    /// The part of a file's name that says which host wrote it.
    static String writer(String host) {
        return host.isEmpty() ? "host" : STRANGE.matcher(host).replaceAll("_");
    }

    private static long last(Path folder) throws IOException {
        long last = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
                if (name.matches()) {
                    last = Math.max(last, Long.parseLong(name.group(1)));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return last;
    }

    @Override
    public void append(byte[] frames) throws IOException {
        try {
            var bytes = ByteBuffer.wrap(frames);
            while (bytes.hasRemaining()) {
                channel.write(bytes, end + bytes.position());
            }
            end += frames.length;
        } catch (IOException e) {
            channel.truncate(end);
            throw e;
        }
    }

    @Override
    public Duration pause() {
        return Duration.ofSeconds(1);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
