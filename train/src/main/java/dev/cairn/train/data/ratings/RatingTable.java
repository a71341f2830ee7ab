package dev.cairn.train.data.ratings;

import dev.cairn.train.data.RatingSet;
import dev.cairn.train.data.RatingSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Collects ratings with the publisher's ids, then renumbers users and items and splits the ratings.
///
/// Ten bytes per rating, in pieces: arrays that grow by copying would need two and a half times as much when they
/// last grow.
final class RatingTable {
    /// The largest id: ids up to this are renumbered with one bit each.
    static final int LARGEST_ID = (1 << 27) - 1;

    private static final int PIECE = 1 << 18;

    /// A limit for [RatingSplit] and for arrays of ints.
    private static final int MOST = 1 << 30;

    private final List<int[]> users = new ArrayList<>();
    private final List<int[]> items = new ArrayList<>();
    private final List<short[]> hundredths = new ArrayList<>();
    private int[] lastUsers = {};
    private int[] lastItems = {};
    private short[] lastHundredths = {};
    private int free;
    private int count;

    int count() {
        return count;
    }

    /// Adds a rating; ids are in [0, [#LARGEST_ID]].
    void add(int user, int item, int rating) {
        if (free == lastUsers.length) {
            addPiece();
        }
        lastUsers[free] = user;
        lastItems[free] = item;
        lastHundredths[free++] = (short) rating;
        count++;
    }

    private void addPiece() {
        if (count >= MOST) {
            throw new IllegalStateException("more than %d ratings".formatted(MOST));
        }
        lastUsers = new int[PIECE];
        lastItems = new int[PIECE];
        lastHundredths = new short[PIECE];
        users.add(lastUsers);
        items.add(lastItems);
        hundredths.add(lastHundredths);
        free = 0;
    }

    /// Creates the set of all added ratings. Empties the table.
    RatingSet split(String name, float low, float high) {
        int[] allUsers = join(users, int[]::new);
        int[] allItems = join(items, int[]::new);
        short[] allHundredths = join(hundredths, short[]::new);
        int userCount = DenseIds.number(allUsers);
        int itemCount = DenseIds.number(allItems);
        var split = RatingSplit.of(allUsers, allItems, allHundredths);
        return new RatingSet(name, split.train(), split.test(), userCount, itemCount, low, high);
    }

    /// Converts one column at a time, so that only one column is in memory twice.
    @SuppressWarnings("SuspiciousSystemArraycopy") // the pieces have the type that `make` returns
    private <A> A join(List<A> pieces, IntFunction<A> make) {
        A all = make.apply(count);
        for (int i = 0; i < pieces.size(); i++) {
            System.arraycopy(pieces.get(i), 0, all, i * PIECE, Math.min(PIECE, count - i * PIECE));
        }
        pieces.clear();
        return all;
    }
}
