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

/// Everything that the library exports has a comment that says what it promises. Parameters and results may do without
/// one if name and type say enough. Packages that a module does not export, or exports only to other modules of Cairn,
/// are not checked.
class DocumentationTest {
    private static final List<String> LIBRARY =
            List.of("codec", "plan", "store", "formats", "transfer", "checkpoint", "observe", "s3");
    private static final Pattern EXPORT = Pattern.compile("exports\\s+([\\w.]+)\\s*;");
    private static final Pattern COMPLAINT = Pattern.compile("(.*\\.java:[0-9]+): (?:warning|error): (.*)");
    private static final Pattern LEFT_TO_NAMES =
            Pattern.compile("no @(param|return|throws).*|use of default constructor.*|\\[.*");

    /// The compact constructor of a record: the comment of the record covers it.
    private static final Pattern COMPACT_CONSTRUCTOR = Pattern.compile("\\s*public \\w+ \\{");

    @TempDir
    Path folder;

    @Test
    void everythingThatIsExportedHasACommentThatNamesWhatThereIs() throws IOException {
        var sources = new ArrayList<String>();
        var exported = new ArrayList<String>();
        for (String module : LIBRARY) {
            Path root = Path.of("..", module, "src", "main", "java");
            List<Path> files = sources(root);
            List<String> promised = exported(root, files);
            assertThat(promised).as(module).isNotEmpty();
            exported.addAll(promised);
            files.forEach(file -> sources.add(file.toString()));
        }
        assertThat(sources).hasSizeGreaterThan(100);
        assertThat(complaints(exported, sources)).isEmpty();
    }

    @Test
    void aPublicMethodWithoutACommentIsFound() throws IOException {
        String bare = write("shown", "Bare");
        String hidden = write("hidden", "Hidden");
        assertThat(complaints(List.of("shown"), List.of(bare, hidden))).containsExactly(bare + ":5 no comment");
    }

    private String write(String inPackage, String name) throws IOException {
        return Files.writeString(
                        folder.resolve(name + ".java"),
                        "package %s;\n\n/// A class.\npublic class %s {\n    public void bare() {}\n}\n"
                                .formatted(inPackage, name))
                .toString();
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("module-info.java"))
                    .toList();
        }
    }

    /// The packages that a module exports to everybody; all packages if it has no description.
    private static List<String> exported(Path root, List<Path> sources) throws IOException {
        Path description = root.resolve("module-info.java");
        if (Files.exists(description)) {
            return EXPORT.matcher(Files.readString(description))
                    .results()
                    .map(export -> export.group(1))
                    .toList();
        }
        return sources.stream()
                .map(file -> root.relativize(file.getParent()).toString().replace('/', '.'))
                .distinct()
                .toList();
    }

    private List<String> complaints(List<String> packages, List<String> sources) {
        var arguments = new ArrayList<>(List.of(
                "-Xdoclint:all/protected",
                "-Xdoclint/package:" + String.join(",", packages),
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
