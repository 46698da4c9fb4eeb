package io.quorate.host;

import java.util.List;
import java.util.Optional;

/**
 * All measurements of one target at one moment.
 *
 * @param unixNanos wall clock
 * @param loads averages of the machine over 1, 5 and 15 minutes; negative where it has none
 * @param disk under the data directory, if it has one
 * @param network that carries the traffic, if there is one
 * @param extra for the last column of the reference
 */
record Reading(
    long unixNanos,
    ProcessReading process,
    List<Double> loads,
    Optional<DiskReading> disk,
    Optional<NetworkReading> network,
    String extra) {
  Reading {
    loads = List.copyOf(loads);
  }
}
