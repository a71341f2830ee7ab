/// The data a trainer learns from, by name ([DataSets]): images held as bytes or made as they are read, and ratings of
/// ten bytes each, in a train and a test split.
///
/// The way of a published set: [Catalogue] knows its files, [DataPlaces] where they may lie, [Downloads] gets them
/// once, [Archives] opens them, [IdxFiles], [Jester] and [MovieLens] read them; ratings are collected in a
/// [RatingTable].
///
/// The embedded set `digits` is drawn by [Digits] from a seed, so that a run needs no download and every machine
/// trains on the same bytes. The way of one image: a handwriting from [Glyphs], moved point by point by a [Hand],
/// drawn as [Stroke]s on a [Raster].
@NullMarked
package dev.cairn.train.data;

import org.jspecify.annotations.NullMarked;
