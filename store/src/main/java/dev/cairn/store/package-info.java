/// The words of a run on storage: what a tensor is, what a checkpoint knows besides tensors, what can go wrong. All
/// other packages of the store speak them, and they depend on none.
///
/// From the bytes up: [blob][dev.cairn.store.blob] is storage, [segment][dev.cairn.store.segment] holds the bytes of
/// tensors, [log][dev.cairn.store.log] says which checkpoints there are, [reading][dev.cairn.store.reading] gives their
/// values back, [check][dev.cairn.store.check] finds damage, [right][dev.cairn.store.right] keeps other writers out,
/// [writing][dev.cairn.store.writing] commits, and [repair][dev.cairn.store.repair] mends. `docs/FORMAT.md` is the law
/// of what is on storage.
@NullMarked
package dev.cairn.store;

import org.jspecify.annotations.NullMarked;
