package dev.cairn.torch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.ArchiveWriter;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.InputArchive;
import org.bytedeco.pytorch.Optimizer;
import org.bytedeco.pytorch.OutputArchive;
import org.bytedeco.pytorch.StringVector;
import org.bytedeco.pytorch.Tensor;

/// The archive that libtorch's optimizers write and read. It is the only access to their state, because no method
/// exposes it. The archive stays in memory. Call this inside a `PointerScope`, which owns everything that is returned.
///
/// ```
/// archive      := pytorch_version, state/, param_groups/
/// state        := (KEY/ (step, one tensor for each thing that is kept))*
/// param_groups := (param_groups/N/ (params/size, (params/N: KEY)*, options/))*
/// ```
/// A KEY is the address of a parameter. It is valid only in this process.
final class OptimizerArchive {
    private static final String VERSION = "1.5.0"; // the version of this layout that libtorch writes

    private final InputArchive archive;

    private OptimizerArchive(InputArchive archive) {
        this.archive = archive;
    }

    static OptimizerArchive of(Optimizer optimizer) {
        var out = new OutputArchive();
        optimizer.save(out);
        return new OptimizerArchive(read(out));
    }

    /// Gives the optimizer this state. Its groups and their options stay unchanged.
    ///
    /// @param state state of each parameter, by key
    void load(Optimizer optimizer, List<Entry> state) {
        var out = new OutputArchive();
        out.write("pytorch_version", new IValue(VERSION));
        var states = new OutputArchive(out.compilation_unit());
        for (Entry entry : state) {
            var one = new OutputArchive(out.compilation_unit());
            entry.writer().write(one);
            states.write(entry.key(), one);
        }
        out.write("state", states);
        var groups = new OutputArchive(out.compilation_unit());
        copy(part(archive, "param_groups"), groups);
        out.write("param_groups", groups);
        optimizer.load(read(out));
    }

    /// The new state of one parameter.
    ///
    /// @param key key of the parameter, as in [Group]
    record Entry(String key, Writer writer) {
        /// Writes the state.
        interface Writer {
            void write(OutputArchive archive);
        }
    }

    /// A group of parameters with common options.
    ///
    /// @param keys keys of its parameters, in order
    record Group(List<String> keys, InputArchive options) {
        boolean flag(String option) {
            var value = new IValue();
            return options.try_read(option, value) && value.toBool();
        }

        double number(String option) {
            var value = new IValue();
            return options.try_read(option, value) ? value.toDouble() : 0;
        }
    }

    List<Group> groups() {
        InputArchive groups = part(archive, "param_groups");
        return list(count(groups, "param_groups/size"), i -> {
            InputArchive group = part(groups, "param_groups/" + i);
            List<String> keys = list(count(group, "params/size"), j -> {
                var key = new IValue();
                group.read("params/" + j, key);
                return key.toStringRef().getString();
            });
            return new Group(keys, part(group, "options"));
        });
    }

    /// The value that is kept for a parameter under this name; undefined if there is none.
    IValue value(String key, String name) {
        var state = new InputArchive();
        var value = new IValue();
        if (part(archive, "state").try_read(key, state)) {
            var ignored = state.try_read(name, value);
        }
        return value;
    }

    boolean has(String key) {
        return part(archive, "state").try_read(key, new InputArchive());
    }

    private static <T> List<T> list(long size, LongFunction<T> element) {
        var list = new ArrayList<T>();
        for (long i = 0; i < size; i++) {
            list.add(element.apply(i));
        }
        return list;
    }

    private static long count(InputArchive from, String name) {
        var tensor = new Tensor();
        from.read(name, tensor);
        return tensor.item_long();
    }

    private static InputArchive part(InputArchive whole, String name) {
        var part = new InputArchive();
        whole.read(name, part);
        return part;
    }

    private static void copy(InputArchive from, OutputArchive to) {
        StringVector names = from.keys();
        for (long i = 0; i < names.size(); i++) {
            String name = names.get(i).getString();
            var part = new InputArchive();
            var value = new IValue();
            if (from.try_read(name, part)) {
                var copy = new OutputArchive(to.compilation_unit());
                copy(part, copy);
                to.write(name, copy);
            } else if (from.try_read(name, value)) {
                if (value.isTensor()) {
                    to.write(name, value.toTensor(), true);
                } else {
                    to.write(name, value);
                }
            }
        }
    }

    private static InputArchive read(OutputArchive out) {
        try (var bytes = new Bytes()) {
            out.save_to(bytes);
            var in = new InputArchive();
            in.load_from(bytes.memory, bytes.size);
            return in;
        }
    }

    /// A buffer that grows while libtorch writes.
    private static final class Bytes extends ArchiveWriter {
        private static final long FIRST = 1 << 16;

        private BytePointer memory = new BytePointer(FIRST);
        private long size;

        @Override
        public long call(Pointer data, long length) {
            if (size + length > memory.capacity()) {
                var larger = new BytePointer(Math.max(2 * memory.capacity(), size + length));
                Pointer.memcpy(larger, memory, size);
                memory.close();
                memory = larger;
            }
            Pointer.memcpy(memory.getPointer(size), data, length);
            size += length;
            return length;
        }

        @Override
        public void close() {
            memory.close();
            super.close();
        }
    }
}
