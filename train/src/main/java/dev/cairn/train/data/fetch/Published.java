package dev.cairn.train.data.fetch;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A published data set: the files that it consists of.
public record Published(String name, List<Part> parts) {
    /// One file: its possible paths, and its origin.
    ///
    /// @param accepted paths below a place; the first one that exists is used
    /// @param file the name of the downloaded file, in the folder of the data set
    /// @param mostBytes the maximum size; a longer download is stopped
    record Part(List<String> accepted, String file, URI address, Checksum checksum, long mostBytes) {
        Part {
            accepted = List.copyOf(accepted);
        }

        /// The file in this place.
        ///
        /// @throws IOException if something other than a file has its name
        Optional<Path> in(Path place) throws IOException {
            List<Path> paths = accepted.stream().map(place::resolve).toList();
            Optional<Path> file = paths.stream().filter(Files::isRegularFile).findFirst();
            if (file.isEmpty()) {
                for (Path path : paths) {
                    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                        throw new IOException("%s %s; remove it, or put the file there".formatted(path, nature(path)));
                    }
                }
            }
            return file;
        }

        /// Describes a path that is not a file.
        private static String nature(Path path) throws IOException {
            if (!Files.exists(path)) {
                return "is a broken link to %s".formatted(Files.readSymbolicLink(path));
            }
            return "is %s%s, not a file"
                    .formatted(
                            Files.isSymbolicLink(path) ? "a link to " : "",
                            Files.isDirectory(path) ? "a folder" : "a pipe, socket or device");
        }
    }

    public Published {
        parts = List.copyOf(parts);
    }

    /// The files of all parts, if this place has every one.
    Optional<List<Path>> in(Path place) throws IOException {
        var found = new ArrayList<Path>();
        for (Part part : parts) {
            part.in(place).ifPresent(found::add);
        }
        return found.size() == parts.size() ? Optional.of(found) : Optional.empty();
    }

    Path folder(Path place) {
        return place.resolve(name);
    }

    /// The instruction for a user without network access.
    String byHand(Path place) {
        String addresses = parts.stream().map(part -> part.address().toString()).collect(Collectors.joining(" "));
        return "put %s into %s".formatted(addresses, folder(place));
    }
}
