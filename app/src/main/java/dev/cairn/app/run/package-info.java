/// Finds the run or checkpoint that an argument names, in a folder or in object storage, and opens it to read or
/// to write.
@NullMarked
package dev.cairn.app.run;

import org.jspecify.annotations.NullMarked;
