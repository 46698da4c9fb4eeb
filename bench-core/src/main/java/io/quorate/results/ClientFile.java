package io.quorate.results;

/** The files about requests as seen by the client: names and columns, most as the reference's. */
public enum ClientFile {
  /** A name and a value in each row, without a header. */
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
  /** Errors per second, which the reference does not have. */
  ERRORS(
      "errors.csv",
      "STEP",
      "OPERATION",
      "UNIX-SECOND",
      "CONTROL-CLIENT-NUM",
      "KIND",
      "MESSAGE",
      "COUNT",
      "TOTAL-MS"),
  /** The time series of each operation. */
  REQUESTS(
      "requests.csv",
      "STEP",
      "OPERATION",
      "UNIX-SECOND",
      "CONTROL-CLIENT-NUM",
      "SHED",
      "SUCCEEDED",
      "FAILED",
      "MIN-LATENCY-MS",
      "AVG-LATENCY-MS",
      "MAX-LATENCY-MS"),
  /** Events of the watchers of each step; only runs with watchers have it. */
  WATCH(
      "watch.csv",
      "STEP",
      "WATCHERS",
      "STREAMS",
      "CREATED-NANOSECONDS",
      "EXPECTED",
      "DELIVERED",
      "COALESCED",
      "LOST",
      "DUPLICATED",
      "REORDERED",
      "BEFORE-ACKNOWLEDGEMENT",
      "INTERRUPTIONS",
      "DRAIN-NANOSECONDS"),
  /** Results of each operation of each step. */
  STEPS(
      "steps.csv",
      "STEP",
      "OPERATION",
      "CONTROL-CLIENT-NUM",
      "INTENDED",
      "SHED",
      "SUCCEEDED",
      "FAILED",
      "DURATION-NANOSECONDS",
      "TIME-SERIES-ROWS",
      "LONGEST-NANOSECONDS-WITHOUT-SUCCESS",
      "STALLED-NANOSECONDS"),
  /** Requests that are tried until they succeed; there if the scenario has some. */
  ATTEMPTS("attempts.csv", "STEP", "OPERATION", "REQUESTS", "ATTEMPTS", "CONFLICTS");

  private final String fileName;
  private final String[] columns;

  ClientFile(String fileName, String... columns) {
    this.fileName = fileName;
    this.columns = columns;
  }

  public String fileName() {
    return fileName;
  }

  public String[] columns() {
    return columns.clone();
  }
}
