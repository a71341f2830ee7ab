package dev.cairn.train.data.fetch;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Thrown if a data set cannot be downloaded, or cannot be stored. There are two cures: the remedy, or another folder
/// for data.
public final class DataUnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    private final String problem;
    private final String remedy;
    private final String folder;

    /// Reports why the data is unavailable, with its cures.
    ///
    /// @param problem what is wrong, and why
    /// @param remedy the cure that keeps the folder
    /// @param folder the folder that the user can name instead
    public DataUnavailableException(String problem, String remedy, String folder, @Nullable Throwable cause) {
        super("%s; %s, or set CAIRN_DATA to %s".formatted(problem, remedy, folder), cause);
        this.problem = problem;
        this.remedy = remedy;
        this.folder = folder;
    }

    /// The same for a data set.
    static DataUnavailableException of(Published published, DataUnavailableException e) {
        return new DataUnavailableException(
                "cannot download %s: %s".formatted(published.name(), e.problem), e.remedy, e.folder, e);
    }

    /// What is wrong, and why.
    public String problem() {
        return problem;
    }

    /// The cure that keeps the folder: `free some space`.
    public String remedy() {
        return remedy;
    }

    /// The folder that the user can name instead: `a folder with more space`.
    public String folder() {
        return folder;
    }
}
