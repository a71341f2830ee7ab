/// Handwritten digits that Cairn draws itself: the same bytes on every machine, without a download. The way of one
/// image: a handwriting from [Glyphs], moved point by point by a [Hand], drawn as [Stroke]s on a [Raster].
@NullMarked
package dev.cairn.train.data.digits;

import org.jspecify.annotations.NullMarked;
