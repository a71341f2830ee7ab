package dev.cairn.app.console;

import picocli.CommandLine.IVersionProvider;

/// The version from the jar's manifest.
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "cairn " + (version == null ? "(not from a jar)" : version) + ", Java "
                    + Runtime.version().feature()
        };
    }
}
