// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

/**
 * The values of the machines while a database was measured. For CPU, 100 is one core. Only runs
 * with samples at the ends of steps have means and sums of CPU.
 */
public enum HostFigure {
  SERVER_RECEIVED_BYTES,
  SERVER_SENT_BYTES,
  CLIENT_RECEIVED_BYTES,
  CLIENT_SENT_BYTES,
  SERVER_CPU_SECONDS,
  SERVER_MEAN_CPU_PERCENT,
  SERVER_MAX_CPU_PERCENT,
  SERVER_MAX_MEMORY_BYTES,
  CLIENT_CPU_SECONDS,
  CLIENT_MEAN_CPU_PERCENT,
  CLIENT_MAX_CPU_PERCENT,
  CLIENT_MAX_MEMORY_BYTES,
  SERVER_READS,
  SERVER_SECTORS_READ,
  SERVER_WRITES,
  SERVER_SECTORS_WRITTEN,
  SERVER_DISK_BYTES
}
