package io.quorate.run;

/** The files about requests, as their client saw them: names and columns, as the reference's. */
enum ClientFile {
  /** A name and a value in each row, no header. */
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
      "MAX-LATENCY-MS"),
  /** Not the reference's, which has no errors per second. */
  ERRORS("errors.csv", "UNIX-SECOND", "CONTROL-CLIENT-NUM", "KIND", "MESSAGE", "COUNT", "TOTAL-MS");

  private final String fileName;
  private final String[] columns;

  ClientFile(String fileName, String... columns) {
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
