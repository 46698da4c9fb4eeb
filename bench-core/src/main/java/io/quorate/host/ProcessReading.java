package io.quorate.host;

import java.util.List;

/**
 * The resource use of the processes of one target at one moment, summed over them. A value that the
 * system does not report is negative.
 *
 * @param program name of the first process
 * @param state of the first process, such as {@code S (sleeping)}
 * @param pids all of them, the first one first
 * @param parent of the first process
 * @param cpuPercent since the reading before, 100 is one core; negative in the first one
 * @param cpuMillis user and system time since they were started
 * @param residentBytes true bytes
 * @param openFiles open file descriptors
 * @param voluntarySwitches of all threads, including those that have ended while they were watched
 * @param readBytes that they caused to be fetched from a disk
 * @param writtenBytes that they caused to be sent to a disk
 */
record ProcessReading(
    String program,
    String state,
    List<Long> pids,
    long parent,
    double cpuPercent,
    long cpuMillis,
    long residentBytes,
    long virtualBytes,
    long openFiles,
    long threads,
    long voluntarySwitches,
    long involuntarySwitches,
    long readBytes,
    long writtenBytes) {
  ProcessReading {
    pids = List.copyOf(pids);
  }
}
