package io.quorate.load;

import io.quorate.QuorateException;
import io.quorate.store.Connection;
import java.util.concurrent.CancellationException;

/**
 * Opens and closes connections while the warm-up runs, as happens between steps. The JVM would
 * otherwise meet that for the first time when the measuring begins, and would then compile much of
 * the path of a request anew.
 */
final class Reconnecting implements AutoCloseable {
  private static final long PAUSE_MILLIS = 500;

  private final Connector connector;
  private final Thread thread = new Thread(this::run, "reconnecting");
  private volatile boolean ended;

  private Reconnecting(Connector connector) {
    this.connector = connector;
  }

  static Reconnecting start(Connector connector) {
    Reconnecting started = new Reconnecting(connector);
    started.thread.setDaemon(true);
    started.thread.start();
    return started;
  }

  private void run() {
    while (!ended) {
      try {
        Thread.sleep(PAUSE_MILLIS);
        connector.open(1, () -> ended).forEach(Connection::close);
      } catch (InterruptedException | CancellationException asked) {
        return;
      } catch (QuorateException unreachable) {
        // whether the servers are there is found out by the requests
      }
    }
  }

  /** Stops opening connections, without waiting. Does not wait. */
  @Override
  public void close() {
    ended = true;
  }
}
