package dev.cairn.app;

import dev.cairn.formats.TensorFormat;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// `--format`.
final class FormatOption {
    @Option(
            names = "--format",
            paramLabel = "NAME",
            description =
                    "safetensors, npz or pt (default: what the file's name ends in: .safetensors, .npz, .pt, .pth "
                            + "or .bin).")
    private @Nullable TensorFormat format;

    /// The format that is asked for, or that of the file's ending.
    TensorFormat of(CommandSpec spec, Path file) {
        if (format != null) {
            return format;
        }
        return TensorFormat.ofFile(file)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "the name %s does not tell the format; end it in %s, or use --format"
                                .formatted(
                                        file,
                                        Arrays.stream(TensorFormat.values())
                                                .flatMap(known -> known.endings().stream())
                                                .collect(Collectors.joining(", ")))));
    }
}
