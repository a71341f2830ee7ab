package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Only the program knows its command line. The messages of the library name settings and cures in its own words, and
/// `Cures` turns them into options.
class LibraryWordsTest {
    private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");
    private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])(--[a-z][a-z-]*)");
    private static final Pattern COMMENT = Pattern.compile("\\s*(//|\\*|/\\*).*");

    /// Modules with a command line of their own, and the one that starts the program to measure it.
    private static final Set<String> PROGRAMS = Set.of("app", "bench/jmh", "bench");

    /// Options of Java, and those of dstat that a table in its form names.
    private static final Set<String> OF_OTHERS =
            Set.of("--add-modules", "--add-exports", "--add-opens", "--enable-native-access", "--top-cpu", "--top-mem");

    @TempDir
    Path folder;

    @Test
    void theLibraryNamesNoOptionOfTheCommandLine() throws IOException {
        var found = new ArrayList<String>();
        int modules = 0;
        for (Path sources : libraries()) {
            found.addAll(options(sources));
            modules++;
        }
        assertThat(modules).isGreaterThan(10);
        assertThat(found).isEmpty();
    }

    @Test
    void anOptionInAMessageIsFound() throws IOException {
        Path file = Files.writeString(folder.resolve("Bad.java"), """
                /// Like "--comment".
                class Bad {
                    String java = "start Java with --add-modules x"; // "--comment"
                    String cure = "a \\"quoted\\" word; choose another --run";
                    String dashes = "a -- b, a--b";
                }
                """);
        assertThat(options(folder)).containsExactly(file + ":4 --run");
    }

    private static List<Path> libraries() throws IOException {
        return MODULE.matcher(Files.readString(Path.of("..", "pom.xml")))
                .results()
                .map((MatchResult module) -> module.group(1))
                .filter(module -> !PROGRAMS.contains(module))
                .map(module -> Path.of("..", module, "src", "main", "java"))
                .filter(Files::isDirectory)
                .toList();
    }

    /// The file, line and option of each string literal below this folder that names one.
    private static List<String> options(Path sources) throws IOException {
        var found = new ArrayList<String>();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(sources)) {
            files = walk.filter(file -> file.toString().endsWith(".java")).toList();
        }
        for (Path file : files) {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                String place = "%s:%d ".formatted(file, i + 1);
                options(lines.get(i)).forEach(option -> found.add(place + option));
            }
        }
        return found;
    }

    private static List<String> options(String line) {
        if (COMMENT.matcher(line).matches()) {
            return List.of();
        }
        var found = new ArrayList<String>();
        int end = 0;
        for (MatchResult literal : LITERAL.matcher(line).results().toList()) {
            if (line.substring(end, literal.start()).contains("//")) {
                break;
            }
            OPTION.matcher(literal.group())
                    .results()
                    .map((MatchResult option) -> option.group(1))
                    .filter(option -> !OF_OTHERS.contains(option))
                    .forEach(found::add);
            end = literal.end();
        }
        return found;
    }
}
