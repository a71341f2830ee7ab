package dev.cairn.train.job;

import dev.cairn.train.data.Dataset;
import java.io.IOException;

/// Loads the data of a job.
public interface DataSource {
    /// Loads the data set with this name.
    ///
    /// @param name one of the names in [dev.cairn.train.data.sets.DataSets]
    Dataset load(String name) throws IOException;
}
