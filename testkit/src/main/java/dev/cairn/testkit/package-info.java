/// Helpers for the tests of several modules, without types of Cairn: waits with a limit, and separate processes.
/// Fixtures that need types of a module are in that module's test-jar (`docs/adr/0021-testkit.md`).
@NullMarked
package dev.cairn.testkit;

import org.jspecify.annotations.NullMarked;
