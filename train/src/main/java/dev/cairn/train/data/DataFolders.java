package dev.cairn.train.data;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where downloaded data sets are looked for: `CAIRN_DATA`, then `../shared/datasets` beside the working folder.
public final class DataFolders {
    private DataFolders() {}

    /// The folder of this data set, where one of the places has it.
    public static Optional<Path> find(String name) {
        var places = new ArrayList<Path>();
        String named = System.getenv("CAIRN_DATA");
        if (named != null && !named.isBlank()) {
            places.add(Path.of(named));
        }
        places.addAll(List.of(Path.of("..", "shared", "datasets"), Path.of("..", "..", "shared", "datasets")));
        return places.stream()
                .map(place -> place.resolve(name))
                .filter(Files::isDirectory)
                .findFirst();
    }
}
