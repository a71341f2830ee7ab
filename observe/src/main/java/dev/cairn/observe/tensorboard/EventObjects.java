package dev.cairn.observe.tensorboard;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;

/// Records in object storage, where nothing can be appended: each write makes an event file of its own, whose name
/// comes
/// after the one before. Readers take the files of a folder for one curve, in the order of their names.
///
/// The first one comes soon, and each later one when the training has gone on for a fiftieth of its time: so a training
/// of a week has some 350, and loses a fiftieth of its curves at most.
final class EventObjects implements CurveFile {
    private static final Duration SHORTEST = Duration.ofSeconds(30);
    private static final int SHARE = 50;

    private final BlobStore store;
    private final byte[] header;
    private final String folder;
    private final String writer;
    private long number;
    private long part;
    private Duration age = Duration.ZERO;

    private EventObjects(BlobStore store, byte[] header, String folder, String writer, long number) {
        this.store = store;
        this.header = header.clone();
        this.folder = folder;
        this.writer = writer;
        this.number = number;
    }

    /// The next start of a process. No object that is there is touched.
    ///
    /// @param header the frame with which every event file begins
    /// @param anew whether the run begins anew, so that its curves must not go on in those that are there
    static EventObjects next(BlobStore store, String process, boolean anew, String host, byte[] header)
            throws IOException {
        String first = RunFiles.TENSORBOARD + process;
        String folder = first + "/";
        List<String> there = store.list(folder);
        for (int begin = 2; !there.isEmpty(); begin++) {
            String later = "%s-%d/".formatted(first, begin);
            List<String> others = store.list(later);
            if (others.isEmpty()) {
                folder = anew ? later : folder;
                there = anew ? List.of() : there;
                break;
            }
            folder = later;
            there = others;
        }
        return new EventObjects(store, header, folder, EventFile.writer(host), last(there) + 1);
    }

    private static long last(List<String> names) {
        long last = 0;
        for (String name : names) {
            Matcher matcher = EventFile.NAME.matcher(name.substring(name.lastIndexOf('/') + 1));
            if (matcher.matches()) {
                last = Math.max(last, Long.parseLong(matcher.group(1)));
            }
        }
        return last;
    }

    @Override
    public void append(byte[] frames) throws IOException {
        byte[] content = part == 0 ? frames : new byte[header.length + frames.length];
        if (part > 0) {
            System.arraycopy(header, 0, content, 0, header.length);
            System.arraycopy(frames, 0, content, header.length, frames.length);
        }
        while (true) {
            try {
                store.createIfAbsent(name(part + 1), content);
                break;
            } catch (FileAlreadyExistsException taken) {
                if (part > 0) {
                    break; // only this process uses the name, so an earlier try succeeded
                }
                number++;
            }
        }
        part++;
        age = age.plus(pause());
    }

    private String name(long which) {
        return String.format(Locale.ROOT, "%sevents.out.tfevents.%010d.%s.%06d", folder, number, writer, which);
    }

    @Override
    public Duration pause() {
        Duration share = age.dividedBy(SHARE);
        return share.compareTo(SHORTEST) > 0 ? share : SHORTEST;
    }

    @Override
    public void close() {
        // Each object is complete.
    }
}
