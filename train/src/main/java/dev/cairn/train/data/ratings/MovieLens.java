package dev.cairn.train.data.ratings;

import dev.cairn.train.data.RatingSet;
import dev.cairn.train.data.Ratings;
import dev.cairn.train.data.fetch.Archives;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/// Reads the rating files of MovieLens: lines of user, movie, rating and time, from the file itself or from the
/// published archive.
public enum MovieLens {
    /// `u.data`: separated by tabs, 1 to 5 stars.
    ML_100K("u.data", "\t", 100, 100),
    /// `ratings.dat` with whole stars.
    ML_1M("ratings.dat", "::", 100, 100),
    /// `ratings.dat` with half stars, starting at 0.5.
    ML_10M("ratings.dat", "::", 50, 50);

    private static final int HIGHEST = 500;

    private final String file;
    private final String separator;
    private final int lowest;
    private final int step;

    MovieLens(String file, String separator, int lowest, int step) {
        this.file = file;
        this.separator = separator;
        this.lowest = lowest;
        this.step = step;
    }

    public RatingSet read(String name, Path path) throws IOException {
        var table = new RatingTable();
        try (var opened = Archives.open(path, Set.of(file))) {
            var fields = new Fields(opened.in(), opened.source(), separator);
            while (!fields.atEnd()) {
                readLine(fields, table);
            }
            if (table.count() == 0) {
                throw fields.malformed("no ratings");
            }
        }
        return table.split(name, lowest / Ratings.UNIT, HIGHEST / Ratings.UNIT);
    }

    private void readLine(Fields fields, RatingTable table) throws IOException {
        int user = (int) fields.wholeNumber("user", RatingTable.LARGEST_ID);
        fields.separator("movie");
        int item = (int) fields.wholeNumber("movie", RatingTable.LARGEST_ID);
        fields.separator("rating");
        int rating = fields.hundredths("rating", HIGHEST);
        if (rating < lowest || rating % step != 0) {
            throw fields.malformed("rating is not one of %s, %s, … 5: %s"
                    .formatted(lowest / Ratings.UNIT, (lowest + step) / Ratings.UNIT, rating / Ratings.UNIT));
        }
        fields.separator("time");
        fields.wholeNumber("time", Long.MAX_VALUE / 100);
        fields.endLine();
        table.add(user, item, rating);
    }
}
