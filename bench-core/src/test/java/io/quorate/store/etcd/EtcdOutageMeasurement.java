// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Stops an etcd server for a while and measures how long after its return all connections of a
 * client are back. Arguments: EXECUTABLE PORT CONNECTIONS SECONDS, for PORT and the next one; once
 * with the server killed, so that connections are refused, and once with it stopped by SIGSTOP, so
 * that no one answers.
 */
final class EtcdOutageMeasurement {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final List<String> command;
  private final DriverSettings settings;
  private Process server;

  private EtcdOutageMeasurement(String executable, int port, Path data) {
    String clients = "http://127.0.0.1:" + port;
    String peers = "http://127.0.0.1:" + (port + 1);
    this.command =
        List.of(
            executable,
            "--data-dir=" + data,
            "--listen-client-urls=" + clients,
            "--advertise-client-urls=" + clients,
            "--listen-peer-urls=" + peers,
            "--initial-advertise-peer-urls=" + peers,
            "--initial-cluster=default=" + peers,
            "--log-level=error");
    this.settings =
        new DriverSettings(
            new Endpoint("127.0.0.1", port),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Access.PLAIN);
  }

  public static void main(String[] arguments) throws Exception {
    Path data = Files.createTempDirectory("etcd-outage-");
    var measurement = new EtcdOutageMeasurement(arguments[0], Integer.parseInt(arguments[1]), data);
    int count = Integer.parseInt(arguments[2]);
    long seconds = Long.parseLong(arguments[3]);
    measurement.start();
    try {
      for (var kind : EtcdStore.STORE.clients()) {
        try (StoreClient client = kind.start()) {
          List<Connection> connections =
              IntStream.range(0, count)
                  .mapToObj(index -> client.open(measurement.settings))
                  .toList();
          measurement.report(kind + ", killed", measurement.killed(connections, seconds));
          measurement.report(kind + ", silent", measurement.silent(connections, seconds));
          connections.forEach(Connection::close);
        }
      }
    } finally {
      measurement.server.destroyForcibly().waitFor();
      System.out.println("data left in " + data);
    }
  }

  private void start() throws IOException {
    server =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(nowhere()).start();
    server.onExit();
  }

  private static File nowhere() {
    return new File("/dev/null");
  }

  private long killed(List<Connection> connections, long seconds) throws Exception {
    server.destroyForcibly().waitFor();
    askFor(connections, seconds);
    start();
    return nanosUntilAllAnswer(connections);
  }

  private long silent(List<Connection> connections, long seconds) throws Exception {
    signal("STOP");
    askFor(connections, seconds);
    signal("CONT");
    return nanosUntilAllAnswer(connections);
  }

  private void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(server.pid())).start().waitFor();
  }

  /** Keeps asking, as a load does, so that connections notice what has become of the server. */
  private static void askFor(List<Connection> connections, long seconds) throws Exception {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() - until < 0) {
      connections.forEach(EtcdOutageMeasurement::ask);
      Thread.sleep(100);
    }
  }

  /** Measures from the first answer that anybody gets, as that is when the server is back. */
  private static long nanosUntilAllAnswer(List<Connection> connections) throws Exception {
    long limit = System.nanoTime() + LIMIT.toNanos();
    long first = 0;
    boolean[] back = new boolean[connections.size()];
    while (System.nanoTime() - limit < 0) {
      int missing = 0;
      List<CompletableFuture<Boolean>> asked =
          connections.stream().map(EtcdOutageMeasurement::ask).toList();
      for (int i = 0; i < back.length; i++) {
        back[i] |= asked.get(i).get(10, TimeUnit.SECONDS);
        if (back[i] && first == 0) {
          first = System.nanoTime();
        }
        missing += back[i] ? 0 : 1;
      }
      if (missing == 0) {
        return System.nanoTime() - first;
      }
      Thread.sleep(10);
    }
    throw new IllegalStateException("not all connections came back within " + LIMIT);
  }

  private static CompletableFuture<Boolean> ask(Connection connection) {
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    connection.submit(
        new Request.Get("outage".getBytes(US_ASCII), ReadConsistency.SERIALIZABLE),
        new Completion() {
          @Override
          public void answered(Answer answer) {
            answered.complete(true);
          }

          @Override
          public void failed(ErrorKind kind, String message) {
            answered.complete(false);
          }
        });
    return answered;
  }

  private void report(String what, long nanos) {
    System.out.printf(
        Locale.ROOT, "%-16s all connections back %.2f s after the first%n", what, nanos / 1e9);
  }
}
