@NullMarked
package dev.cairn.app.bench;

import org.jspecify.annotations.NullMarked;
