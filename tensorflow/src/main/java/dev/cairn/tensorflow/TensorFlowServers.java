package dev.cairn.tensorflow;

import dev.cairn.engine.InvalidSettingException;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.server.GradientWorker;
import dev.cairn.engine.server.ParameterServer;
import dev.cairn.engine.server.ServerMaker;
import dev.cairn.engine.server.ServerPart;
import dev.cairn.tensorflow.queues.PartEnd;
import dev.cairn.tensorflow.runtime.NativeLibraries;
import dev.cairn.tensorflow.runtime.Server;
import java.time.Duration;

/// Trains with a parameter server on TensorFlow's own gRPC runtime: the variables, the queues and the updates are
/// in a server of TensorFlow's, and the workers are its clients.
public final class TensorFlowServers implements ServerMaker {
    /// Besides the workers: the updates, and those who end a generation.
    private static final int OWN_SESSIONS = 2;

    @Override
    public String engine() {
        return "tensorflow";
    }

    @Override
    public ParameterServer server(
            Model model, OptimizerSpec optimizer, long seed, int threads, String host, int workers, int servers) {
        NativeLibraries.load();
        if (servers > 1) {
            network(model); // refuses others before a server starts
        }
        String target = Server.start(host, 0, threads, workers + OWN_SESSIONS).target();
        return servers == 1
                ? new TensorFlowServer(target, model, optimizer, seed, threads)
                : new SpreadServer(target, servers, network(model), optimizer, seed, threads);
    }

    @Override
    public ServerPart part(int threads, String host, int workers) {
        NativeLibraries.load();
        String target = Server.start(host, 0, threads, workers + OWN_SESSIONS).target();
        return new ServerPart() {
            @Override
            public String address() {
                return target;
            }

            @Override
            public void awaitEnd(Duration limit) {
                PartEnd.await(target, limit);
            }
        };
    }

    @Override
    public GradientWorker worker(Model model, long seed, int threads) {
        NativeLibraries.load();
        return new TensorFlowWorker(model, seed, threads);
    }

    private static Model.Network network(Model model) {
        if (model instanceof Model.Network network) {
            return network;
        }
        throw new InvalidSettingException("ps", "mf cannot be trained with more than one parameter server");
    }
}
