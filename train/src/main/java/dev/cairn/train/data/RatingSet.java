package dev.cairn.train.data;

/// Ratings of items by users in two splits. Users and items are numbered from 0 without gaps.
///
/// @param low the lowest possible rating
/// @param high the highest possible rating
public record RatingSet(String name, Ratings train, Ratings test, int users, int items, float low, float high)
        implements Dataset {
    public RatingSet {
        if (users < 1 || items < 1 || !(low < high)) {
            throw new IllegalArgumentException("ratings need users, items and a scale: users=%d items=%d low=%s high=%s"
                    .formatted(users, items, low, high));
        }
    }
}
