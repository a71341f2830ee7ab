package dev.cairn.train.data.ratings;

import dev.cairn.train.data.RatingSet;
import dev.cairn.train.data.RatingSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Collects ratings with the ids that their publisher gave, then numbers users and items anew and splits.
///
/// Ten bytes a rating, in pieces: arrays that grow by copying would need twice and a half as much at their last growth.
final class RatingTable {
    /// Ids up to here are numbered anew with one bit each.
    static final int LARGEST_ID = (1 << 27) - 1;

    private static final int PIECE = 1 << 18;

    /// [RatingSplit] and arrays of ints end somewhere.
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

    /// The set of all ratings that were added. Empties the table.
    RatingSet split(String name, float low, float high) {
        int[] allUsers = join(users, int[]::new);
        int[] allItems = join(items, int[]::new);
        short[] allHundredths = join(hundredths, short[]::new);
        int userCount = DenseIds.number(allUsers);
        int itemCount = DenseIds.number(allItems);
        var split = RatingSplit.of(allUsers, allItems, allHundredths);
        return new RatingSet(name, split.train(), split.test(), userCount, itemCount, low, high);
    }

    /// Each column by itself, so that only one is there twice at a time.
    @SuppressWarnings("SuspiciousSystemArraycopy") // the pieces are of the type that `make` makes
    private <A> A join(List<A> pieces, IntFunction<A> make) {
        A all = make.apply(count);
        for (int i = 0; i < pieces.size(); i++) {
            System.arraycopy(pieces.get(i), 0, all, i * PIECE, Math.min(PIECE, count - i * PIECE));
        }
        pieces.clear();
        return all;
    }
}
