package io.quorate.report.plot;

/** The sections of the page in which plots stand, in this order. */
public enum PlotSection {
  THROUGHPUT,
  LATENCY,
  CLIENTS,
  RATES,
  KEYS,
  SERVERS,
  ERRORS
}
