package dev.cairn.engine;

import java.util.List;
import java.util.ServiceLoader;

/// A framework that trains models. Found by name; its native libraries are loaded when it is first used.
public interface Engine {
    /// As users name it, such as `torch`.
    String name();

    /// The model with its first weights for this seed.
    ///
    /// @throws EngineUnavailableException where its native libraries cannot be loaded here
    LocalLearner learner(Model model, OptimizerSpec optimizer, long seed, int threads);

    /// Loads it, and tells the framework and its version.
    ///
    /// @throws EngineUnavailableException where its native libraries cannot be loaded here
    String describe();

    /// Those on the class path, by name.
    static List<Engine> all() {
        return ServiceLoader.load(Engine.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted((a, b) -> b.name().compareTo(a.name())) // torch, which is the usual one, comes first
                .toList();
    }

    /// The engine of this name.
    ///
    /// @throws IllegalArgumentException where there is none, with those that there are
    static Engine named(String name) {
        List<Engine> all = all();
        return all.stream()
                .filter(engine -> engine.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown engine '%s'; known: %s"
                        .formatted(
                                name,
                                String.join(", ", all.stream().map(Engine::name).toList()))));
    }
}
