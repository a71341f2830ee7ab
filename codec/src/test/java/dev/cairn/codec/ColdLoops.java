package dev.cairn.codec;

/// While this is open loops begin cold, as they do in production; other tests run vector code from the first block on.
public final class ColdLoops implements AutoCloseable {
    private final String before = System.getProperty(VectorLoop.AT_ONCE, "");

    public ColdLoops() {
        System.setProperty(VectorLoop.AT_ONCE, "");
    }

    @Override
    public void close() {
        System.setProperty(VectorLoop.AT_ONCE, before);
    }
}
