// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.util.List;

/**
 * The state of this machine at one moment. Amounts of time and numbers are counted since it was
 * started. A value that the system does not report is negative, and a text is empty.
 *
 * @param loads load averages over 1, 5 and 15 minutes
 * @param cpus number of logical CPUs
 * @param timeMillis time until this reading, summed over all CPUs, whatever they did
 * @param busyMillis time in which CPUs worked, summed over all of them
 * @param stealMillis time in which a hypervisor gave the CPUs to others, summed over all of them
 * @param cpuPressureMillis time in which a thread or more waited for a CPU
 * @param ioPressureMillis time in which a thread or more waited for a disk
 * @param memoryPressureMillis time in which a thread or more waited for memory
 * @param retransmits TCP segments that were sent again
 * @param swappedPages pages that were moved to or from swap space
 * @param availableBytes memory that programs can get without swapping
 * @param governor policy that selects the frequency of the first CPU, such as {@code performance}
 */
record MachineReading(
    List<Double> loads,
    int cpus,
    long timeMillis,
    long busyMillis,
    long stealMillis,
    long cpuPressureMillis,
    long ioPressureMillis,
    long memoryPressureMillis,
    long retransmits,
    long swappedPages,
    long availableBytes,
    long totalBytes,
    String governor) {
  static final MachineReading UNKNOWN =
      new MachineReading(List.of(-1.0, -1.0, -1.0), -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, "");

  MachineReading {
    loads = List.copyOf(loads);
  }
}
