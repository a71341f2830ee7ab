package dev.cairn.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;

/// A folder with the real launcher, and a Maven that makes one jar. Files tell what happened (`maven.log`, `java.log`:
/// one line a start) and what shall (`maven.hold`, `rehearsal.hold`: that process never ends by itself).
final class SmallProject {
    private static final String MAVEN = """
            #!/usr/bin/env bash
            folder=target
            for argument; do
                case $argument in -Dbuild.folder=*) folder=${argument#*=} ;; esac
            done
            mkdir -p "app/$folder/lib"
            cp app.jar "app/$folder/cairn-app-0.jar"
            echo $$ >>maven.log
            [ ! -e maven.hold ] || exec sleep 1000
            [ ! -e maven.fail ] || { echo '[ERROR] COMPILATION ERROR'; exit 1; }
            """;
    private static final String JAVA = """
            #!/usr/bin/env bash
            case $* in
            *dev.cairn.app.Rehearsal*)
                echo $$ >>'ROOT/rehearsal.log'
                [ ! -e 'ROOT/rehearsal.hold' ] || exec sleep 1000
                ;;
            *) echo "$@" >>'ROOT/java.log' ;;
            esac
            """;
    private static final String EARLY_SIGNAL = """
            [ "${0##*/}" = cairn ] || return 0
            set -o functrace
            trap '[ -z "${!:-}" ] || [ -n "${sent:-}" ] || { sent=yes; kill -TERM $$; }' DEBUG
            """;
    /// What the jar holds where Java is a real one.
    private static final Map<String, String> CLASSES = Map.of(
            "Main",
            "package dev.cairn.app; public class Main { public static void main(String[] a) { System.out.println(\"ran \" + String.join(\" \", a)); } }",
            "Rehearsal",
            "package dev.cairn.app; public class Rehearsal { public static void main(String[] a) {} }");

    private final Path root;
    private final Path jdk;
    private String beforeEachScript = "";

    private SmallProject(Path root, Path jdk) {
        this.root = root;
        this.jdk = jdk;
    }

    /// With a Java that does nothing but tell how it was called.
    static SmallProject make(Path root) throws IOException {
        Path jdk = root.resolve("jdk");
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        script(jdk.resolve("bin/java"), JAVA.replace("ROOT", root.toString()));
        script(jdk.resolve("bin/javac"), "#!/bin/sh");
        Files.writeString(root.resolve("app.jar"), "");
        return make(root, jdk);
    }

    /// With the Java of this test.
    static SmallProject withRealJava(Path root) throws IOException {
        Files.createDirectories(root);
        Path sources = Files.createDirectory(root.resolve("sources"));
        var command = new ArrayList<>(List.of("-d", sources.resolve("out").toString()));
        for (var each : CLASSES.entrySet()) {
            Path source = sources.resolve(each.getKey() + ".java");
            Files.writeString(source, each.getValue());
            command.add(source.toString());
        }
        var told = new ByteArrayOutputStream();
        var print = new PrintStream(told, true, UTF_8);
        int code = ToolProvider.findFirst("javac").orElseThrow().run(print, print, command.toArray(String[]::new));
        assertThat(code).as(told.toString(UTF_8)).isZero();
        try (var jar = new JarOutputStream(Files.newOutputStream(root.resolve("app.jar")))) {
            for (String name : CLASSES.keySet()) {
                String path = "dev/cairn/app/" + name + ".class";
                jar.putNextEntry(new JarEntry(path));
                Files.copy(sources.resolve("out").resolve(path), jar);
            }
        }
        return make(root, Path.of(System.getProperty("java.home")));
    }

    private static SmallProject make(Path root, Path jdk) throws IOException {
        Path project = Path.of("..");
        Files.copy(project.resolve("cairn"), root.resolve("cairn"));
        Files.createDirectories(root.resolve("build"));
        Files.copy(project.resolve("build/find-jdk.sh"), root.resolve("build/find-jdk.sh"));
        Files.createDirectories(root.resolve("app/src/main"));
        Files.writeString(root.resolve("pom.xml"), "");
        script(root.resolve("mvnw"), MAVEN);
        return new SmallProject(root, jdk);
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    Path file(String name) {
        return root.resolve(name);
    }

    /// The lines of a file; none where it is not there.
    List<String> lines(String name) {
        try {
            return Files.exists(file(name)) ? Files.readAllLines(file(name)) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// From now on a launcher gets SIGTERM before the next command after it has started its first child.
    void signalAfterTheStartOfAChild() throws IOException {
        Files.writeString(file("early"), EARLY_SIGNAL);
        beforeEachScript = file("early").toString();
    }

    void hold(String what) throws IOException {
        Files.writeString(file(what + ".hold"), "");
    }

    void letGo(String what) throws IOException {
        Files.delete(file(what + ".hold"));
    }

    /// A start of the launcher. Tests may run under `nohup`, and a shell cannot trap what it was told to ignore.
    ChildProcess start(String... arguments) throws IOException {
        var words = new ArrayList<>(
                List.of("env", "--default-signal=HUP", file("cairn").toString()));
        words.addAll(List.of(arguments));
        return Command.of(words)
                .withVariable("JAVA_HOME", jdk.toString())
                .withVariable("BASH_ENV", beforeEachScript)
                .withErrorsInOutput()
                .start();
    }

    /// Runs the launcher to its end; returns the exit code.
    int run(String... arguments) throws IOException {
        try (ChildProcess process = start(arguments)) {
            return process.end();
        }
    }

    /// Returns when a file has a line.
    void awaitLine(String name) {
        Eventually.holds("a line in " + name, () -> !lines(name).isEmpty());
    }
}
