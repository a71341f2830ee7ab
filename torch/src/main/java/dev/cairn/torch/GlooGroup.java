package dev.cairn.torch;

import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.Connections;
import dev.cairn.engine.group.GroupMaker.Meeting;
import dev.cairn.engine.group.GroupMaker.Network;
import dev.cairn.engine.group.ProcessGroup;
import dev.cairn.engine.group.Traffic;
import dev.cairn.torch.net.CardStore;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.FileStore;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.jspecify.annotations.Nullable;

/// A group of processes on Gloo, which is a part of libtorch.
///
/// When a process dies, the system closes its connections. The exchange of each neighbour then fails. Other processes
/// may wait for these neighbours, so a failed exchange closes the whole group at once: only this ends all exchanges.
/// The thread that formed a group must live until the group is closed: otherwise closing it corrupts memory.
/// Everything native is closed, because each group that is not leaves a thread and four open files.
final class GlooGroup implements ProcessGroup {
    /// Tells messages between the same two processes apart. They are in order, so one is enough.
    private static final int TAG = 1;

    private final int rank;
    private final int size;
    private final Connections connections;
    private @Nullable ProcessGroupGloo group;

    private GlooGroup(int rank, int size, ProcessGroupGloo group, Connections connections) {
        this.rank = rank;
        this.size = size;
        this.group = group;
        this.connections = connections;
    }

    static GlooGroup form(Meeting meeting) {
        Network network = meeting.network();
        try (var cards = network == null ? null : new CardStore(meeting, network);
                var patience = new Milliseconds(meeting.patience().toMillis());
                var silence = new Milliseconds(meeting.silence().toMillis());
                var store = cards == null ? new FileStore(meeting.file().toString(), meeting.size()) : cards.open();
                var options = ProcessGroupGloo.Options.create(silence);
                var devices = options.devices();
                var device = ProcessGroupGloo.createDeviceForHostname(meeting.address())) {
            store.setTimeout(patience);
            devices.push_back(device);
            Map<Integer, String> before = Connections.openSockets();
            var formed = new ProcessGroupGloo(store, meeting.rank(), meeting.size(), options);
            var connections = Connections.since(before);
            if (network != null) {
                connections.noticeCuts(network.cut());
            }
            return new GlooGroup(meeting.rank(), meeting.size(), formed, connections);
        } catch (BrokenGroupException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new BrokenGroupException("the group did not form: " + firstLine(e), e);
        }
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void sumFloats(MemorySegment floats) {
        exchange(floats, ScalarType.Float, Float.BYTES, tensors -> open().allreduce(tensors));
    }

    @Override
    public void sumDoubles(MemorySegment doubles) {
        exchange(doubles, ScalarType.Double, Double.BYTES, tensors -> open().allreduce(tensors));
    }

    @Override
    public void send(MemorySegment bytes, int to) {
        exchange(bytes, ScalarType.Byte, Byte.BYTES, tensors -> open().send(tensors, to, TAG));
    }

    @Override
    public void receive(MemorySegment bytes, int from) {
        exchange(bytes, ScalarType.Byte, Byte.BYTES, tensors -> open().recv(tensors, from, TAG));
    }

    @Override
    public Optional<Traffic> traffic() {
        return connections.look();
    }

    @Override
    public void sever() {
        connections.sever();
    }

    private ProcessGroupGloo open() {
        if (group == null) {
            throw new BrokenGroupException("the group is closed", new IllegalStateException());
        }
        return group;
    }

    private void exchange(MemorySegment memory, ScalarType type, int bytes, Function<TensorVector, Work> begin) {
        if (memory.byteSize() == 0) {
            return;
        }
        // The scope closes the exchange, which must happen before the group is closed.
        try (PointerScope _ = new PointerScope()) {
            begin.apply(new TensorVector(TorchMemory.view(memory, type, memory.byteSize() / bytes)))
                    ._wait();
        } catch (BrokenGroupException e) {
            throw e;
        } catch (RuntimeException e) {
            close();
            throw new BrokenGroupException("a process of the group is gone: " + firstLine(e), e);
        }
    }

    private static String firstLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    @Override
    public void close() {
        ProcessGroupGloo closing = group;
        group = null;
        if (closing != null) {
            var _ = connections.look(); // for the last time
            connections.end();
            closing.close();
        }
    }
}
