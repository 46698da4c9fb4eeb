package io.quorate.gatling;

import io.gatling.commons.stats.Status;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import io.quorate.load.RequestListener;
import io.quorate.store.ErrorKind;
import java.util.List;
import scala.Option;

/** Passes each request of one virtual user to Gatling's statistics, for its HTML report. */
public final class StatsEngineListener implements RequestListener {
  private static final Status OK = Status.apply("OK");
  private static final Status KO = Status.apply("KO");

  private final StatsEngine engine;
  private final KeyValueProtocol protocol;
  private final Session session;
  private final List<String> requestNames;

  /**
   * @param requestNames the name of the requests of each operation
   */
  public StatsEngineListener(
      StatsEngine engine, KeyValueProtocol protocol, Session session, List<String> requestNames) {
    this.engine = engine;
    this.protocol = protocol;
    this.session = session;
    this.requestNames = List.copyOf(requestNames);
  }

  @Override
  public void succeeded(int operation, long startNanos, long endNanos) {
    log(operation, startNanos, endNanos, OK, Option.empty());
  }

  @Override
  public void failed(
      int operation, long startNanos, long endNanos, ErrorKind kind, String message) {
    log(operation, startNanos, endNanos, KO, Option.apply(kind.label() + ": " + message));
  }

  private void log(int operation, long start, long end, Status status, Option<String> message) {
    engine.logResponse(
        session.scenario(),
        session.groups(),
        requestNames.get(operation),
        protocol.millis(start),
        protocol.millis(end),
        status,
        Option.empty(),
        message);
  }
}
