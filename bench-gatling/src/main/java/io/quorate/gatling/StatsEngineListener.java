package io.quorate.gatling;

import io.gatling.commons.stats.Status;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import io.quorate.store.ErrorKind;
import scala.Option;

/** Passes each request of one virtual user to Gatling's statistics, for its HTML report. */
final class StatsEngineListener implements RequestListener {
  private static final Status OK = Status.apply("OK");
  private static final Status KO = Status.apply("KO");

  private final StatsEngine engine;
  private final KeyValueProtocol protocol;
  private final Session session;
  private final String requestName;

  StatsEngineListener(
      StatsEngine engine, KeyValueProtocol protocol, Session session, String requestName) {
    this.engine = engine;
    this.protocol = protocol;
    this.session = session;
    this.requestName = requestName;
  }

  @Override
  public void succeeded(long startNanos, long endNanos) {
    log(startNanos, endNanos, OK, Option.empty());
  }

  @Override
  public void failed(long startNanos, long endNanos, ErrorKind kind, String message) {
    log(startNanos, endNanos, KO, Option.apply(kind.label() + ": " + message));
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
