// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

/** The sections of the page with plots, in their order. */
public enum PlotSection {
  CAPACITY("Capacity"),
  FAULTS("Faults"),
  THROUGHPUT("Throughput"),
  LATENCY("Latency"),
  CLIENTS("By number of clients"),
  RATES("By offered rate"),
  KEYS("By number of keys"),
  STALLS("Stalls and their causes"),
  SERVERS("Servers"),
  ERRORS("Errors over time");

  private final String title;

  PlotSection(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
