package dev.cairn.app.run;

import dev.cairn.app.console.Failures;
import dev.cairn.store.location.RunLocation;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.TypeConversionException;

/// Converts arguments that are locations of runs.
public final class LocationArguments {
    private static final List<Class<?>> TYPES = List.of(RunLocation.class, RunAt.class);

    private LocationArguments() {}

    /// Makes this command and its subcommands convert locations.
    public static CommandLine register(CommandLine program) {
        return program.registerConverter(RunLocation.class, converter(RunLocation::parse))
                .registerConverter(RunAt.class, converter(RunAt::parse));
    }

    private static <T> ITypeConverter<T> converter(Function<String, T> parser) {
        return text -> {
            try {
                return parser.apply(text);
            } catch (InvalidPathException e) {
                throw new TypeConversionException("not a valid file name: " + e.getReason());
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(Failures.describe(e));
            }
        };
    }

    /// Makes shells complete locations as paths. Changes the command line, so use it only to generate a
    /// completion script.
    public static void completeAsPaths(CommandSpec command) {
        for (OptionSpec option : new ArrayList<>(command.options())) {
            if (TYPES.contains(option.type())) {
                command.remove(option);
                command.addOption(OptionSpec.builder(option).type(Path.class).build());
            }
        }
        for (PositionalParamSpec parameter : new ArrayList<>(command.positionalParameters())) {
            if (TYPES.contains(parameter.type())) {
                command.remove(parameter);
                command.addPositional(
                        PositionalParamSpec.builder(parameter).type(Path.class).build());
            }
        }
        command.subcommands().values().forEach(below -> completeAsPaths(below.getCommandSpec()));
    }
}
