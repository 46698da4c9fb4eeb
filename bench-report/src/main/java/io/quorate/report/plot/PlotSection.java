package io.quorate.report.plot;

/** Where on the page a plot stands, in this order. */
public enum PlotSection {
  THROUGHPUT,
  LATENCY,
  CLIENTS,
  KEYS,
  SERVERS,
  ERRORS
}
