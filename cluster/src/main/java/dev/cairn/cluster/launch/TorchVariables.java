package dev.cairn.cluster.launch;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The variables that PyTorch's launchers set, and that are easily set by hand.
final class TorchVariables {
    private static final String RANK = "RANK";
    private static final String SIZE = "WORLD_SIZE";
    private static final String ADDRESS = "MASTER_ADDR";
    private static final String PORT = "MASTER_PORT";

    private TorchVariables() {}

    static Optional<HostPlace> in(Map<String, String> environment) {
        if (!environment.containsKey(RANK) || !environment.containsKey(SIZE)) {
            return Optional.empty(); // the others alone are often left over from something else
        }
        for (String name : List.of(ADDRESS, PORT)) {
            if (!environment.containsKey(name)) {
                throw new BadPlaceException(
                        "%s and %s are set, but %s is not; set all of %s, %s, %s and %s, or none of them"
                                .formatted(RANK, SIZE, name, ADDRESS, PORT, RANK, SIZE));
            }
        }
        String source = "MASTER_ADDR, MASTER_PORT, RANK, WORLD_SIZE";
        return Optional.of(new HostPlace(
                HostPlace.number(source, RANK, environment.getOrDefault(RANK, "")),
                HostPlace.number(source, SIZE, environment.getOrDefault(SIZE, "")),
                environment.getOrDefault(ADDRESS, ""),
                HostPlace.number(source, PORT, environment.getOrDefault(PORT, "")),
                source));
    }
}
