// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.requests.OperationSteps;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.Steps;
import io.quorate.scenario.ValueSizes;
import io.quorate.scenario.WatchLoad;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Operation;
import io.quorate.store.ReturnedValue;
import io.quorate.store.etcd.EtcdStore;
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
class LoadInfoTest {
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
  void several_sizes_of_values_are_written_and_read() throws IOException {
    assertThat(STARTED.load().values()).isEqualTo(ValueSizes.fixed(256));
    ValueSizes sizes =
        new ValueSizes(List.of(new ValueSizes.Share(100, 70), new ValueSizes.Share(1024, 30)));
    Scenario scenario =
        ScenarioReader.read(
            "a.yaml",
            """
            title: Some writes
            operation: put
            requests: 1_000
            keys: {size: 16}
            values: {sizes: {100: 70, 1KiB: 30}}
            load: {clients: 10}
            databases: [etcd]
            """,
            1);
    LoadInfo load =
        LoadInfo.of(scenario, scenario.databases().get(0), EtcdStore.STORE.clients().get(0));
    Manifests.withLoad(STARTED, load).write(database());

    LoadInfo read = Manifest.read(database().manifest()).load();
    assertThat(read.values()).isEqualTo(sizes);
    assertThat(read.valueBytes()).isEqualTo(377);
    assertThat(Files.readString(database().manifest())).contains("\"valueSizes\" : {");
  }

  @Test
  void aMixAndItsLoadModelsAreWrittenInThisForm() throws IOException {
    Manifest mixed = Manifests.withLoad(STARTED, OperationSteps.load());
    mixed.write(database());
    assertThat(Files.readString(database().manifest()))
        .contains(
            """
              "load" : {
                "mix" : {
                  "shares" : [
                    {
                      "operation" : "get",
                      "weight" : 60
                    },
                    {
                      "operation" : "put",
                      "weight" : 40
                    }
                  ],
                  "range" : {
                    "keys" : 1,
                    "limit" : 0,
                    "returned" : "entries",
                    "page" : 0
                  },
                  "putsPerTxn" : 1,
                  "revisionsKept" : 0,
                  "leases" : {
                    "count" : 100,
                    "ttlSeconds" : 100
                  }
                },
                "consistency" : "linearizable",
                "routing" : "spread",
                "requestTimeout" : "PT5S",
                "seed" : 42,
                "keyBytes" : 8,
                "valueBytes" : 256,
                "steps" : [
                  {
                    "model" : {
                      "clients" : 10,
                      "limitPerSecond" : 500
                    },
                    "connections" : 2,
                    "requests" : 6
                  },
                  {
                    "model" : {
                      "ratePerSecond" : 8,
                      "arrivals" : "poisson",
                      "maxOutstanding" : 3
                    },
                    "connections" : 4,
                    "requests" : 8,
                    "duration" : "PT1S"
                  }
                ],
                "client" : {
                  "name" : "http2",
                  "default" : true
                },
                "keys" : {
                  "sizeBytes" : 8,
                  "order" : "hotspot",
                  "count" : 1000,
                  "prepared" : true,
                  "hotSet" : {
                    "keysPercent" : 10,
                    "requestsPercent" : 90
                  },
                  "first" : 0,
                  "prefix" : ""
                },
                "onFailure" : "pinned"
              },
            """);
    assertThat(Manifest.read(database().manifest())).isEqualTo(mixed);
  }

  @Test
  void watchersOfAStepAreReadAsTheyWereWritten() throws IOException {
    Manifest watched =
        Manifests.withLoad(
            STARTED, Manifests.load(Steps.watched(4, 2, 100, new WatchLoad(100, 10, 0))));
    watched.write(database());
    assertThat(Files.readString(database().manifest()))
        .contains("\"watchers\" : 100,")
        .contains("\"streams\" : 10");
    assertThat(Manifest.read(database().manifest())).isEqualTo(watched);
  }

  @Test
  void watchersOfThePastAreReadAsTheyWereWritten() throws IOException {
    Manifest watched =
        Manifests.withLoad(
            STARTED, Manifests.load(Steps.watched(4, 2, 100, new WatchLoad(100, 10, 8))));
    watched.write(database());
    assertThat(Files.readString(database().manifest()))
        .contains(
            """
                    "watch" : {
                      "watchers" : 100,
                      "streams" : 10,
                      "history" : 8
                    }
                  }
            """);
    assertThat(Manifest.read(database().manifest())).isEqualTo(watched);
  }

  @Test
  void aConnectionForEachRequestIsReadAsItWasWritten() throws IOException {
    LoadModel model = new LoadModel.Closed(4, OptionalLong.empty(), true, Optional.empty());
    Manifest oneShot =
        Manifests.withLoad(STARTED, Manifests.load(new Step(model, 4, 100, Optional.empty())));
    oneShot.write(database());
    assertThat(Files.readString(database().manifest()))
        .contains(
            """
                    "model" : {
                      "clients" : 4,
                      "connectionPerRequest" : true
                    },
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
                  "leases" : {
                    "count" : 1000,
                    "ttlSeconds" : 60
                  }
            """);
    assertThat(Manifest.read(database().manifest())).isEqualTo(leased);
  }

  @Test
  void whatALoadDoesNotHaveIsNotWritten() throws IOException {
    Manifests.withLoad(STARTED, OperationSteps.load()).write(database());
    assertThat(Files.readString(database().manifest()))
        .doesNotContain("\"connectionPerRequest\"", "\"history\"");
  }

  @Test
  void rangesAndTransactionsAreReadAsTheyWereWritten() {
    LoadInfo others =
        Manifests.load(
            new OperationMix(
                List.of(
                    new OperationMix.Share(Operation.RANGE, 1),
                    new OperationMix.Share(Operation.TXN, 3)),
                new OperationMix.RangeShape(100, 10, ReturnedValue.COUNT, 0, false),
                5,
                0,
                OperationMix.USUAL_LEASES),
            OperationSteps.load().steps());
    Manifest mixed = Manifests.withLoad(STARTED, others);
    mixed.write(database());
    assertThat(Manifest.read(database().manifest())).isEqualTo(mixed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "\"operation\" : \"get\" => \"operation\" : \"look\" => load.mix.shares[0].operation: found"
            + " the text 'look', expected one of put, get, exists, delete, range, compare-and-set, txn",
        "\"operation\" : \"get\" => \"operation\" : \"put\" => load.mix: expected each operation"
            + " once",
        "\"weight\" : 60 => \"weight\" : 0 => load.mix: expected each operation once, with a"
            + " weight",
        "\"weight\" : 60 => \"weight\" : 1e300 => load.mix.shares[0].weight: found",
        "\"count\" : 1000 => \"count\" : 0 => load.keys: a key space needs",
        "hotspot => hot => load.keys.order: found the text 'hot', expected one of sequential,"
            + " random,",
        "\"keysPercent\" : 10 => \"keysPercent\" : 100 => load.keys.hotSet: a hot set needs",
        "\"ratePerSecond\" : 8 => \"ratePerSecond\" : -8 => load.steps[1].model: an open loop needs"
            + " a",
        "\"ratePerSecond\" => \"clients\" : 4, \"ratePerSecond\" =>"
            + " load.steps[1].model.ratePerSecond: found a field that is not known, expected"
            + " [clients,",
        "\"ratePerSecond\" => \"rate\" => load.steps[1].model.ratePerSecond: found nothing",
        "poisson => sometimes => load.steps[1].model.arrivals: found the text 'sometimes', expected"
            + " one of constant, poisson",
        "\"maxOutstanding\" : 3 => \"maxOutstanding\" : 3000000000 =>"
            + " load.steps[1].model.maxOutstanding: found 3000000000, expected a whole number from",
        "\"duration\" : \"PT1S\" => \"duration\" : 1000 => load.steps[1].duration: found 1000,"
            + " expected a duration up to 292 years such as PT5S",
        "\"duration\" : \"PT1S\" => \"duration\" : \"1 s\" => load.steps[1].duration: found the"
            + " text '1 s'",
        "\"limitPerSecond\" : 500 => \"connectionPerRequest\" : 1 =>"
            + " load.steps[0].model.connectionPerRequest: found 1, expected true or false",
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
