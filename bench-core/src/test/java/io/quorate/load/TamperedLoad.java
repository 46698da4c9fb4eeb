// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quorate.load.verify.ReadBack;
import io.quorate.load.workload.WrittenKeys;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.Verification;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.yaml.ScenarioReader;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A load on one server, whose keys can be changed behind its back. */
public final class TamperedLoad implements AutoCloseable {
  /** A scenario in memory whose 1,000 requests create a key each, in two steps. */
  public static final String CREATES =
      """
      title: Creates
      operation: put
      requests: 1000
      warm-up: 20
      cold-start: true
      keys: {size: 16, distribution: random}
      values: {size: 64}
      load: {steps: [1, 4]}
      databases: [memory]
      """;

  /** A scenario in memory whose requests write 10 keys again and again. */
  public static final String UPDATES =
      CREATES
          .replace("requests: 1000", "requests: 20000")
          .replace("distribution: random", "count: 10")
          .replace("steps: [1, 4]", "clients: 4");

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final StoreLoad database;
  private final String prefix;
  private final Load load;
  private final Connection behind;

  /** Prepares the load of the only database of a scenario. */
  public TamperedLoad(String scenario, StoreClient client, Endpoint endpoint) {
    this(scenario, client, endpoint, "");
  }

  /**
   * Prepares the load of the only database of a scenario, on a server that other tests use as well.
   *
   * @param prefix common prefix of the keys, which ends with a slash and is part of their size
   */
  public TamperedLoad(String scenario, StoreClient client, Endpoint endpoint, String prefix) {
    Scenario read = ScenarioReader.read("tampered.yaml", scenario, 1);
    this.database = read.databases().get(0);
    this.prefix = prefix;
    LoadShare whole = LoadShare.whole(read, database);
    if (!prefix.isEmpty()) {
      client.enter(new DriverSettings(endpoint, LIMIT, LIMIT, Access.PLAIN), prefix);
      whole = whole.below(prefix);
    }
    load = new Load(whole, RunClock.start());
    load.connectTo(new Connector(client, List.of(endpoint), LIMIT, Access.PLAIN));
    load.prepare();
    behind = client.open(new DriverSettings(endpoint, LIMIT, LIMIT, Access.PLAIN));
  }

  /** Prepares the load of a scenario in memory, and makes all of it. */
  public static TamperedLoad made(String scenario, StoreClient memory) throws Exception {
    TamperedLoad load = new TamperedLoad(scenario, memory, new Endpoint("127.0.0.1", 1));
    load.make();
    return load;
  }

  /** Makes all of the load; returns what the last step measured. */
  public StepMeasurement make() throws Exception {
    for (RunningStep step : load.steps()) {
      List<CompletableFuture<Void>> ends = new ArrayList<>();
      for (int i = 0; i < step.step().clients(); i++) {
        ends.add(step.join(new RequestLog(RequestListener.NOBODY)));
      }
      for (CompletableFuture<Void> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
    }
    return load.steps().get(load.steps().size() - 1).recorder().measurement();
  }

  /** Returns the first step. */
  public RunningStep firstStep() {
    return load.steps().get(0);
  }

  /** Returns the keys that were written, as of {@link Load#writtenKeys}. */
  public Optional<WrittenKeys> writtenKeys() {
    return load.writtenKeys();
  }

  /** Reads the keys back that were written. */
  public Verification verify() {
    return new ReadBack(writtenKeys().orElseThrow(), ReadBack.Limits.AFTER_FAILURE, (n, of) -> {})
        .run(load.connector(), database.database());
  }

  private byte[] key(int number) {
    return (prefix + "%016d".formatted(number)).getBytes(US_ASCII);
  }

  public byte[] read(int number) throws Exception {
    return ended(
            done -> behind.submit(new Request.Get(key(number), ReadConsistency.LINEARIZABLE), done))
        .clone();
  }

  public void write(int number, byte[] value) throws Exception {
    ended(done -> behind.submit(Request.update(key(number), value), done));
  }

  public void create(int number, byte[] value) throws Exception {
    ended(done -> behind.submit(Request.create(key(number), value), done));
  }

  public void remove(int number) throws Exception {
    ended(done -> behind.submit(new Request.Delete(key(number)), done));
  }

  private static byte[] ended(Consumer<Completion> request) throws Exception {
    CompletableFuture<byte[]> end = new CompletableFuture<>();
    request.accept(new End(end));
    return end.get(30, TimeUnit.SECONDS);
  }

  private record End(CompletableFuture<byte[]> value) implements Completion {
    @Override
    public void answered(Answer answer) {
      if (answer instanceof Answer.Found found) {
        value.complete(found.value());
      } else if (answer instanceof Answer.Written) {
        value.complete(new byte[0]);
      } else {
        value.completeExceptionally(new AssertionError(answer));
      }
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      value.completeExceptionally(new AssertionError(kind + ": " + message));
    }
  }

  @Override
  public void close() {
    behind.close();
  }
}
