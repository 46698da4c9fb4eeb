// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quorate.cluster.Await;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.LocalCluster;
import io.quorate.cluster.SharedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/**
 * A shared cluster of one member for the tests of a contract, and connections and streams to it,
 * which are closed after each test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoreContract {
  /** Time limit of requests and connections, generous enough for a busy machine. */
  static final Duration LONG = Duration.ofSeconds(60);

  private final List<Connection> opened = new ArrayList<>();
  private final List<Subscriptions> streams = new ArrayList<>();
  private StoreClient client;

  final Store database;
  private Cluster cluster;
  private Endpoint server;

  StoreContract(Store database) {
    this.database = database;
  }

  @BeforeAll
  void start() {
    server = startServer();
  }

  @AfterEach
  void closeAll() {
    streams.forEach(Subscriptions::close);
    streams.clear();
    opened.forEach(Connection::close);
    opened.clear();
    if (client != null) {
      client.close();
      client = null;
    }
  }

  protected final Endpoint endpoint() {
    return server;
  }

  /** For a store that {@link LocalCluster} does not know. */
  protected Endpoint startServer() {
    cluster = SharedCluster.of(database, 1, security());
    return cluster.members().get(0).endpoint();
  }

  /** For servers that speak TLS. */
  protected Security security() {
    return Security.NONE;
  }

  /** Returns how clients get in. */
  protected final Access access() {
    return cluster == null ? Access.PLAIN : cluster.access();
  }

  /** For another client than the default one. */
  protected StoreClient startClient() {
    return database.clients().get(0).start();
  }

  protected final Connection connect(DriverSettings settings) {
    return client().open(settings);
  }

  final StoreClient client() {
    if (client == null) {
      client = startClient();
    }
    return client;
  }

  /** A connection that is closed after the test; its deadlines are far away. */
  protected final Connection open() {
    return open(endpoint(), LONG);
  }

  protected final Connection open(Endpoint endpoint, Duration requestTimeout) {
    Connection driver = connect(new DriverSettings(endpoint, requestTimeout, LONG, access()));
    opened.add(driver);
    return driver;
  }

  final Subscriptions stream(Endpoint endpoint) {
    Subscriptions stream = client().subscribe(new DriverSettings(endpoint, LONG, LONG, access()));
    streams.add(stream);
    return stream;
  }

  public static RecordedCompletion started(Consumer<Completion> request) {
    var completion = new RecordedCompletion();
    request.accept(completion);
    return completion;
  }

  public static String ended(Consumer<Completion> request) {
    return started(request).outcome();
  }

  public static String read(Connection driver, byte[] key) {
    return ended(done -> driver.submit(new Request.Get(key, ReadConsistency.LINEARIZABLE), done));
  }

  public static byte[] freshKey() {
    return utf8(String.format(Locale.ROOT, "key-%016x", ThreadLocalRandom.current().nextLong()));
  }

  public static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  public static void await(String what, BooleanSupplier condition) {
    Await.until(what, Duration.ofSeconds(60), condition);
  }
}
