package io.quorate.results.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.requests.OperationSteps;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Step;
import io.quorate.scenario.Steps;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The load in a manifest. */
class LoadEntryTest {
  private static final Manifest STARTED = Manifests.of("etcd", "etcd-v3.6.16", 0.01, 1000);

  @TempDir Path directory;

  @Test
  void whether_real_time_priority_was_granted_is_written_and_read() {
    assertThat(STARTED.load().realTime()).isEmpty();
    for (boolean granted : List.of(true, false)) {
      STARTED.withRealTime(granted).write(database());
      assertThat(Manifest.read(database().manifest()).load().realTime()).contains(granted);
    }
  }

  @Test
  void aMixAndItsLoadModelsAreWrittenInThisForm() throws IOException {
    Manifest mixed = Manifests.withLoad(STARTED, OperationSteps.load());
    mixed.write(database());
    assertThat(Files.readString(database().manifest()))
        .contains(
            """
              "load" : {
                "operations" : [
                  {
                    "operation" : "get",
                    "weight" : 60
                  },
                  {
                    "operation" : "put",
                    "weight" : 40
                  }
                ],
                "consistency" : "linearizable",
                "routing" : "spread",
                "requestTimeoutMillis" : 5000,
                "seed" : 42,
                "keyBytes" : 8,
                "keys" : {
                  "count" : 1000,
                  "order" : "hot-set",
                  "prepared" : true,
                  "hotSet" : {
                    "keysPercent" : 10,
                    "requestsPercent" : 90
                  }
                },
                "valueBytes" : 256,
                "client" : {
                  "name" : "http2",
                  "default" : true
                },
                "steps" : [
                  {
                    "clients" : 10,
                    "limitPerSecond" : 500,
                    "connections" : 2,
                    "requests" : 6
                  },
                  {
                    "ratePerSecond" : 8,
                    "arrivals" : "poisson",
                    "maxOutstanding" : 3,
                    "connections" : 4,
                    "requests" : 8,
                    "durationMillis" : 1000
                  }
                ]
              },
            """);
    assertThat(Manifest.read(database().manifest())).isEqualTo(mixed);
  }

  @Test
  void watchersOfAStepAreReadAsTheyWereWritten() throws IOException {
    Manifest watched =
        Manifests.withLoad(
            STARTED, Manifests.load(Steps.closed(4, 2, 100).watchedBy(new WatchLoad(100, 10))));
    watched.write(database());
    assertThat(Files.readString(database().manifest()))
        .contains("\"watchers\" : 100,")
        .contains("\"watchStreams\" : 10");
    assertThat(Manifest.read(database().manifest())).isEqualTo(watched);
  }

  @Test
  void watchersOfThePastAreReadAsTheyWereWritten() throws IOException {
    Manifest watched =
        Manifests.withLoad(
            STARTED, Manifests.load(Steps.closed(4, 2, 100).watchedBy(new WatchLoad(100, 10, 8))));
    watched.write(database());
    assertThat(Files.readString(database().manifest()))
        .contains(
            """
                    "clients" : 4,
                    "connections" : 2,
                    "requests" : 100,
                    "watchers" : 100,
                    "watchStreams" : 10,
                    "watchHistory" : 8
                  }
            """);
    assertThat(Manifest.read(database().manifest())).isEqualTo(watched);
  }

  @Test
  void aConnectionForEachRequestIsReadAsItWasWritten() throws IOException {
    LoadModel model = new LoadModel.Closed(4, OptionalLong.empty(), true);
    Manifest oneShot =
        Manifests.withLoad(STARTED, Manifests.load(new Step(model, 4, 100, Optional.empty())));
    oneShot.write(database());
    assertThat(Files.readString(database().manifest()))
        .contains(
            """
                    "clients" : 4,
                    "connectionPerRequest" : true,
                    "connections" : 4,
                    "requests" : 100
                  }
            """);
    assertThat(Manifest.read(database().manifest())).isEqualTo(oneShot);
  }

  @Test
  void leasesAreReadAsTheyWereWritten() throws IOException {
    OperationMix mix =
        new OperationMix(
            List.of(new OperationMix.Share(Operation.LEASE_KEEPALIVE, 1)),
            OperationMix.ONE_KEY,
            1,
            0,
            new OperationMix.Leases(1000, 60));
    Manifest leased =
        Manifests.withLoad(STARTED, Manifests.load(mix, List.of(Steps.closed(4, 2, 100))));
    leased.write(database());
    assertThat(Files.readString(database().manifest()))
        .contains(
            """
                    "operation" : "lease-keepalive",
                    "weight" : 1
                  }
                ],
                "leases" : 1000,
                "leaseTtlSeconds" : 60,
            """);
    assertThat(Manifest.read(database().manifest())).isEqualTo(leased);
  }

  @Test
  void whatALoadDoesNotHaveIsNotWritten() throws IOException {
    Manifests.withLoad(STARTED, OperationSteps.load()).write(database());
    assertThat(Files.readString(database().manifest()))
        .doesNotContain("connectionPerRequest", "watchHistory", "lease");
  }

  @Test
  void rangesAndTransactionsAreReadAsTheyWereWritten() {
    LoadFacts others =
        Manifests.load(
            new OperationMix(
                List.of(
                    new OperationMix.Share(Operation.RANGE, 1),
                    new OperationMix.Share(Operation.TXN, 3)),
                new OperationMix.RangeShape(100, 10, true),
                5),
            OperationSteps.load().steps());
    Manifest mixed = Manifests.withLoad(STARTED, others);
    mixed.write(database());
    assertThat(Manifest.read(database().manifest())).isEqualTo(mixed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "\"operation\" : \"get\" => \"operation\" : \"look\" => :34:23: load.operations.operation:"
            + " found \"look\", expected one of put, get, delete, range, compare-and-set, txn",
        "\"operation\" : \"get\" => \"operation\" : \"put\" => load.operations.operation: found"
            + " \"put\", expected each operation once",
        "\"weight\" : 60 => \"weight\" : 0 => load.operations.weight: found 0, expected 1 to"
            + " 1,000,000,000",
        "\"weight\" : 60 => \"weight\" : 1e300 => load.operations.weight: found",
        "\"count\" : 1000 => \"count\" : 0 => load.keys.count: found 0, expected 1 to",
        "hot-set => hot => load.keys.order: found \"hot\", expected one of sequential, random,",
        "\"keysPercent\" : 10 => \"keysPercent\" : 100 => load.keys.hotSet.keysPercent: found 100,"
            + " expected 1 to 99",
        "\"ratePerSecond\" : 8 => \"ratePerSecond\" : -8 => load.steps.ratePerSecond: found -8,"
            + " expected 1 to 1,000,000,000",
        "\"ratePerSecond\" => \"clients\" : 4, \"ratePerSecond\" => load.steps.clients: found 4,"
            + " expected nothing, as there is a ratePerSecond",
        "\"ratePerSecond\" => \"rate\" => load.steps.clients: found nothing, expected a whole"
            + " number",
        "poisson => sometimes => load.steps.arrivals: found \"sometimes\", expected one of uniform,"
            + " poisson",
        "\"maxOutstanding\" : 3 => \"maxOutstanding\" : 3000000000 => load.steps.maxOutstanding:"
            + " found 3000000000, expected 1 to 2,147,483,647",
        "\"durationMillis\" : 1000 => \"durationMillis\" : 9223372036854775807 =>"
            + " load.steps.durationMillis: found 9223372036854775807, expected 1 to 2,678,400,000",
        "\"limitPerSecond\" : 500 => \"connectionPerRequest\" : 1 =>"
            + " load.steps.connectionPerRequest: found 1, expected true or false",
        "\"ratePerSecond\" => \"watchers\" : 1, \"watchStreams\" : 1, \"watchHistory\" : 0,"
            + " \"ratePerSecond\" => load.steps.watchHistory: found 0, expected 1 to 2,147,483,647",
        "\"limitPerSecond\" : 500 => \"limitPerSecond\" : null => load.steps.limitPerSecond: found"
            + " null",
      })
  void whatIsWrongInALoadIsNamed(String found, String replacement, String message)
      throws IOException {
    Manifests.withLoad(STARTED, OperationSteps.load()).write(database());
    String text = Files.readString(database().manifest());
    assertThat(text).contains(found);
    Files.writeString(database().manifest(), text.replace(found, replacement));
    assertThatThrownBy(() -> Manifest.read(database().manifest()))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(message);
  }

  private DatabaseDirectory database() {
    return new DatabaseDirectory(directory);
  }
}
