@NullMarked
package dev.cairn.app.progress;

import org.jspecify.annotations.NullMarked;
