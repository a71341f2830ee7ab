package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is public in the library is a promise, and says which. Parameters and results speak by their names and types:
/// who has nothing to add to them need not.
class DocumentationTest {
    private static final List<String> LIBRARY = List.of("codec", "plan", "store", "formats", "checkpoint", "s3");
    private static final Pattern COMPLAINT = Pattern.compile("(.*\\.java:[0-9]+): (?:warning|error): (.*)");
    private static final Pattern LEFT_TO_NAMES =
            Pattern.compile("no @(param|return|throws).*|use of default constructor.*|\\[.*");

    /// Of a record: the record's own comment speaks for it.
    private static final Pattern COMPACT_CONSTRUCTOR = Pattern.compile("\\s*public \\w+ \\{");

    @TempDir
    Path folder;

    @Test
    void everythingPublicHasACommentThatNamesWhatThereIs() throws IOException {
        var sources = new ArrayList<String>();
        for (String module : LIBRARY) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(sources::add);
            }
        }
        assertThat(sources).hasSizeGreaterThan(100);
        assertThat(complaints(sources)).isEmpty();
    }

    @Test
    void aPublicMethodWithoutACommentIsFound() throws IOException {
        Path source = Files.writeString(
                folder.resolve("Bare.java"), "/// A class.\npublic class Bare {\n    public void bare() {}\n}\n");
        assertThat(complaints(List.of(source.toString())))
                .singleElement()
                .asString()
                .endsWith(":3 no comment");
    }

    private List<String> complaints(List<String> sources) {
        var arguments = new ArrayList<>(List.of(
                "-Xdoclint:all/protected",
                "-proc:none",
                "--should-stop=ifNoError=FLOW",
                "-Xmaxwarns",
                "10000",
                "--add-modules",
                "jdk.incubator.vector",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                folder.resolve("classes").toString()));
        arguments.addAll(sources);
        var said = new StringWriter();
        var writer = new PrintWriter(said);
        ToolProvider.findFirst("javac").orElseThrow().run(writer, writer, arguments.toArray(String[]::new));
        var complaints = new ArrayList<String>();
        List<String> lines = said.toString().lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            var complaint = COMPLAINT.matcher(lines.get(i));
            if (complaint.matches()
                    && !LEFT_TO_NAMES.matcher(complaint.group(2)).matches()
                    && !COMPACT_CONSTRUCTOR.matcher(lines.get(i + 1)).matches()) {
                complaints.add(complaint.group(1) + " " + complaint.group(2));
            }
        }
        return complaints;
    }
}
