// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import java.util.Optional;
import java.util.function.Function;

/** The times of an outage, in the order of tables and of {@code faults.csv}. */
public enum OutageMetric {
  WRITES_STOPPED(
      "writes stopped",
      "longest time without an acknowledged write of any client",
      each -> each.writes().map(RequestGaps::longest)),
  FIRST_WRITE(
      "first write",
      "acknowledgment of the first write that was sent after the start of the fault",
      each -> each.writes().map(RequestGaps::first)),
  NEW_LEADER(
      "new leader",
      "when another member first reported that it leads, asked every 10 ms; at the latest when writes"
          + " continued that the old one could not acknowledge",
      Outage::elected),
  MEDIAN_CLIENT(
      "median client",
      "longest time without an acknowledged write of one client: median of all clients",
      each -> each.writes().map(RequestGaps::medianClient)),
  WORST_CLIENT(
      "worst client",
      "the same of the client with the longest time",
      each -> each.writes().map(RequestGaps::worstClient)),
  ALL_CLIENTS_BACK(
      "all clients back",
      "when each client had an acknowledged write that it sent after the start",
      each -> each.writes().map(RequestGaps::allBack)),
  READS_STOPPED(
      "reads stopped",
      "longest time without a linearizable read of any client",
      each -> each.reads().map(RequestGaps::longest)),
  FIRST_READ(
      "first read",
      "result of the first linearizable read that was sent after the start",
      each -> each.reads().map(RequestGaps::first)),
  WORST_READER(
      "worst reading client",
      "longest time without a linearizable read of the client with the longest one",
      each -> each.reads().map(RequestGaps::worstClient)),
  STALE_READS_STOPPED(
      "stale reads stopped",
      "longest time without a stale read of any client",
      each -> each.staleReads().map(RequestGaps::longest)),
  FIRST_STALE_READ(
      "first stale read",
      "result of the first stale read that was sent after the start",
      each -> each.staleReads().map(RequestGaps::first)),
  WORST_STALE_READER(
      "worst client of stale reads",
      "longest time without a stale read of the client with the longest one",
      each -> each.staleReads().map(RequestGaps::worstClient)),
  STABLE_AGAIN(
      "stable again",
      "begin of 5 s, each with 99% of its reads and writes acknowledged within 1 s, a third of their"
          + " usual number, no request that waits, and a p99 of at most twice the one before",
      Outage::stable),
  ALL_MEMBERS_SERVE(
      "all members serve",
      "when every member answered again and had a leader",
      each -> Optional.of(each.serving())),
  CAUGHT_UP(
      "caught up",
      "from the end of the fault until the affected members had applied what the leader had then",
      Outage::caughtUp),
  LATE_REQUESTS(
      "late requests, as time",
      "requests without an acknowledgment 1 s after they were due, divided by the rate",
      Outage::lost),
  LONGEST_RESPONSE(
      "longest response",
      "longest response time; > if a request without a result took longer",
      Outage::longestResponse),
  P99_BEFORE(
      "p99 before", "p99 of the response times in the 10 s before the fault", Outage::calmP99),
  P99_DURING(
      "p99 during",
      "p99 of the response times of requests that were due from the start of the fault on; > if"
          + " more than 1% had no acknowledgment",
      Outage::p99),
  LENGTH(
      "real length",
      "from the start of the fault until its members ran again, or its work was done",
      each -> Optional.of(OutageTime.ofNanos(each.fault().endNanos() - each.fault().startNanos()))),
  STOPPED_BEFORE(
      "writes stopped before",
      "longest time without an acknowledged write just before maintenance, at most as long as its"
          + " effects are observed",
      each -> each.calm().map(Outage.Calm::before)),
  STOPPED_AS_LONG(
      "writes stopped in as long a time",
      "the same from the start of the maintenance on, in an equally long time",
      each -> each.calm().map(Outage.Calm::during));

  private final String title;
  private final String definition;
  private final Function<Outage, Optional<OutageTime>> time;

  OutageMetric(String title, String definition, Function<Outage, Optional<OutageTime>> time) {
    this.title = title;
    this.definition = definition;
    this.time = time;
  }

  /** Returns the name of its row. */
  public String title() {
    return title;
  }

  /** Returns what it is, without a period. */
  public String definition() {
    return definition;
  }

  /** Returns the name of its column, in milliseconds: {@code FIRST-WRITE-MS}. */
  public String column() {
    return name().replace('_', '-') + "-MS";
  }

  /** Returns the time; empty if it does not exist or is not known. */
  public Optional<OutageTime> of(Outage outage) {
    return time.apply(outage);
  }
}
