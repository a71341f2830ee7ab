/// The data a trainer learns from, held as bytes: images with their labels, in a train and a test split.
///
/// The embedded set `digits` is drawn by [Digits] from a seed, so that a run needs no download and every machine
/// trains on the same bytes. The way of one image: a handwriting from [Glyphs], moved point by point by a [Hand],
/// drawn as [Stroke]s on a [Raster].
@NullMarked
package dev.cairn.train.data;

import org.jspecify.annotations.NullMarked;
