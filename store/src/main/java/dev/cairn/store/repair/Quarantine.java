package dev.cairn.store.repair;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/// Where damaged files go, in the run but out of its way: `quarantine/TIME/` and the names that they had. Nothing there
/// is ever read, listed as part of the run, or removed.
///
/// @param folder with its `/`
record Quarantine(BlobStore blobs, String folder) {
    /// Written last: a folder without it is of a repair that was cut off before it changed anything.
    private static final String REASONS = "reasons.txt";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss").withZone(ZoneOffset.UTC);

    /// A new one, whose name nobody has.
    static Quarantine open(BlobStore blobs, Instant now) throws IOException {
        List<String> all = blobs.listAll();
        for (int attempt = 1; ; attempt++) {
            String folder = RunFiles.QUARANTINE + TIME.format(now) + (attempt == 1 ? "" : "-" + attempt) + "/";
            if (all.stream().noneMatch(name -> name.startsWith(folder))) {
                return new Quarantine(blobs, folder);
            }
        }
    }

    /// Copies the files, durably.
    ///
    /// @param reasons why, for people
    void take(List<String> files, List<String> reasons) throws IOException {
        for (String file : files) {
            blobs.copy(file, folder + file);
        }
        blobs.createIfAbsent(folder + REASONS, (String.join("\n", reasons) + "\n").getBytes(UTF_8));
    }
}
