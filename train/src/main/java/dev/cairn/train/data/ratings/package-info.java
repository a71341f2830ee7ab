/// Ratings by users: the files of Jester and MovieLens, and generated ratings.
@NullMarked
package dev.cairn.train.data.ratings;

import org.jspecify.annotations.NullMarked;
