// What happened, in sentences: who, what, how long, what it cost.
'use strict';
(() => {
  const {count, many, bytes, seconds, percent, plain} = Cairn;
  const parts = (...each) => each.filter(Boolean).join(' · ');
  const saved = e => parts('step ' + count(e.step), bytes(e.storedBytes), e.stallSeconds != null && 'waited ' + seconds(e.stallSeconds),
      e.persistSeconds != null && 'durable in ' + seconds(e.persistSeconds));
  // A kill takes the last second of events with it, so there may be more.
  const lost = e => e.stepsLost > 0 ? (e.failure === 'killed' ? 'at least ' : '') + many(e.stepsLost, 'step') + ' lost' : e.stepsLost === 0 ? 'no step lost' : '';

  // Each gives [title, line below, whether it is bad].
  const SENTENCES = {
    committed: e => ['Checkpoint of step ' + count(e.step) + ' durable', saved(e)],
    interval: e => [e.followed
        ? (e.before == null ? 'Saves every ' + seconds(e.seconds) : 'Interval ' + seconds(e.before) + ' → ' + seconds(e.seconds))
        : 'Saves as its user said; automatic would be every ' + seconds(e.seconds), e.reason],
    started: e => [{new: 'Training began', resumed: 'Resumed from step ' + count(e.step), fresh: 'Started over at step 0', forked: 'Began from a checkpoint of another run'}[e.begin] || 'Started',
        parts('to step ' + count(e.steps), e.checkpoints > 0 && many(e.checkpoints, 'checkpoint') + ' there')],
    ended: e => [{done: 'Training done', goal: 'Goal reached', notice: 'Stopped on notice', diverged: 'Training diverged', failed: 'Training failed'}[e.outcome] || 'Training ended',
        parts('step ' + count(e.step), e.loss != null && 'loss ' + plain(e.loss), e.reason), e.outcome === 'failed' || e.outcome === 'diverged'],
    warned: e => ['Warning', e.message],
    tooCoarse: e => ['Lossy checkpoint too coarse', 'step ' + count(e.step) + ', error ' + percent(e.errorOfChange) + ', remedy: ' + e.remedy],
    saveFailed: e => ['Save of step ' + count(e.step) + ' failed', e.reason, true],
    saveSkipped: e => ['Save of step ' + count(e.step) + ' skipped', 'step ' + count(e.stepInFlight) + ' was still being written'],
    bestNotSaved: e => ['Best step ' + count(e.step) + ' not saved', 'to save time'],
    saveAborted: e => ['Save of step ' + count(e.step) + ' cancelled', ''],
    merged: e => ['Chain merged', parts(many(e.deltas, 'delta') + ' into one', bytes(e.storedBytes), 'same bits', seconds(e.seconds))],
    pruned: e => [many(e.checkpoints, 'checkpoint') + ' removed by retention', bytes(e.storedBytes) + ' freed'],
    housekeepingFailed: e => ['Merging or removing failed', e.reason, true],
    chainInDoubt: e => ['Chain in doubt', e.reason, true],
    healed: e => ['Damage healed', parts(e.file, 'from ' + e.source)],
    rewritten: e => ['Damaged file rewritten', parts(e.file, 'from ' + e.source)],
    damageFound: e => ['Damage found', parts(e.file, e.reason), true],
    scrubFailed: e => ['Old files could not be checked', e.reason, true],
    passedOver: e => ['Damaged checkpoint passed over', e.reason, true],
    restored: e => ['Restored step ' + count(e.step), parts('in ' + seconds(e.seconds), bytes(e.storedBytes), e.dropped > 0 && many(e.dropped, 'tensor') + ' set to zeros')],
    restoredInPart: e => ['Restored in part', e.difference],
    forked: e => ['Took step ' + count(e.step) + ' of another run', parts(e.run, seconds(e.seconds))],
    copyFailed: e => ['Copy failed', e.reason, true],
    copyAhead: e => ['The copy is ahead', 'at step ' + count(e.copyStep)],
    copyPassedOver: e => ['Damaged checkpoint of the copy passed over', e.reason, true],
    worker: e => ['Worker ' + e.worker + ' made ' + many(e.steps, 'step'), parts(many(e.examples, 'example'), 'waited ' + seconds(e.waitSeconds) + ' of ' + seconds(e.seconds), e.sentBytes != null && 'sent ' + bytes(e.sentBytes))],
    fetched: e => ['Fetched step ' + count(e.step) + ' from the copy', seconds(e.seconds)],
  };

  const FAILURES = {
    killed: e => ['Killed at step ' + count(e.step), e.open ? 'the same command resumes it'
        : parts('resumed from step ' + count(e.resumedStep), lost(e), 'training again after ' + seconds(e.to - e.from))],
    failed: e => ['Failed at step ' + count(e.step), parts(e.reason, !e.open && 'resumed from step ' + count(e.resumedStep), !e.open && lost(e))],
    diverged: e => ['Diverged at step ' + count(e.step), parts(e.reason, !e.open && 'went back to step ' + count(e.resumedStep), lost(e))],
    replaced: e => ['Worker ' + e.who + ' replaced', parts('another process took its place', 'within ' + seconds(e.to - e.from), e.reason, lost(e))],
  };

  function sentence(e) {
    const say = e.kind === 'failure' ? FAILURES[e.failure] : SENTENCES[e.kind];
    if (!say) return [String(e.kind), e.step == null ? '' : 'step ' + count(e.step), false];
    const [title, below, bad] = say(e);
    return [title, below || '', e.kind === 'failure' || !!bad];
  }

  const failureLabel = e => {
    const back = e.open ? '' : ' · back in ' + seconds(e.to - e.from);
    const what = {killed: 'killed', failed: 'failed', diverged: 'diverged', replaced: e.who + ' replaced'}[e.kind] || e.kind;
    return what + (e.kind === 'diverged' ? '' : back) + (e.stepsLost > 0 ? ' · ' + many(e.stepsLost, 'step') + ' lost' : '');
  };

  Object.assign(Cairn, {sentence, failureLabel});
})();
