/// The data a trainer learns from: images held as bytes or made as they are read, and ratings of ten bytes each, in a
/// train and a test split.
///
/// [sets][dev.cairn.train.data.sets] knows data sets by name. The way of a published set:
/// [fetch][dev.cairn.train.data.fetch] knows its files and gets them once, [images][dev.cairn.train.data.images] and
/// [ratings][dev.cairn.train.data.ratings] read them. The embedded set `digits` is drawn from a seed
/// ([digits][dev.cairn.train.data.digits]), so that a run needs no download and every machine trains on the same bytes.
@NullMarked
package dev.cairn.train.data;

import org.jspecify.annotations.NullMarked;
