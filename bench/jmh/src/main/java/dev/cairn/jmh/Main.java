package dev.cairn.jmh;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/// Runs the benchmarks that match, as JMH's own main would, and ends with a table of ratios. `--json FILE` is short for
/// JMH's `-rf json -rff FILE`.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    private static int run(String[] args) {
        try {
            var options = new CommandLineOptions(expanded(args));
            if (options.shouldHelp()) {
                options.showHelp();
                return 0;
            }
            var runner = new Runner(options);
            if (options.shouldList()) {
                runner.list();
                return 0;
            }
            System.out.println(RatioTable.of(runner.run()).text());
            return 0;
        } catch (CommandLineOptionException | IOException | IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage() + "; run with -h for JMH's options");
            return 2;
        } catch (NoBenchmarksException e) {
            System.err.println("bench: no benchmark has a matching name; run with -l for their names");
            return 2;
        } catch (RunnerException e) {
            System.err.println("bench: " + e.getMessage());
            return 1;
        }
    }

    private static String[] expanded(String[] args) {
        List<String> expanded = new ArrayList<>();
        for (String arg : args) {
            expanded.addAll(arg.equals("--json") ? List.of("-rf", "json", "-rff") : List.of(arg));
        }
        return expanded.toArray(String[]::new);
    }
}
