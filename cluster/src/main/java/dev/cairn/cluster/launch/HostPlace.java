package dev.cairn.cluster.launch;

import java.util.Map;
import java.util.Optional;

/// The place of this host in a job.
///
/// @param index from 0; the first host has the supervisor
/// @param count the number of hosts
/// @param address the name or the address of the first host
/// @param source what says so, for people
public record HostPlace(int index, int count, String address, int port, String source) {
    /// The most hosts of a job.
    public static final int MOST = 64;

    private static final int LARGEST_PORT = 65_535;

    public HostPlace {
        if (count < 1 || count > MOST) {
            throw new BadPlaceException(
                    "%s: the number of hosts must be from 1 to %d, not %d".formatted(source, MOST, count));
        }
        if (index < 0 || index >= count) {
            throw new BadPlaceException("%s: this is host %d, but there are %d hosts, from 0; give each its own number"
                    .formatted(source, index, count));
        }
        if (port < 1 || port > LARGEST_PORT) {
            throw new BadPlaceException("%s: %d is not a port; give one from 1024 to 65535".formatted(source, port));
        }
        if (address.isBlank()) {
            throw new BadPlaceException("%s: the address of the first host is missing".formatted(source));
        }
    }

    /// The place that the launcher of this process has put into its environment. Empty if there is none, or the
    /// job has one host.
    ///
    /// @throws BadPlaceException if it contradicts itself
    public static Optional<HostPlace> in(Map<String, String> environment) {
        Optional<HostPlace> found = TorchVariables.in(environment)
                .or(() -> TfConfig.in(environment).map(TfConfig::place))
                .or(() -> SlurmVariables.in(environment));
        return found.filter(place -> place.count() > 1);
    }

    static int number(String source, String name, String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new BadPlaceException("%s: %s=%s is not a whole number".formatted(source, name, text));
        }
    }
}
