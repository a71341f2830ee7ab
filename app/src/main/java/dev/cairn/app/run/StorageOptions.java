package dev.cairn.app.run;

import dev.cairn.store.location.StorageSettings;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/// Options of commands whose run may be in object storage.
public final class StorageOptions {
    private static final String ENDPOINT = "endpoint";
    private static final String PATH_STYLE = "path-style";

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            converter = Address.class,
            description = "For a run at s3://bucket/prefix: the server, if it is not AWS.")
    private @Nullable URI endpoint;

    @Option(
            names = "--path-style",
            description = "Put the bucket in the path of a request instead of the host name, as many servers require.")
    private boolean pathStyle;

    private static final class Address implements ITypeConverter<URI> {
        @Override
        public URI convert(String text) {
            try {
                return URI.create(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("'%s' is not of the form https://host:port".formatted(text));
            }
        }
    }

    /// Returns the settings of the storage.
    public StorageSettings settings(CommandSpec command) {
        StorageSettings settings = StorageSettings.none();
        if (pathStyle) {
            settings = settings.with(PATH_STYLE, "true");
        }
        if (endpoint == null) {
            return settings;
        }
        if (endpoint.getHost() == null
                || endpoint.getPort() > 65_535
                || !String.valueOf(endpoint.getScheme()).matches("https?")) {
            throw new ParameterException(
                    command.commandLine(), "--endpoint %s is not of the form https://host:port".formatted(endpoint));
        }
        return settings.with(ENDPOINT, endpoint.toString());
    }
}
