package dev.cairn.checkpoint;

import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.reading.TensorParts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The differences between the tensors of a checkpoint and those of a live state, each list sorted by name. The
/// role of a tensor is not compared.
///
/// A tensor, or a part of one, fits if the checkpoint has all its values, even if it is split differently there.
///
/// @param fitting live tensors that are the same in the checkpoint
/// @param missing live tensors, or parts of them, that the checkpoint does not have
/// @param unexpected tensors of the checkpoint that the live state does not have
/// @param changed tensors with the same name whose types or shapes differ
public record StateDifference(
        List<TensorSpec> fitting, List<TensorSpec> missing, List<TensorSpec> unexpected, List<Change> changed) {
    private static final int MOST_SHOWN = 2;

    public StateDifference {
        fitting = List.copyOf(fitting);
        missing = List.copyOf(missing);
        unexpected = List.copyOf(unexpected);
        changed = List.copyOf(changed);
    }

    /// A tensor as it is stored, and as it is in the live state.
    public record Change(TensorSpec stored, TensorSpec live) {
        @Override
        public String toString() {
            return "stored as %s, live as %s".formatted(stored, live);
        }
    }

    /// Returns the differences between the tensors of a checkpoint and those of a live state.
    public static StateDifference between(Collection<TensorSpec> stored, Collection<TensorSpec> live) {
        SortedMap<String, List<TensorSpec>> ins = byName(stored);
        SortedMap<String, List<TensorSpec>> tos = byName(live);
        var names = new TreeSet<>(ins.keySet());
        names.addAll(tos.keySet());
        var fitting = new ArrayList<TensorSpec>();
        var missing = new ArrayList<TensorSpec>();
        var unexpected = new ArrayList<TensorSpec>();
        var changed = new ArrayList<Change>();
        for (String name : names) {
            List<TensorSpec> in = ins.getOrDefault(name, List.of());
            List<TensorSpec> to = tos.getOrDefault(name, List.of());
            if (to.isEmpty()) {
                unexpected.addAll(TensorParts.joined(in));
            }
            for (TensorSpec tensor : to) {
                List<TensorSpec> lacking = TensorParts.missing(in, tensor);
                if (!in.isEmpty() && !TensorParts.areOf(in, tensor)) {
                    changed.add(new Change(TensorParts.joined(in).getFirst(), tensor));
                } else if (lacking.isEmpty()) {
                    fitting.add(tensor);
                } else {
                    missing.addAll(lacking);
                }
            }
        }
        return new StateDifference(fitting, missing, unexpected, changed);
    }

    private static SortedMap<String, List<TensorSpec>> byName(Collection<TensorSpec> specs) {
        var byName = new TreeMap<String, List<TensorSpec>>();
        specs.forEach(spec ->
                byName.computeIfAbsent(spec.name(), _ -> new ArrayList<>(1)).add(spec));
        return byName;
    }

    /// The differences in weights and buffers only: in the model, without the state of its training.
    StateDifference ofModel() {
        return new StateDifference(
                fitting,
                missing.stream().filter(StateDifference::isOfModel).toList(),
                unexpected.stream().filter(StateDifference::isOfModel).toList(),
                changed.stream().filter(change -> isOfModel(change.live())).toList());
    }

    /// Whether no weight or buffer is the same in both, although the live state has some.
    boolean fitsNothingOfTheModel() {
        boolean some = missing.stream().anyMatch(StateDifference::isOfModel)
                || changed.stream().anyMatch(change -> isOfModel(change.live()));
        return some ? fitting.stream().noneMatch(StateDifference::isOfModel) : fitting.isEmpty();
    }

    /// The prefix, followed by a dot, with which the checkpoint has every tensor that seems to be missing. It is
    /// the same for all of them, as after the import of a file with nested dictionaries.
    Optional<String> pathBefore() {
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        Set<String> names = unexpected.stream().map(TensorSpec::name).collect(Collectors.toSet());
        String first = "." + missing.getFirst().name();
        return names.stream()
                .filter(name -> name.endsWith(first))
                .map(name -> name.substring(0, name.length() - first.length()))
                .filter(path -> missing.stream().allMatch(tensor -> names.contains(path + "." + tensor.name())))
                .min(Comparator.comparingInt(String::length));
    }

    private static boolean isOfModel(TensorSpec tensor) {
        return tensor.role() == Role.WEIGHT || tensor.role() == Role.BUFFER;
    }

    /// Whether there is no difference.
    public boolean isNone() {
        return missing.isEmpty() && unexpected.isEmpty() && changed.isEmpty();
    }

    /// The number of tensors that fit, in words.
    public String fittingText() {
        return fitting.size() == 1 ? "the tensor that fits" : "the " + fitting.size() + " tensors that fit";
    }

    /// One line of text: the number of differences of each kind, and the first of each.
    public String text() {
        var parts = new ArrayList<String>();
        addTo(parts, "missing in the checkpoint", missing, TensorSpec::toString);
        addTo(parts, "unknown to the model", unexpected, TensorSpec::toString);
        addTo(parts, "of another type or shape", changed, Change::toString);
        return String.join("; ", parts);
    }

    private static <T> void addTo(List<String> parts, String what, List<T> differing, Function<T, String> text) {
        if (!differing.isEmpty()) {
            String shown = differing.stream().limit(MOST_SHOWN).map(text).collect(Collectors.joining(", "));
            int more = differing.size() - MOST_SHOWN;
            parts.add(differing.size() + " " + what + ": " + shown + (more > 0 ? " and " + more + " more" : ""));
        }
    }
}
