/// What tests of several modules need and no type of Cairn is needed for: bounded waits and processes of their own.
/// Fixtures that need types of a module are in that module's test-jar (`docs/adr/0021-testkit.md`).
@NullMarked
package dev.cairn.testkit;

import org.jspecify.annotations.NullMarked;
