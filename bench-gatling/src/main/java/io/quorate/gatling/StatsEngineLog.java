package io.quorate.gatling;

import io.gatling.commons.stats.Status;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import io.quorate.driver.ErrorKind;
import scala.Option;

/**
 * Tells Gatling's statistics of each request of one virtual user, for its HTML report. Successes
 * are told some at a time: Gatling hands each to a thread of its own, and to wake that thread for
 * every request costs more than all that it does then.
 */
final class StatsEngineLog implements RequestLog {
  private static final Status OK = Status.apply("OK");
  private static final Status KO = Status.apply("KO");
  private static final int AT_ONCE = 64;

  private final StatsEngine engine;
  private final KeyValueProtocol protocol;
  private final Session session;
  private final String requestName;
  private final long[] startNanos = new long[AT_ONCE];
  private final long[] endNanos = new long[AT_ONCE];
  private int kept;

  StatsEngineLog(
      StatsEngine engine, KeyValueProtocol protocol, Session session, String requestName) {
    this.engine = engine;
    this.protocol = protocol;
    this.session = session;
    this.requestName = requestName;
  }

  @Override
  public void succeeded(long start, long end) {
    startNanos[kept] = start;
    endNanos[kept] = end;
    if (++kept == AT_ONCE) {
      ended();
    }
  }

  @Override
  public void ended() {
    for (int i = 0; i < kept; i++) {
      log(startNanos[i], endNanos[i], OK, Option.empty());
    }
    kept = 0;
  }

  @Override
  public void failed(long start, long end, ErrorKind kind, String message) {
    log(start, end, KO, Option.apply(kind.label() + ": " + message));
  }

  private void log(long start, long end, Status status, Option<String> message) {
    engine.logResponse(
        session.scenario(),
        session.groups(),
        requestName,
        protocol.millis(start),
        protocol.millis(end),
        status,
        Option.empty(),
        message);
  }
}
