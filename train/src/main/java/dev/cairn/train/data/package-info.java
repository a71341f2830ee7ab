/// The data for training: images stored as bytes or generated on demand, and ratings of ten bytes each, in a train
/// and a test split.
///
/// [sets][dev.cairn.train.data.sets] knows data sets by name. For a published set,
/// [fetch][dev.cairn.train.data.fetch] knows its files and downloads them once, and
/// [images][dev.cairn.train.data.images] and [ratings][dev.cairn.train.data.ratings] read them. The embedded set
/// `digits` is drawn from a seed ([digits][dev.cairn.train.data.digits]), so that a run needs no download and every
/// machine trains on the same bytes.
@NullMarked
package dev.cairn.train.data;

import org.jspecify.annotations.NullMarked;
