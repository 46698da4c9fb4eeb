// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.util.Optional;

/**
 * All measurements of one target at one moment.
 *
 * @param unixNanos wall clock when the processes were read
 * @param disk activity of the disk under the data directory, if there is one
 * @param network traffic of the network interface, if it is known
 * @param other program outside the run that used most CPU
 * @param extra value of the reference's last column
 */
record Reading(
    long unixNanos,
    ProcessReading process,
    MachineReading machine,
    Optional<DiskReading> disk,
    Optional<NetworkReading> network,
    OtherProcesses.Busiest other,
    String extra) {}
