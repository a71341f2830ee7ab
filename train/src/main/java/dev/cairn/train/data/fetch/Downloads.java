package dev.cairn.train.data.fetch;

import dev.cairn.train.data.fetch.Published.Part;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Downloads a data set once. A process that starts during the download of another one waits, and uses the files of
/// that download.
///
/// 1. The lock of the data set's folder is taken. Files that exist by then are not fetched again.
/// 2. A file is stored under another name and is hashed during the download.
/// 3. If its checksum is correct, it is synced to disk and then renamed in one step. So a file with its final name is
///    complete, whenever the process ends.
public final class Downloads {
    private final Patience patience;

    public Downloads(Patience patience) {
        this.patience = patience;
    }

    /// Downloads the files of all parts of a data set to this place, and returns them.
    public List<Path> fetch(Published published, Path place, DataProgress progress) throws IOException {
        Path folder = published.folder(place);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new DataUnavailableException(
                    "cannot download %s: cannot create folder %s (%s)".formatted(published.name(), folder, reason(e)),
                    "create it",
                    "another folder",
                    e);
        }
        try (HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .connectTimeout(patience.connect())
                        .build();
                var _ = FolderLock.take(
                        folder.resolve(".lock"), patience.lock(), lock -> progress.waiting(published.name(), lock))) {
            for (Part part : published.parts()) {
                if (part.in(place).isEmpty()) {
                    fetch(new Download(client, part, folder, patience), published, place, progress);
                }
            }
        }
        return published
                .in(place)
                .orElseThrow(() -> new IOException(
                        "%s was downloaded but no longer exists: folder=%s".formatted(published.name(), folder)));
    }

    private void fetch(Download download, Published published, Path place, DataProgress progress) throws IOException {
        Duration pause = patience.firstPause();
        for (int attempt = 1; ; attempt++) {
            try {
                download.run(progress);
                return;
            } catch (InterruptedIOException e) {
                throw e;
            } catch (DataUnavailableException e) {
                throw DataUnavailableException.of(published, e);
            } catch (IOException e) {
                if (attempt == patience.attempts() || e instanceof Download.RefusedException) {
                    throw new DataUnavailableException(
                            "cannot download %s: %s: %s (%s)"
                                    .formatted(
                                            published.name(),
                                            download.file(),
                                            reason(e),
                                            attempt == 1 ? "1 attempt" : attempt + " attempts"),
                            published.byHand(place),
                            "the folder above it",
                            e);
                }
                progress.retrying(download.file(), attempt + 1, reason(e));
                sleep(pause);
                pause = pause.multipliedBy(2);
            }
        }
    }

    private static String reason(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    private static void sleep(Duration pause) throws InterruptedIOException {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted between two attempts");
        }
    }
}
