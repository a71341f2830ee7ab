@NullMarked
package dev.cairn.checkpoint.notice;

import org.jspecify.annotations.NullMarked;
