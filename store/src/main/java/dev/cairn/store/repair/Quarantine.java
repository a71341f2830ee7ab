package dev.cairn.store.repair;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/// The folder for damaged files, inside the run but not part of it: `quarantine/TIME/` and the original names.
/// Nothing in it is read, listed as part of the run, or removed.
///
/// @param folder the path, including the final `/`
record Quarantine(BlobStore blobs, String folder) {
    /// Written last: a folder without it belongs to a repair that was interrupted before it changed anything.
    private static final String REASONS = "reasons.txt";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss").withZone(ZoneOffset.UTC);

    /// Creates a quarantine with a new name.
    static Quarantine open(BlobStore blobs, Instant now) throws IOException {
        List<String> all = blobs.listAll();
        for (int attempt = 1; ; attempt++) {
            String folder = RunFiles.QUARANTINE + TIME.format(now) + (attempt == 1 ? "" : "-" + attempt) + "/";
            if (all.stream().noneMatch(name -> name.startsWith(folder))) {
                return new Quarantine(blobs, folder);
            }
        }
    }

    /// Copies the files durably.
    ///
    /// @param reasons the reasons, for people
    void take(List<String> files, List<String> reasons) throws IOException {
        for (String file : files) {
            blobs.copy(file, folder + file);
        }
        blobs.createIfAbsent(folder + REASONS, (String.join("\n", reasons) + "\n").getBytes(UTF_8));
    }
}
