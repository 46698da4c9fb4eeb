// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.util.List;

/**
 * The resource use of the processes of one target at one moment, summed over them. A value that the
 * system does not report is negative.
 *
 * @param nanoTime time of the nano clock at which they were read
 * @param program name of the first process
 * @param state state of the first process, such as {@code S (sleeping)}
 * @param pids pids of all processes, in order
 * @param parent parent of the first process
 * @param cpuPercent CPU use since the previous reading, 100 is one core; negative in the first
 *     reading
 * @param cpuMillis user and system time since they were started
 * @param voluntarySwitches context switches of all threads, including threads that have ended since
 *     the first reading
 * @param waitMillis time in which threads could have run but waited for a CPU, summed as the
 *     switches are
 * @param stoppedMillis time in which a signal had stopped them, since the first reading
 * @param throttledMillis time in which their control groups had used their quota of CPU time
 * @param readBytes bytes that they caused to be read from a disk
 * @param writtenBytes bytes that they caused to be written to a disk
 */
record ProcessReading(
    long nanoTime,
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
    long waitMillis,
    long stoppedMillis,
    long throttledMillis,
    long readBytes,
    long writtenBytes) {
  ProcessReading {
    pids = List.copyOf(pids);
  }
}
