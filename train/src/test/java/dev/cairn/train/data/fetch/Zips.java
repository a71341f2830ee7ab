package dev.cairn.train.data.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Writes small archives for tests.
public final class Zips {
    private Zips() {}

    public static Path write(Path file, Map<String, String> members) throws IOException {
        try (var out = new ZipOutputStream(Files.newOutputStream(file))) {
            for (var member : members.entrySet()) {
                out.putNextEntry(new ZipEntry(member.getKey()));
                out.write(member.getValue().getBytes(UTF_8));
            }
        }
        return file;
    }
}
