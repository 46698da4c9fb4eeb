package io.quorate.report.plot;

/** The sections of the page with plots, in their order. */
public enum PlotSection {
  CAPACITY,
  THROUGHPUT,
  LATENCY,
  CLIENTS,
  RATES,
  KEYS,
  SERVERS,
  ERRORS
}
