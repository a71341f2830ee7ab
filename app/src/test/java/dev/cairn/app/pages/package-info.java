@NullMarked
package dev.cairn.app.pages;

import org.jspecify.annotations.NullMarked;
