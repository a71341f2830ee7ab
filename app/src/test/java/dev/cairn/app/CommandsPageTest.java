package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `docs/COMMANDS.md` and what commands print.
class CommandsPageTest {
    @TempDir
    Path folder;

    @Test
    void everyKeyOfJsonIsDocumented() throws IOException {
        SmallRun run = SmallRun.train(folder.resolve("run"), "lossless", 3, 1);
        List<String> page = Files.readAllLines(Path.of("../docs/COMMANDS.md"));
        for (String command : List.of("ls", "verify", "show", "diff", "merge", "prune --dry-run", "repair --dry-run")) {
            String name = command.split(" ", -1)[0];
            String second = name.equals("diff") ? " " + run + "@10" : "";
            Cli result = Cli.run((command + " " + run + second + " --json").split(" ", -1));
            assertThat(result.code()).as(result.err()).isZero();
            String row = page.stream()
                    .filter(line -> line.startsWith("| `" + name + " "))
                    .findFirst()
                    .orElseThrow();
            result.json()
                    .fieldNames()
                    .forEachRemaining(key -> assertThat(row).as(name).containsPattern("`" + key + "(\\[])?`"));
        }
    }
}
