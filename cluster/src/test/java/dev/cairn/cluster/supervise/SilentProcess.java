package dev.cairn.cluster.supervise;

import java.io.InputStream;
import java.io.OutputStream;

/// A process that reads nothing and writes nothing.
public abstract class SilentProcess extends Process {
    @Override
    public OutputStream getOutputStream() {
        return OutputStream.nullOutputStream();
    }

    @Override
    public InputStream getInputStream() {
        return InputStream.nullInputStream();
    }

    @Override
    public InputStream getErrorStream() {
        return InputStream.nullInputStream();
    }
}
