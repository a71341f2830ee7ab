package dev.cairn.store;

/// Damage of a file that did not matter: its bytes were read, bit for bit, from what is stored a second time.
///
/// @param damage what is wrong with the file
/// @param source what its bytes were read from, such as `its parity`
public record HealedDamage(DamagedException damage, String source) {}
