package dev.cairn.app;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/// Leaves out what other modules lend to tests.
final class WithoutTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
        return !location.contains("-tests.jar");
    }
}
