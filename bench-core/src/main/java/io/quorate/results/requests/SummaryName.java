package io.quorate.results.requests;

/** The names in the latency summary, in its order; errors follow them. */
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
