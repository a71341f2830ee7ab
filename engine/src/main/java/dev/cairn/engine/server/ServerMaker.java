package dev.cairn.engine.server;

import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import java.util.Optional;
import java.util.ServiceLoader;

/// Makes the parts of a training with a parameter server, each in a process of its own. Engines that can do that
/// provide this service beside themselves.
public interface ServerMaker {
    /// The name of the engine.
    String engine();

    /// Starts the server of this process, which lives as long as the process.
    ///
    /// @param host the host under which the workers reach it
    /// @param workers about how many workers it serves
    /// @param servers the number of servers; the others are a [ServerPart] each
    ParameterServer server(
            Model model, OptimizerSpec optimizer, long seed, int threads, String host, int workers, int servers);

    /// Starts a server of this process that has a part of the weights.
    ServerPart part(int threads, String host, int workers);

    /// Makes a worker, which belongs to no server yet.
    GradientWorker worker(Model model, long seed, int threads);

    /// The service of this engine; empty if the engine has no parameter server.
    static Optional<ServerMaker> of(String engine) {
        return ServiceLoader.load(ServerMaker.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.engine().equals(engine))
                .findFirst();
    }
}
