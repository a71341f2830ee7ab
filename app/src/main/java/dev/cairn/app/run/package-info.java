/// Which run or checkpoint an argument means, and how to get at it: in a folder or a bucket, for reading or for
/// writing.
@NullMarked
package dev.cairn.app.run;

import org.jspecify.annotations.NullMarked;
