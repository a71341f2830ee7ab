package dev.cairn.codec;

/// While this object is open, loops start cold, as in production. Other tests run vector code from the first block.
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
