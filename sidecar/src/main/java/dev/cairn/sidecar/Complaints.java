package dev.cairn.sidecar;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/// Failures in one line for the user of a training: problem, cause, cure.
final class Complaints {
    private Complaints() {}

    static String line(Throwable e) {
        return switch (e) {
            case NotDirectoryException file -> "not a folder: " + file.getFile() + "; give a folder";
            case AccessDeniedException denied ->
                "no permission: " + denied.getFile() + "; change its permissions, or choose another folder";
            case NoSuchFileException missing ->
                "cannot create or find " + missing.getFile() + "; choose a writable folder";
            case FileSystemException file -> {
                String reason = file.getReason() == null ? file.getClass().getSimpleName() : file.getReason();
                yield "cannot write or read " + file.getFile() + ": " + reason + cure(reason);
            }
            case IOException io -> firstLine(io) + cure(firstLine(io));
            case OutOfMemoryError memory ->
                "not enough memory for the save (" + firstLine(memory) + "); free some, or save a smaller state";
            default -> firstLine(e);
        };
    }

    private static String cure(String reason) {
        if (reason.contains("No space left")) {
            return "; free some space, or choose a folder on another disk";
        }
        if (reason.contains("Input/output error")) {
            return "; check the disk or the network that it is on";
        }
        return reason.contains("Read-only") ? "; choose a writable folder" : "";
    }

    private static String firstLine(Throwable e) {
        String message = e.getMessage();
        return message == null || message.isBlank()
                ? e.getClass().getSimpleName()
                : message.lines().findFirst().orElse(message);
    }
}
