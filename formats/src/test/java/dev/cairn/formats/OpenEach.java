package dev.cairn.formats;

import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Opens each file of a folder, reads all its tensors, and prints how that ended. It runs as a separate process with a
/// heap of another size.
final class OpenEach {
    private OpenEach() {}

    public static void main(String[] args) throws IOException {
        try (Stream<Path> listed = Files.list(Path.of(args[0]))) {
            List<Path> files = listed.sorted(Comparator.naturalOrder()).toList();
            for (Path file : files) {
                if (!file.toString().contains(".data-")) {
                    System.out.println(file.getFileName() + "\t" + end(file));
                }
            }
        }
    }

    private static String end(Path file) throws IOException {
        try (TensorFile source = TensorFormat.ofFile(file).orElseThrow().open(file)) {
            MemorySegment piece = MemorySegment.ofArray(new byte[1 << 16]);
            for (NamedTensor tensor : source.tensors()) {
                for (long at = 0; at < tensor.sizeBytes(); at += piece.byteSize()) {
                    source.read(tensor, at, piece.asSlice(0, Math.min(piece.byteSize(), tensor.sizeBytes() - at)));
                }
            }
            return "read " + source.tensors().size();
        } catch (FormatException e) {
            return e.getClass().getSimpleName() + " " + e.getMessage();
        } catch (OutOfMemoryError | StackOverflowError e) {
            return e.toString();
        }
    }
}
