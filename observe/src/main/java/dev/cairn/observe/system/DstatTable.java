package dev.cairn.observe.system;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/// Samples as rows of the table that `dstat -tcdnm --top-cpu --top-mem --output FILE` of version 0.7.3 writes, so that
/// what reads its files reads these. Times are in UTC.
public final class DstatTable {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd-MM HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("dd MMM yyyy HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final double PERCENT = 100;
    private static final String BEGINS_FORMULAS = "=+-@";

    private DstatTable() {}

    /// The lines before the first row.
    ///
    /// @param host the name of the host
    /// @param user the name of the user
    /// @param began when the recording began
    public static String header(String host, String user, Instant began) {
        return """
                "Dstat 0.7.3 CSV output"
                "Author:","Dag Wieers <dag@wieers.com>",,,,"URL:","http://dag.wieers.com/home-made/dstat/"
                "Host:",%s,,,,"User:",%s
                "Cmdline:","cairn train, as dstat -tcdnm --top-cpu --top-mem",,,,"Date:","%s"
                "system","total cpu usage",,,,,"dsk/total",,"net/total",,"memory usage",,,,"most expensive","most expensive"
                "time","usr","sys","idl","wai","stl","read","writ","recv","send","used","free","buff","cach","cpu process","memory process"
                """.formatted(quoted(host), quoted(user), DATE.format(began));
    }

    /// The row of a sample. `sys` contains interrupts.
    ///
    /// @param cores the number of cores, of which the share of the most expensive process is given
    public static String row(SystemSample sample, int cores) {
        CpuUse cpu = sample.cpu();
        double system = cpu.system() + cpu.hardInterrupts() + cpu.softInterrupts();
        return String.join(
                        ",",
                        TIME.format(sample.time()),
                        percent(cpu.user()),
                        percent(system),
                        percent(cpu.idle()),
                        percent(cpu.waiting()),
                        percent(cpu.stolen()),
                        number(sample.disk().in()),
                        number(sample.disk().out()),
                        number(sample.network().in()),
                        number(sample.network().out()),
                        number((double) sample.memory().used()),
                        number((double) sample.memory().free()),
                        number((double) sample.memory().buffers()),
                        number((double) sample.memory().cached()),
                        top(sample.topCpu(), cores),
                        quoted(sample.topMemory()
                                .map(top -> top.name() + " / " + top.memoryBytes())
                                .orElse("")))
                + "\n";
    }

    private static String top(Optional<ProcessUse> process, int cores) {
        return quoted(process.map(top -> "%s / %d%%".formatted(top.name(), Math.round(top.cores() / cores * PERCENT)))
                .orElse(""));
    }

    private static String percent(double share) {
        return number(share * PERCENT);
    }

    private static String number(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.3f", value) : "";
    }

    /// A text in quotes, on one line. Anybody may name a process, so no program takes it for a formula.
    private static String quoted(String text) {
        String line = text.replaceAll("[\\p{Cc}\\u2028\\u2029]", " ").replace("\"", "\"\"");
        boolean isFormula = !line.isEmpty() && BEGINS_FORMULAS.indexOf(line.charAt(0)) >= 0;
        return "\"" + (isFormula ? "'" : "") + line + "\"";
    }
}
