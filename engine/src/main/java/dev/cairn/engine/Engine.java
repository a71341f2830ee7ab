package dev.cairn.engine;

import dev.cairn.engine.group.GroupMaker;
import dev.cairn.store.UnknownNameException;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/// A framework that trains models. It is found by name. Its native libraries are loaded on first use.
public interface Engine {
    /// The name for users, such as `torch`.
    String name();

    /// Creates a learner for the model, with the initial weights for this seed.
    ///
    /// @throws EngineUnavailableException if the native libraries cannot be loaded on this machine
    LocalLearner learner(Model model, OptimizerSpec optimizer, long seed, int threads);

    /// Loads the framework, and returns its name and version.
    ///
    /// @throws EngineUnavailableException if the native libraries cannot be loaded on this machine
    String describe();

    /// Forms groups of processes whose learners are [GroupLearner]s. Empty if this engine cannot.
    default Optional<GroupMaker> groups() {
        return Optional.empty();
    }

    /// The engines on the class path, sorted by name.
    static List<Engine> all() {
        return ServiceLoader.load(Engine.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted((a, b) -> b.name().compareTo(a.name())) // torch, the default, comes first
                .toList();
    }

    /// Returns the engine with this name.
    ///
    /// @throws UnknownNameException if there is none; the message lists the known engines
    static Engine named(String name) {
        List<Engine> all = all();
        return all.stream()
                .filter(engine -> engine.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UnknownNameException(
                        "engine", name, all.stream().map(Engine::name).toList()));
    }
}
