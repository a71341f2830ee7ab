package dev.cairn.train;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.engine.Score;
import dev.cairn.engine.StateOwner;
import dev.cairn.engine.Update;
import dev.cairn.store.Attributes;
import dev.cairn.store.UnfitAttributesException;
import dev.cairn.train.TrainingResult.End;
import dev.cairn.train.TrainingSettings.Mode;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.steps.Staleness;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The complete state of a run: the live tensors, the step, the position in the data, the last loss and the best
/// score so far. A run that is restored from it continues with the next batch.
final class TrainingRun implements TrainingState {
    private static final String HANDED_OUT = "handedOut";
    private static final Pattern PLACE = Pattern.compile("([0-9]{1,18}):([0-9]{1,9})");

    private final TrainingSettings settings;
    private final Measure measure;
    private final StateOwner owner;
    private final Divergence divergence = new Divergence();
    private long step;
    private Cursor cursor = Cursor.START;
    private double lastLoss = Double.NaN;
    private double lastScore = Double.NaN;
    private double lastTestLoss = Double.NaN;
    private double bestScore = Double.NaN;
    private long bestStep;
    private long scoredStep;
    private long optimizerBegan;
    private double rateFactor = 1;
    private boolean scoreDue;

    /// Of a training with a parameter server.
    private Staleness staleness = Staleness.NONE;

    private List<Cursor> handedOut = List.of();

    TrainingRun(TrainingSettings settings, StateOwner owner) {
        this.settings = settings;
        this.measure = settings.workload().measure();
        this.owner = owner;
    }

    long step() {
        return step;
    }

    Cursor cursor() {
        return cursor;
    }

    double lastLoss() {
        return lastLoss;
    }

    /// The score when the test split was last scored; NaN before the first time.
    double lastScore() {
        return lastScore;
    }

    double lastTestLoss() {
        return lastTestLoss;
    }

    /// NaN before the first score.
    double bestScore() {
        return bestScore;
    }

    long bestStep() {
        return bestStep;
    }

    /// Whether this step is one of those that are scored.
    boolean isScored(long step) {
        return isEvaluated(step) || endsEpoch(step) || step == settings.steps();
    }

    /// Whether an epoch ends with this step. If the user does not count in epochs, none does.
    boolean endsEpoch(long step) {
        return settings.epochs().endsWith(step);
    }

    /// The epoch of the next step: as the user counts them, or a pass through the data.
    long epoch() {
        return settings.epochs().isSet() ? step / settings.epochs().steps() : cursor.epoch();
    }

    /// Whether this step must be scored and was not scored yet, because a notice arrived.
    boolean isScoreDue() {
        return scoreDue;
    }

    /// Returns the next update. The optimizer counts its steps from where it started with an empty state: at step
    /// 0, or at the step of a fork with another optimizer.
    Update nextUpdate() {
        double factor = rateFactor * settings.schedule().factor(step + 1, settings.steps());
        return new Update(step + 1 - optimizerBegan, settings.rate() * factor);
    }

    /// Multiplies the learning rate of all further steps.
    void lowerRate(double times) {
        rateFactor *= times;
    }

    double rateFactor() {
        return rateFactor;
    }

    /// Records a step, and returns whether the training has diverged.
    boolean stepMade(float loss, Cursor next) {
        step++;
        scoreDue = isScored(step);
        lastLoss = loss;
        cursor = next;
        return divergence.by(loss);
    }

    /// Records how old the gradients of a step were, and what was given out and is not learned.
    void add(Staleness more, List<Cursor> given) {
        staleness = staleness.plus(more);
        handedOut = given;
    }

    /// The positions before the next one that are still to be learned.
    List<Cursor> handedOut() {
        return handedOut;
    }

    /// The last step whose weights gave a good loss. The loss of a step is computed with the weights before it.
    long lastGoodStep() {
        return step - 1 - divergence.badSteps();
    }

    /// Describes how the training diverged.
    String divergence() {
        return divergence.describe(lastLoss);
    }

    void scored(Score score) {
        scoreDue = false;
        scoredStep = step;
        lastScore = measure.of(score);
        lastTestLoss = score.loss();
        if (measure.isBetter(lastScore, bestScore)) {
            bestScore = lastScore;
            bestStep = step;
        }
    }

    /// The result of a training that ends now.
    ///
    /// @param score the score of the present state, if it is known
    /// @param from the checkpoint at which the training began
    /// @param cancelled whether the last save was cancelled
    TrainingResult result(Optional<Score> score, Optional<Checkpoint> from, End end, boolean saved, boolean cancelled) {
        double last = score.map(measure::of).orElse(lastScore);
        boolean lastIsBest = score.isPresent() && measure.isBetter(last, bestScore);
        return new TrainingResult(
                step,
                epoch(),
                lastLoss,
                measure,
                last,
                score.map(Score::loss).orElse(Double.NaN),
                lastIsBest ? last : bestScore,
                lastIsBest ? step : bestStep,
                from.map(Checkpoint::step).orElse(null),
                saved || !cancelled ? WeightsDigest.sha256(owner) : null,
                staleness,
                end,
                saved);
    }

    @Override
    public List<LiveTensor> tensors() {
        return owner.tensors();
    }

    @Override
    public Attributes attributes() {
        Attributes attributes = settings.addTo(Attributes.empty())
                .with("epoch", cursor.epoch())
                .with("position", cursor.position())
                .with("loss", lastLoss)
                .with(measure.label(), lastScore)
                .with("testLoss", lastTestLoss)
                .with(measure.bestLabel(), bestScore)
                .with("bestStep", bestStep)
                .with(ScoredStep.ATTRIBUTE, scoredStep)
                .with("optimizerBegan", optimizerBegan)
                .with("firstLoss", divergence.firstLoss())
                .with("rateFactor", rateFactor);
        Attributes aged = settings.mode().isServed() ? withPlaces(staleness.addTo(attributes)) : attributes;
        return scoreDue ? aged.with("scoreDue", true) : aged;
    }

    @Override
    public void restored(long restoredStep, Attributes attributes) {
        owner.tensorsRestored();
        beginAt(restoredStep);
        if (attributes.integer("epoch").isEmpty()) {
            // Another program made these weights: this training starts from them.
            optimizerBegan = restoredStep;
            scoreDue = true;
            return;
        }
        boolean sameOptimizer = required("optimizer", attributes.text("optimizer"))
                .equals(settings.optimizer().name());
        optimizerBegan =
                sameOptimizer ? required("optimizerBegan", attributes.integer("optimizerBegan")) : restoredStep;
        if (!isSame("workload", settings.workload().label(), attributes)
                || !isSame("data", settings.data(), attributes)) {
            // The fork learns another task, so earlier losses and scores do not apply to it.
            scoreDue = true;
            return;
        }
        cursor = cursor(attributes);
        if (!isSame("activation", settings.model().activation(), attributes)) {
            scoreDue = true; // a fork with another activation function: earlier scores do not apply
            return;
        }
        // Losses and scores were measured before the state was stored. If it was stored with an error, they do
        // not apply.
        boolean exact = attributes.number(WeightError.OF_STATE).orElse(0.0) == 0;
        lastLoss = ifExact(exact, required("loss", attributes.number("loss")));
        lastScore = ifExact(exact, required(measure.label(), attributes.number(measure.label())));
        lastTestLoss = ifExact(exact, required("testLoss", attributes.number("testLoss")));
        bestScore = required(measure.bestLabel(), attributes.number(measure.bestLabel()));
        bestStep = required("bestStep", attributes.integer("bestStep"));
        scoredStep = required(ScoredStep.ATTRIBUTE, attributes.integer(ScoredStep.ATTRIBUTE));
        divergence.restored(required("firstLoss", attributes.number("firstLoss")));
        rateFactor = required("rateFactor", attributes.number("rateFactor"));
        staleness = Staleness.in(attributes);
        handedOut = places(attributes.text(HANDED_OUT).orElse(""));
        scoreDue = attributes.flag("scoreDue").orElse(false)
                || (!exact && (isEvaluated(restoredStep) || endsEpoch(restoredStep)));
    }

    /// Resets everything to a new run at this step, so that no values of an earlier state remain.
    private void beginAt(long restoredStep) {
        step = restoredStep;
        cursor = Cursor.START;
        lastLoss = Double.NaN;
        lastScore = Double.NaN;
        lastTestLoss = Double.NaN;
        bestScore = Double.NaN;
        bestStep = 0;
        scoredStep = 0;
        optimizerBegan = 0;
        rateFactor = 1;
        scoreDue = false;
        staleness = Staleness.NONE;
        handedOut = List.of();
        divergence.restored(Double.NaN);
    }

    private Attributes withPlaces(Attributes attributes) {
        return attributes.with(
                HANDED_OUT,
                handedOut.stream()
                        .map(place -> place.epoch() + ":" + place.position())
                        .collect(Collectors.joining(" ")));
    }

    private static List<Cursor> places(String text) {
        var places = new ArrayList<Cursor>();
        Matcher found = PLACE.matcher(text);
        while (found.find()) {
            places.add(new Cursor(Long.parseLong(found.group(1)), Integer.parseInt(found.group(2))));
        }
        return List.copyOf(places);
    }

    private static Cursor cursor(Attributes attributes) {
        long epoch = required("epoch", attributes.integer("epoch"));
        long position = required("position", attributes.integer("position"));
        if (epoch < 0 || position < 0 || position > Integer.MAX_VALUE) {
            throw new UnfitAttributesException(
                    "not a position in the data: epoch=%d position=%d".formatted(epoch, position));
        }
        return new Cursor(epoch, (int) position);
    }

    private static <T> T required(String name, Optional<T> value) {
        return value.orElseThrow(() -> new UnfitAttributesException("attribute %s is missing".formatted(name)));
    }

    private static boolean isSame(String name, String setting, Attributes attributes) {
        return required(name, attributes.text(name)).equals(setting);
    }

    private static double ifExact(boolean exact, double measured) {
        return exact ? measured : Double.NaN;
    }

    private boolean isEvaluated(long step) {
        // Otherwise the workers score.
        return settings.mode() != Mode.PS_ASYNC && step % settings.evaluateEvery() == 0;
    }
}
