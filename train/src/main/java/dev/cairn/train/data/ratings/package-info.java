/// Ratings of users: the files of Jester and MovieLens, and generated ones.
@NullMarked
package dev.cairn.train.data.ratings;

import org.jspecify.annotations.NullMarked;
