package dev.cairn.train.data.fetch;

import dev.cairn.train.data.fetch.Published.Part;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Downloads a data set once: whoever comes while another one downloads it waits and takes what that one got.
///
/// 1. The lock of the data set's folder is taken; what is there by then is not fetched again.
/// 2. A file comes under another name and is hashed on the way.
/// 3. Where its checksum is right it is on the disk before it gets its own name, in one step. So a file with its own
///    name is whole, whenever the process ends.
public final class Downloads {
    private final Patience patience;

    public Downloads(Patience patience) {
        this.patience = patience;
    }

    /// The files of all parts of a data set, once they are all in this place.
    public List<Path> fetch(Published published, Path place, DataProgress progress) throws IOException {
        Path folder = published.folder(place);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new IOException(
                    "cannot download %s: no folder %s can be made (%s); name one with --data-dir or CAIRN_DATA"
                            .formatted(published.name(), folder, reason(e)),
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
                        "%s was downloaded and is gone again: folder=%s".formatted(published.name(), folder)));
    }

    private void fetch(Download download, Published published, Path place, DataProgress progress) throws IOException {
        Duration pause = patience.firstPause();
        for (int attempt = 1; ; attempt++) {
            try {
                download.run(progress);
                return;
            } catch (InterruptedIOException e) {
                throw e;
            } catch (Download.UnwritableException e) {
                throw new IOException("cannot download %s: %s".formatted(published.name(), e.getMessage()), e);
            } catch (IOException e) {
                if (attempt == patience.attempts() || e instanceof Download.RefusedException) {
                    throw new IOException(
                            "cannot download %s: %s: %s (%s); %s"
                                    .formatted(
                                            published.name(),
                                            download.file(),
                                            reason(e),
                                            attempt == 1 ? "1 attempt" : attempt + " attempts",
                                            published.byHand(place)),
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
