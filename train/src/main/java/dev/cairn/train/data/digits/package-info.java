/// Handwritten digits that Cairn draws itself: the same bytes on every machine, without a download. To draw an image,
/// a [Hand] moves the points of a shape from [Glyphs], and they are drawn as [Stroke]s on a [Raster].
@NullMarked
package dev.cairn.train.data.digits;

import org.jspecify.annotations.NullMarked;
