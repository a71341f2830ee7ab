package dev.cairn.cluster.launch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// A named set of tasks: how many workers train, and where.
///
/// @param workers `host:port` of each worker
/// @param servers `host:port` of each parameter server
/// @param onThisHost whether one command starts all of them
public record Deployment(String name, List<String> workers, List<String> servers, boolean onThisHost) {
    /// The deployments that everyone has, and their numbers of workers. They are on one host.
    private static final Map<String, Integer> BUILT_IN = Map.of("single", 1, "cluster", 2, "cluster2", 3);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SERVER_PORT = 2221;
    private static final int FIRST_WORKER_PORT = 2222;
    private static final long LARGEST_BYTES = 1 << 20;

    public Deployment {
        workers = List.copyOf(workers);
        servers = List.copyOf(servers);
    }

    /// Finds the deployment of this name.
    ///
    /// @param file further deployments; need not exist
    /// @throws BadPlaceException if there is none, or the file is not right
    public static Deployment named(String name, Path file) throws IOException {
        Integer count = BUILT_IN.get(name);
        if (count != null) {
            List<String> workers = IntStream.range(0, count)
                    .mapToObj(index -> "localhost:" + (FIRST_WORKER_PORT + index))
                    .toList();
            return new Deployment(name, workers, List.of("localhost:" + SERVER_PORT), true);
        }
        var known = new TreeSet<>(BUILT_IN.keySet());
        if (Files.isRegularFile(file)) {
            JsonNode all = read(file);
            all.fieldNames().forEachRemaining(known::add);
            if (all.has(name)) {
                return of(name, all.path(name), file);
            }
        }
        throw new BadPlaceException("there is no deployment '%s'; known: %s; describe further ones in %s"
                .formatted(name, String.join(", ", known), file));
    }

    private static JsonNode read(Path file) throws IOException {
        if (Files.size(file) > LARGEST_BYTES) {
            throw new BadPlaceException("%s is too large for a list of deployments; give another file".formatted(file));
        }
        try {
            return JSON.readTree(Files.readAllBytes(file));
        } catch (JsonProcessingException e) {
            throw new BadPlaceException("%s is not JSON (%s); correct it".formatted(file, e.getOriginalMessage()));
        }
    }

    private static Deployment of(String name, JsonNode json, Path file) {
        List<String> workers = addresses(json, "worker");
        if (workers.isEmpty()) {
            throw new BadPlaceException("deployment '%s' in %s has no workers; give \"worker\": [\"host:port\", ...]"
                    .formatted(name, file));
        }
        return new Deployment(name, workers, addresses(json, "ps"), false);
    }

    private static List<String> addresses(JsonNode json, String type) {
        var found = new ArrayList<String>();
        json.path(type).forEach(address -> found.add(address.asText()));
        return found;
    }

    /// Its tasks as TensorFlow wants to know them.
    ///
    /// @param task the number of the worker that asks
    /// @param served whether the training has parameter servers
    public TfConfig tfConfig(int task, boolean served) {
        if (task < 0 || task >= workers.size()) {
            throw new BadPlaceException(
                    "deployment '%s' has no task %d; it has %d, from 0".formatted(name, task, workers.size()));
        }
        return new TfConfig(workers, served ? servers : Collections.emptyList(), task);
    }

    /// The place of the host of this task.
    public HostPlace place(int task) {
        return tfConfig(task, false).place("deployment '%s'".formatted(name));
    }
}
