package dev.cairn.store.location;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses the text of a location.
final class LocationText {
    static final String FILE = "file";

    /// A scheme has at least two letters: a single letter is a drive.
    private static final Pattern ADDRESS = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):(//)?(.*)", Pattern.DOTALL);

    private LocationText() {}

    static RunLocation parse(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("the location is empty; give a folder or a URI");
        }
        Matcher address = ADDRESS.matcher(text);
        if (!address.matches()) {
            return new RunLocation.Folder(Path.of(text));
        }
        String scheme = address.group(1).toLowerCase(Locale.ROOT);
        if (scheme.equals(FILE)) {
            return folder(text);
        }
        if (address.group(2) != null) {
            return remote(text, scheme, address.group(3));
        }
        if (StorageProviders.schemes().contains(scheme)) {
            throw new IllegalArgumentException("'%s' is not of the form %s://…; for a folder of that name write './%s'"
                    .formatted(text, scheme, text));
        }
        return new RunLocation.Folder(Path.of(text));
    }

    private static RunLocation folder(String text) {
        try {
            return new RunLocation.Folder(Path.of(URI.create(text)));
        } catch (IllegalArgumentException | FileSystemNotFoundException e) {
            throw new IllegalArgumentException(
                    "'%s' is not of the form file:///folder; give the folder's path".formatted(text), e);
        }
    }

    /// Everything after the scheme is taken literally, without escapes.
    private static RunLocation remote(String text, String scheme, String rest) {
        String place = rest.replaceFirst("/+$", "");
        int slash = place.indexOf('/');
        String authority = slash < 0 ? place : place.substring(0, slash);
        String path = slash < 0 ? "" : place.substring(slash);
        if (place.isEmpty() || path.contains("//")) {
            throw new IllegalArgumentException("'%s' is not a location: a name is missing in it".formatted(text));
        }
        try {
            return new RunLocation.Remote(new URI(scheme, authority.isEmpty() ? null : authority, path, null, null));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'%s' is not a location: %s".formatted(text, e.getReason()), e);
        }
    }
}
