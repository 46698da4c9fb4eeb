// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

/** The files of dbtester about requests as seen by the client: their names and columns. */
enum DbtesterFile {
  /** A name and a value in each row, without a header: see {@link SummaryName}. */
  SUMMARY("client-latency-distribution-summary.csv"),
  PERCENTILES("client-latency-distribution-percentile.csv", "LATENCY-PERCENTILE", "LATENCY-MS"),
  DISTRIBUTION("client-latency-distribution-all.csv", "LATENCY-MS", "COUNT"),
  TIME_SERIES(
      "client-latency-throughput-timeseries.csv",
      "UNIX-SECOND",
      "CONTROL-CLIENT-NUM",
      "MIN-LATENCY-MS",
      "AVG-LATENCY-MS",
      "MAX-LATENCY-MS",
      "AVG-THROUGHPUT"),
  BY_KEY_NUMBER(
      "client-latency-by-key-number.csv",
      "KEYS",
      "MIN-LATENCY-MS",
      "AVG-LATENCY-MS",
      "MAX-LATENCY-MS");

  /** The names in the summary, in its order; errors follow them. */
  enum SummaryName {
    TOTAL_SECONDS,
    REQUESTS_PER_SECOND,
    SLOWEST_LATENCY_MS,
    FASTEST_LATENCY_MS,
    AVERAGE_LATENCY_MS,
    STDDEV_LATENCY_MS;

    static final String NO_ERROR = "ERROR";
    static final String ERROR_PREFIX = "ERROR: ";

    @Override
    public String toString() {
      return name().replace('_', '-');
    }
  }

  private final String fileName;
  private final String[] columns;

  DbtesterFile(String fileName, String... columns) {
    this.fileName = fileName;
    this.columns = columns;
  }

  String fileName() {
    return fileName;
  }

  String[] columns() {
    return columns.clone();
  }
}
