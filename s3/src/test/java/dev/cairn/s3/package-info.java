@NullMarked
package dev.cairn.s3;

import org.jspecify.annotations.NullMarked;
