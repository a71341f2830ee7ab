/// Tests of names, roles and attributes in exports and imports.
@NullMarked
package dev.cairn.transfer;

import org.jspecify.annotations.NullMarked;
