// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

import java.util.Locale;

/** The files of a database that a configuration of the reference names for its analysis. */
enum DbtesterPath {
  CLIENT_SYSTEM_METRICS_INTERPOLATED,
  CLIENT_LATENCY_THROUGHPUT_TIMESERIES,
  CLIENT_LATENCY_DISTRIBUTION_PERCENTILE,
  CLIENT_LATENCY_DISTRIBUTION_SUMMARY,
  CLIENT_LATENCY_BY_KEY_NUMBER,
  SERVER_DISK_SPACE_USAGE_SUMMARY,
  /** First of the paths of output files; all following ones are output files as well. */
  SERVER_MEMORY_BY_KEY_NUMBER,
  SERVER_READ_BYTES_DELTA_BY_KEY_NUMBER,
  SERVER_WRITE_BYTES_DELTA_BY_KEY_NUMBER,
  ALL_AGGREGATED_OUTPUT;

  /** Key of the list of the paths of the servers. */
  static final String SERVERS = "server_system_metrics_interpolated_path_list";

  String key() {
    return name().toLowerCase(Locale.ROOT) + "_path";
  }
}
