package dev.cairn.cluster.launch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `TF_CONFIG`: the addresses of all tasks of a job, and which one this process is.
///
/// @param workers `host:port` of each worker, the chief first
/// @param servers `host:port` of each parameter server
/// @param index which worker this process is
public record TfConfig(List<String> workers, List<String> servers, int index) {
    /// The name of the variable.
    public static final String VARIABLE = "TF_CONFIG";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CHIEF = "chief";
    private static final String WORKER = "worker";
    private static final String SERVER = "ps";

    public TfConfig {
        workers = List.copyOf(workers);
        servers = List.copyOf(servers);
    }

    static Optional<TfConfig> in(Map<String, String> environment) {
        String text = environment.get(VARIABLE);
        return text == null || text.isBlank() ? Optional.empty() : Optional.of(read(text));
    }

    static TfConfig read(String text) {
        JsonNode json;
        try {
            json = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw bad("it is not JSON (%s)".formatted(e.getOriginalMessage()));
        }
        List<String> chiefs = addresses(json, CHIEF);
        var workers = new ArrayList<>(chiefs);
        workers.addAll(addresses(json, WORKER));
        if (workers.isEmpty()) {
            throw bad("its cluster has no worker");
        }
        String type = json.path("task").path("type").asText("");
        JsonNode index = json.path("task").path("index");
        if (!index.canConvertToInt()) {
            throw bad("its task has no index");
        }
        int offset = switch (type) {
            case CHIEF -> 0;
            case WORKER -> chiefs.size();
            case SERVER ->
                throw bad(
                        "this process is a parameter server; the first worker starts those of Cairn: start the command for the workers only");
            default -> throw bad("the type of its task is '%s', not chief or worker".formatted(type));
        };
        int most = type.equals(CHIEF) ? chiefs.size() : workers.size() - chiefs.size();
        if (index.intValue() < 0 || index.intValue() >= most) {
            throw bad("its task is %s %d, but its cluster has %d of this type, from 0"
                    .formatted(type, index.intValue(), most));
        }
        return new TfConfig(workers, addresses(json, SERVER), offset + index.intValue());
    }

    private static List<String> addresses(JsonNode json, String type) {
        var found = new ArrayList<String>();
        json.path("cluster").path(type).forEach(address -> found.add(address.asText()));
        return found;
    }

    HostPlace place() {
        return place(VARIABLE);
    }

    HostPlace place(String source) {
        String first = workers.getFirst();
        int colon = first.lastIndexOf(':');
        if (colon < 1) {
            throw new BadPlaceException(
                    "%s: the address of the first worker, %s, has no port; give host:port".formatted(source, first));
        }
        return new HostPlace(
                index,
                workers.size(),
                first.substring(0, colon),
                HostPlace.number(source, "port", first.substring(colon + 1)),
                source);
    }

    /// The value of the variable.
    public String text() {
        ObjectNode json = JSON.createObjectNode();
        ObjectNode cluster = json.putObject("cluster");
        ArrayNode listed = cluster.putArray(WORKER);
        workers.forEach(listed::add);
        if (!servers.isEmpty()) {
            ArrayNode further = cluster.putArray(SERVER);
            servers.forEach(further::add);
        }
        json.putObject("task").put("type", WORKER).put("index", index);
        return json.toString();
    }

    private static BadPlaceException bad(String why) {
        return new BadPlaceException(
                "%s cannot be used: %s; correct it on this host, or unset it".formatted(VARIABLE, why));
    }
}
