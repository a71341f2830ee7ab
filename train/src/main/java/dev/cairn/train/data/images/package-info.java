/// Images: the idx files of MNIST and its kin, and generated ones.
@NullMarked
package dev.cairn.train.data.images;

import org.jspecify.annotations.NullMarked;
