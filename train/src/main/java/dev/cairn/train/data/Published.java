package dev.cairn.train.data;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A data set as its publisher gives it away: the files it is made of.
record Published(String name, List<Part> parts) {
    /// One file: where it may lie in a place and where it comes from.
    ///
    /// @param accepted paths below a place; the first that exists counts
    /// @param file its name once downloaded, in the folder of the data set
    /// @param mostBytes the download is given up beyond
    record Part(List<String> accepted, String file, URI address, Checksum checksum, long mostBytes) {
        Part {
            accepted = List.copyOf(accepted);
        }

        Optional<Path> in(Path place) {
            return accepted.stream()
                    .map(place::resolve)
                    .filter(Files::isRegularFile)
                    .findFirst();
        }
    }

    Published {
        parts = List.copyOf(parts);
    }

    /// The files of all parts, where this place has every one.
    Optional<List<Path>> in(Path place) {
        var found = new ArrayList<Path>();
        for (Part part : parts) {
            part.in(place).ifPresent(found::add);
        }
        return found.size() == parts.size() ? Optional.of(found) : Optional.empty();
    }

    Path folder(Path place) {
        return place.resolve(name);
    }

    /// What a user without network has to do.
    String byHand(Path place) {
        String addresses = parts.stream().map(part -> part.address().toString()).collect(Collectors.joining(" "));
        return "put %s into %s, or name the folder above it with --data-dir or CAIRN_DATA"
                .formatted(addresses, folder(place));
    }
}
