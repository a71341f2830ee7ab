package dev.cairn.train.data.ratings;

import dev.cairn.train.data.MalformedDataException;
import dev.cairn.train.data.RatingSet;
import dev.cairn.train.data.Ratings;
import dev.cairn.train.data.fetch.Archives;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/// Reads Jester's ratings of 100 jokes. Each row is a user: first the number of rated jokes, then the rating of each
/// joke from −10 to 10, or 99 if there is none. Reads the published spreadsheet or text; both also inside an archive.
public final class Jester {
    static final int JOKES = 100;
    static final int HIGHEST = 1000;
    static final int NOT_RATED = 9900;

    private static final String EXPECTED = "further rating, of 100";
    private static final Set<String> FILES = Set.of("jester-data-1.csv", "jester-data-1.xls");

    private Jester() {}

    public static RatingSet read(Path path) throws IOException {
        var table = new RatingTable();
        try (var opened = Archives.open(path, FILES)) {
            if (opened.name().endsWith(".xls")) {
                JesterSheet.read(opened, table);
            } else {
                readText(new Fields(opened.in(), opened.source(), ","), table);
            }
            if (table.count() == 0) {
                throw new MalformedDataException(opened.source(), 1, "no ratings");
            }
        }
        return table.split("jester", -HIGHEST / Ratings.UNIT, HIGHEST / Ratings.UNIT);
    }

    private static void readText(Fields fields, RatingTable table) throws IOException {
        for (int user = 0; !fields.atEnd(); user++) {
            long said = fields.wholeNumber("count", JOKES);
            int before = table.count();
            for (int joke = 0; joke < JOKES; joke++) {
                fields.separator(EXPECTED);
                int rating = fields.hundredths("rating", NOT_RATED);
                if (!add(table, user, joke, rating)) {
                    throw fields.malformed("rating of joke %d is neither in [-10, 10] nor 99: %s"
                            .formatted(joke + 1, rating / Ratings.UNIT));
                }
            }
            if (table.count() - before != said) {
                throw fields.malformed("says %d ratings, has %d".formatted(said, table.count() - before));
            }
            fields.endLine();
        }
    }

    /// Returns false if the rating is not valid.
    static boolean add(RatingTable table, int user, int joke, int hundredths) {
        if (hundredths == NOT_RATED) {
            return true;
        }
        if (Math.abs(hundredths) > HIGHEST) {
            return false;
        }
        table.add(user, joke, hundredths);
        return true;
    }
}
