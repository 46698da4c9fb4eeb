package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.measure.Verification;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Endpoint;
import io.quorate.store.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestTest {
  private static final Manifest STARTED = Manifests.of("etcd", "etcd-v3.6.16", 0.01, 1000);

  @TempDir Path directory;

  @Test
  void isWrittenInThisForm() throws IOException {
    STARTED.failed(Manifests.START.plusSeconds(12), "no leader").write(database());

    assertThat(Files.readString(database().manifest()))
        .isEqualTo(
            """
            {
              "formatVersion" : 2,
              "status" : "failed",
              "reason" : "no leader",
              "start" : "2026-11-21T07:51:46Z",
              "end" : "2026-11-21T07:51:58Z",
              "suite" : {
                "version" : "0.1.0",
                "commit" : "f9c4a351",
                "dirty" : true
              },
              "scenario" : {
                "name" : "quick",
                "title" : "Quick look",
                "scale" : 0.01,
                "databases" : [
                  "etcd",
                  "zookeeper",
                  "consul"
                ],
                "text" : "title: Quick\\n"
              },
              "database" : {
                "id" : "etcd",
                "tag" : "etcd-v3.6.16",
                "version" : "3.6.16",
                "members" : [
                  "10.0.0.1:2379",
                  "10.0.0.2:2379"
                ],
                "leaderAtStart" : "10.0.0.2:2379"
              },
              "load" : {
                "operations" : [
                  {
                    "operation" : "put",
                    "weight" : 1
                  }
                ],
                "consistency" : "linearizable",
                "routing" : "spread",
                "requestTimeoutMillis" : 5000,
                "seed" : 42,
                "keyBytes" : 8,
                "valueBytes" : 256,
                "steps" : [
                  {
                    "clients" : 10,
                    "connections" : 2,
                    "requests" : 1000
                  }
                ]
              },
              "loadGenerator" : {
                "host" : "bench-1",
                "os" : "Debian GNU/Linux 12 (bookworm)",
                "kernel" : "6.1.0-18-amd64",
                "cores" : 2,
                "memoryBytes" : 8000000000,
                "jvmVersion" : "17.0.15+6",
                "jvmVendor" : "Debian",
                "jvmFlags" : [
                  "-Xmx256m"
                ]
              }
            }
            """);
  }

  @Test
  void isReadAsItWasWritten() {
    STARTED.write(database());
    assertThat(Manifest.read(database().manifest())).isEqualTo(STARTED);
    assertThat(STARTED.status()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(STARTED.end()).isEmpty();

    Manifest complete = STARTED.completed(Manifests.START.plusSeconds(3));
    complete.write(database());
    assertThat(Manifest.read(database().manifest())).isEqualTo(complete);
    assertThat(complete.status()).isEqualTo(RunStatus.COMPLETE);
  }

  @Test
  void whatCameOfReadingKeysBackIsWrittenInThisFormAndReadAsItWas() throws IOException {
    Manifest verified =
        STARTED.withVerification(Verifications.LOST).failed(Manifests.START.plusSeconds(9), "lost");
    verified.write(database());

    assertThat(Files.readString(database().manifest()))
        .endsWith(
            """
              "verification" : {
                "acknowledgedKeys" : 1000000,
                "chosenKeys" : 100000,
                "readKeys" : 99990,
                "missingKeys" : 1,
                "wrongKeys" : 1,
                "firstFaults" : [
                  {
                    "key" : "00000017",
                    "found" : "it is missing"
                  },
                  {
                    "key" : "00000042",
                    "found" : "the value that was read is empty"
                  }
                ],
                "leastKeyCount" : 1000000,
                "keyCount" : 999999,
                "valuesCompared" : true,
                "obstacle" : "timeout: no answer",
                "elapsedNanos" : 4100000000
              }
            }
            """);
    assertThat(Manifest.read(database().manifest())).isEqualTo(verified);
  }

  @Test
  void moreKeysThatWereReadThanWereChosenAreRefused() throws IOException {
    STARTED
        .withVerification(
            new Verification(
                10, 10, 10, 0, 0, List.of(), 10, OptionalLong.empty(), true, Optional.empty(), 1))
        .write(database());
    Path file = database().manifest();
    Files.writeString(
        file, Files.readString(file).replace("\"chosenKeys\" : 10", "\"chosenKeys\" : 9"));

    assertThatThrownBy(() -> Manifest.read(file))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("no more keys missing and wrong than read, chosen and acknowledged");
  }

  @Test
  void aReasonOfAnInterruptionIsReadAsItWasWritten() {
    STARTED.interrupted("the load generator was ended by signal 9").write(database());
    Manifest killed = Manifest.read(database().manifest());
    assertThat(killed.status()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(killed.reason()).contains("the load generator was ended by signal 9");
    assertThat(killed.end()).isEmpty();
  }

  @Test
  void fieldsOfTheFutureArePassedOver() throws IOException {
    STARTED.write(database());
    String text = Files.readString(database().manifest());
    Files.writeString(
        database().manifest(), text.replace("\"suite\" : {", "\"suite\" : { \"new\" : [ 1 ],"));
    assertThat(Manifest.read(database().manifest())).isEqualTo(STARTED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "\"formatVersion\" : 2 => \"formatVersion\" : 3 => found formatVersion 3, expected 1 or 2: it was"
            + " written by another version of Quorate; use that one to read it",
        "\"seed\" : 42 => \"seed\" : \"x\" => load.seed: found \"x\", expected a whole number",
        "\"seed\" : 42 => \"sead\" : 42 => load.seed: found nothing, expected a whole number",
        "\"cores\" : 2 => \"cores\" : -2 => loadGenerator.cores: found -2, expected 0 or more",
        "\"status\" => \"loadGeneratorCosts\" : [ { \"step\" : 1, \"clients\" : 1, \"requests\" : -1 } ], \"status\""
            + " => loadGeneratorCosts.requests: found -1, expected 0 or more",
        "\"clients\" : 10 => \"clients\" : 1 => load.steps: a step needs clients >= connections",
        "\"interrupted\" => \"done\" => status: found \"done\", expected one of interrupted,",
        "\"start\" : \"2026 => \"start\" : \"26 => start: found \"26-11-21T07:51:46Z\", expected a time",
        "\"dirty\" : true => \"dirty\" : true, \"dirty\" : false => manifest.json:8: found no complete",
      })
  void whatIsWrongIsNamed(String found, String replacement, String message) throws IOException {
    STARTED.write(database());
    String text = Files.readString(database().manifest());
    assertThat(text).contains(found);
    Files.writeString(database().manifest(), text.replace(found, replacement));

    assertThatThrownBy(() -> Manifest.read(database().manifest()))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("manifest.json")
        .hasMessageContaining(message);
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
    Manifest.Load load = OperationSteps.load();
    Manifest watched =
        Manifests.withLoad(
            STARTED,
            new Manifest.Load(
                OperationMix.of(Operation.PUT),
                load.consistency(),
                load.routing(),
                load.requestTimeout(),
                load.seed(),
                load.keyBytes(),
                load.valueBytes(),
                List.of(new Step(4, 2, 100).watchedBy(new WatchLoad(100, 10)))));
    watched.write(database());
    assertThat(Files.readString(database().manifest()))
        .contains("\"watchers\" : 100,")
        .contains("\"watchStreams\" : 10");
    assertThat(Manifest.read(database().manifest())).isEqualTo(watched);
  }

  @Test
  void rangesAndTransactionsAreReadAsTheyWereWritten() {
    Manifest.Load load = OperationSteps.load();
    Manifest.Load others =
        new Manifest.Load(
            new OperationMix(
                List.of(
                    new OperationMix.Share(Operation.RANGE, 1),
                    new OperationMix.Share(Operation.TXN, 3)),
                new OperationMix.RangeShape(100, 10, true),
                5),
            load.consistency(),
            load.routing(),
            load.requestTimeout(),
            load.seed(),
            load.keyBytes(),
            load.valueBytes(),
            load.steps());
    Manifest mixed = Manifests.withLoad(STARTED, others);
    mixed.write(database());
    assertThat(Manifest.read(database().manifest())).isEqualTo(mixed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "\"operation\" : \"get\" => \"operation\" : \"look\" => :34:23: load.operations.operation: found"
            + " \"look\", expected one of put, get, delete, range, compare-and-set, txn",
        "\"operation\" : \"get\" => \"operation\" : \"put\" => load.operations.operation: found \"put\","
            + " expected each operation once",
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
        "\"ratePerSecond\" => \"rate\" => load.steps.clients: found nothing, expected a whole number",
        "poisson => sometimes => load.steps.arrivals: found \"sometimes\", expected one of uniform,"
            + " poisson",
        "\"maxOutstanding\" : 3 => \"maxOutstanding\" : 3000000000 => load.steps.maxOutstanding: found"
            + " 3000000000, expected 1 to 2,147,483,647",
        "\"durationMillis\" : 1000 => \"durationMillis\" : 9223372036854775807 =>"
            + " load.steps.durationMillis: found 9223372036854775807, expected 1 to 2,678,400,000",
        "\"limitPerSecond\" : 500 => \"limitPerSecond\" : null => load.steps.limitPerSecond: found null",
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

  @Test
  void aTruncatedOneIsNamedWithItsLine() throws IOException {
    STARTED.write(database());
    String text = Files.readString(database().manifest());
    Files.writeString(database().manifest(), text.substring(0, 60));
    assertThatThrownBy(() -> Manifest.read(database().manifest()))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("manifest.json:4: found no complete JSON");
  }

  @Test
  void theTagFollowsTheVersionThatTheServersReport() {
    Endpoint member = new Endpoint("10.0.0.1", 2181);
    Manifest.Store store = STARTED.withServers("3.9.5", List.of(member), Optional.empty()).store();
    assertThat(store.tag()).isEqualTo("etcd-v3.9.5");
    assertThat(store.version()).contains("3.9.5");
    assertThat(store.members()).containsExactly("10.0.0.1:2181");
    assertThat(store.leader()).isEmpty();
    assertThat(STARTED.withServers("", List.of(), Optional.empty()).store().tag())
        .isEqualTo("etcd");
    assertThat(STARTED.withTag("etcd-3-zones").store().tag()).isEqualTo("etcd-3-zones");
  }

  @Test
  void membersOfAgentsOnOneMachineShareIt() {
    List<Endpoint> members = List.of(new Endpoint("127.0.0.1", 1), new Endpoint("127.0.0.2", 1));
    Manifest known = STARTED.withServers("3.6.16", members, Optional.empty());
    assertThat(known.store().machines()).containsExactly("127.0.0.1", "127.0.0.2");
    Manifest.Agent agent =
        new Manifest.Agent(
            "127.0.0.1:7301", Optional.of("vm"), "Debian", "6.1", 2, OptionalLong.empty(), "1", 0);
    assertThat(known.withHosting(Manifest.Hosting.AGENTS, List.of(agent, agent)).store().machines())
        .containsExactly("vm", "vm");
  }

  @Test
  void secretsOnTheCommandLineOfTheJvmAreMasked() {
    assertThat(
            HostFacts.masked(
                List.of(
                    "-Xmx1g",
                    "-Detcd.password=a=b\nc",
                    "-Djavax.net.ssl.trustStorePassword=hunter2",
                    "-DAPI_TOKEN=x",
                    "-Dscenario=key-value.yaml")))
        .containsExactly(
            "-Xmx1g",
            "-Detcd.password=***",
            "-Djavax.net.ssl.trustStorePassword=***",
            "-DAPI_TOKEN=***",
            "-Dscenario=key-value.yaml");
  }

  @Test
  void thisMachineAndBuildAreKnown() {
    HostFacts facts = HostFacts.ofThisMachine();
    assertThat(facts.cores()).isPositive();
    assertThat(facts.memoryBytes()).isPresent();
    assertThat(facts.os()).isNotBlank();
    assertThat(facts.jvmVersion()).isNotBlank();
    assertThat(SuiteVersion.ofThisBuild()).isNotNull();
  }

  @Test
  void whatIsNotKnownOfTheBuildIsMissing() {
    assertThat(SuiteVersion.of(new Properties()))
        .isEqualTo(new SuiteVersion(Optional.empty(), Optional.empty(), false));
  }

  private DatabaseDirectory database() {
    return new DatabaseDirectory(directory);
  }
}
