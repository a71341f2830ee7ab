package dev.cairn.observe.system;

/// What the cores of a machine did. Each value is a share of the time of all cores, from 0 to 1; together they are 1.
///
/// @param user programs
/// @param system the operating system, for programs
/// @param idle nothing
/// @param waiting nothing, because storage had not answered yet
/// @param hardInterrupts answering devices
/// @param softInterrupts work that interrupts left for later
/// @param stolen nothing, because the host of this virtual machine used them for others
public record CpuUse(
        double user,
        double system,
        double idle,
        double waiting,
        double hardInterrupts,
        double softInterrupts,
        double stolen) {}
