// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.measure.Verification;
import io.quorate.results.DatabaseDirectory;
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
              "formatVersion" : 3,
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
                "limits" : [ ],
                "text" : "title: Quick\\n"
              },
              "database" : {
                "id" : "etcd",
                "tag" : "etcd-v3.6.16",
                "servers" : {
                  "version" : "3.6.16",
                  "members" : [
                    "10.0.0.1:2379",
                    "10.0.0.2:2379"
                  ],
                  "leaderAtStart" : "10.0.0.2:2379",
                  "agents" : [ ]
                },
                "settings" : { }
              },
              "load" : {
                "mix" : {
                  "shares" : [
                    {
                      "operation" : "put",
                      "weight" : 1
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
                      "clients" : 10
                    },
                    "connections" : 2,
                    "requests" : 1000
                  }
                ],
                "client" : {
                  "name" : "http2",
                  "default" : true
                },
                "keys" : {
                  "sizeBytes" : 8,
                  "order" : "sequential",
                  "count" : 1000,
                  "prepared" : false,
                  "hotSet" : {
                    "keysPercent" : 20,
                    "requestsPercent" : 80
                  },
                  "first" : 0,
                  "prefix" : ""
                },
                "onFailure" : "pinned"
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
              },
              "loadGeneratorCosts" : [ ],
              "shards" : [ ],
              "files" : {
                "attempts.csv" : 1,
                "errors.csv" : 1,
                "events.jsonl" : 1,
                "faults.jsonl" : 1,
                "history.bin" : 1,
                "latency.hlog" : 1,
                "locks.jsonl" : 1,
                "seconds.csv" : 1,
                "server-disk-space-usage-summary.csv" : 1,
                "server-internals.csv" : 1,
                "sessions.jsonl" : 1,
                "steps.csv" : 1,
                "system-metrics.csv" : 1,
                "tenths.csv" : 1,
                "trials.jsonl" : 1,
                "watch.csv" : 1,
                "watched.jsonl" : 1,
                "zone-traffic.jsonl" : 1
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
        .contains(
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
              },
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

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "\"formatVersion\" : 3 => \"formatVersion\" : 2 => found formatVersion 2, expected 3: it was"
            + " written by another version of Quorate; use that one to read it",
        "\"formatVersion\" : 3 => \"formatVersion\" : 4 => found formatVersion 4, expected 3: it was"
            + " written by a newer version of Quorate; update Quorate to read it",
        "\"seconds.csv\" : 1 => \"seconds.csv\" : 2 => files: found version 2 of seconds.csv, expected"
            + " at most 1: it was written by a newer version of Quorate; update Quorate to read it",
        "\"seed\" : 42 => \"seed\" : \"x\" => load.seed: found the text 'x', expected a whole number",
        "\"seed\" : 42 => \"sead\" : 42 => load.seed: found nothing, expected a whole",
        "\"seed\" : 42, => '' => load.seed: found nothing, expected a whole number",
        "\"dirty\" : true => \"dirty\" : 1 => :8:15: suite.dirty: found 1, expected true or false",
        "\"clients\" : 10 => \"clients\" : 1 => load.steps[0]: a step needs clients >= connections",
        "\"interrupted\" => \"done\" => status: found the text 'done', expected one of interrupted,",
        "\"start\" : \"2026 => \"start\" : \"26 => start: found the text '26-11-21T07:51:46Z', expected a time",
        "\"dirty\" : true => \"dirty\" : true, \"dirty\" : false => found no complete JSON: Duplicate",
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
  void withoutVersionsOfFilesOrWithThoseOfUnknownFilesItIsRead() throws IOException {
    STARTED.write(database());
    String text = Files.readString(database().manifest());
    Files.writeString(
        database().manifest(), text.replaceFirst("(?s),\\s*\"files\" : [{].*?[}]", ""));
    assertThat(Manifest.read(database().manifest()).files()).isEmpty();
    Files.writeString(
        database().manifest(), text.replace("watched.jsonl\" : 1", "later.csv\" : 2"));
    assertThat(Manifest.read(database().manifest()).files().orElseThrow())
        .containsEntry("later.csv", 2);
  }

  @Test
  void aTruncatedOneIsNamedWithItsLine() throws IOException {
    STARTED.write(database());
    String text = Files.readString(database().manifest());
    Files.writeString(database().manifest(), text.substring(0, 60));
    assertThatThrownBy(() -> Manifest.read(database().manifest()))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("manifest.json:4:");
  }

  private DatabaseDirectory database() {
    return new DatabaseDirectory(directory);
  }
}
