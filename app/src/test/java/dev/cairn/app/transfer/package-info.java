@NullMarked
package dev.cairn.app.transfer;

import org.jspecify.annotations.NullMarked;
