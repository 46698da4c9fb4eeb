package io.quorate.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quorate.measure.RunClock;
import io.quorate.measure.Verification;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ScenarioReader;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A load that was made on one server, whose keys can be changed behind its back. */
final class VerifiedLoad implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Load load;
  private final Connection behind;

  /** Prepares the load of the only database of a scenario, and makes all of it. */
  VerifiedLoad(String scenario, StoreClient client, Endpoint endpoint) throws Exception {
    Scenario read = ScenarioReader.read("verified.yaml", scenario, 1);
    load = new Load(read, read.databases().get(0), RunClock.start());
    load.connectTo(new Connector(client, List.of(endpoint), LIMIT, Access.PLAIN));
    load.prepare();
    for (LoadStep step : load.steps()) {
      List<CompletableFuture<Void>> ends = new ArrayList<>();
      for (int i = 0; i < step.step().clients(); i++) {
        ends.add(step.join(new RequestLog(RequestListener.NOBODY)));
      }
      for (CompletableFuture<Void> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
    }
    behind = client.open(new DriverSettings(endpoint, LIMIT, LIMIT, Access.PLAIN));
  }

  Load load() {
    return load;
  }

  Verification verify() {
    return load.verify(VerificationLimits.AFTER_FAILURE, (read, all) -> {}).orElseThrow();
  }

  static byte[] key(int number) {
    return "%016d".formatted(number).getBytes(US_ASCII);
  }

  byte[] read(int number) throws Exception {
    return ended(
            done -> behind.submit(Request.get(key(number), ReadConsistency.LINEARIZABLE), done))
        .clone();
  }

  void write(int number, byte[] value) throws Exception {
    ended(done -> behind.submit(Request.update(key(number), value), done));
  }

  void create(int number, byte[] value) throws Exception {
    ended(done -> behind.submit(Request.create(key(number), value), done));
  }

  void remove(int number) throws Exception {
    ended(done -> behind.submit(Request.delete(key(number)), done));
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
