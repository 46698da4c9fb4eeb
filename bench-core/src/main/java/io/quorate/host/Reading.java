package io.quorate.host;

import java.util.List;
import java.util.Optional;

/**
 * All measurements of one target at one moment.
 *
 * @param unixNanos wall clock
 * @param loads load averages of the machine over 1, 5 and 15 minutes; negative if unknown
 * @param disk activity of the disk under the data directory, if there is one
 * @param network traffic of the network interface, if it is known
 * @param extra value of the reference's last column
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
