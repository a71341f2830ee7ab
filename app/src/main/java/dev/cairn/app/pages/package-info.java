/// The commands that make pages for a browser.
@NullMarked
package dev.cairn.app.pages;

import org.jspecify.annotations.NullMarked;
