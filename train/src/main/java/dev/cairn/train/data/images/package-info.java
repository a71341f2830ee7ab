/// Images: the idx files of MNIST and data sets like it, and generated images.
@NullMarked
package dev.cairn.train.data.images;

import org.jspecify.annotations.NullMarked;
