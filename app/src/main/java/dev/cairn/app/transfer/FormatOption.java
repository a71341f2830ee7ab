package dev.cairn.app.transfer;

import dev.cairn.app.console.Choices;
import dev.cairn.formats.TensorFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// `--format`.
final class FormatOption {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            completionCandidates = Choices.Formats.class,
            description = {
                "File format: safetensors, npz, pt or bundle.",
                "Default: by the extension: .safetensors, .npz, .pt,",
                "  .pth or .bin; .ckpt or .index for TensorFlow's bundle"
            })
    private @Nullable TensorFormat format;

    /// Returns the requested format, or that of the file's extension. Otherwise, if the name is the prefix of an
    /// existing bundle, such as `model.ckpt-100`, returns the bundle format.
    TensorFormat of(CommandSpec spec, Path file) {
        if (format != null) {
            return format;
        }
        return TensorFormat.ofFile(file)
                .or(() -> Optional.of(TensorFormat.BUNDLE).filter(bundle -> isThere(bundle, file)))
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "the name %s does not show the format; use the extension %s, or --format"
                                .formatted(
                                        file,
                                        Arrays.stream(TensorFormat.values())
                                                .flatMap(known -> known.endings().stream())
                                                .collect(Collectors.joining(", ")))));
    }

    private static boolean isThere(TensorFormat format, Path file) {
        return format.files(file).stream().anyMatch(Files::exists);
    }
}
