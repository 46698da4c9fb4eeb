// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.store.Endpoint;
import io.quorate.store.etcd.EtcdStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor on real servers and files. */
class DoctorIT {
  private static final String ALL = "{\"key\":\"AA==\",\"range_end\":\"AA==\",\"keys_only\":true}";

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  @RequiresDatabase("etcd")
  void an_existing_cluster_is_observed_without_requests() throws Exception {
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 1, directory.resolve("servers"))) {
      Endpoint server = cluster.members().get(0).endpoint();
      etcd(server, "put", "{\"key\":\"bWluZQ==\",\"value\":\"dg==\"}");
      long before = revision(etcd(server, "range", ALL));

      InProcessRun observed =
          InProcessRun.run(
              directory,
              "doctor",
              "--duration",
              "5s",
              "--results",
              directory.resolve("results").toString(),
              "--database",
              "etcd",
              "--endpoints",
              server.toString(),
              "--observe");
      assertThat(observed.exitCode()).as(observed.output()).isEqualTo(code(observed.output()));
      assertThat(observed.output())
          .contains("observing etcd for 5 s, without requests")
          .containsPattern("\\d+ checks? ok, \\d+ not in order, \\d+ unknown");
      assertThat(revision(etcd(server, "range", ALL))).isEqualTo(before);
    }
  }

  @Test
  @Nightly // ExistingClusterIT is the smaller one
  @RequiresDatabase("etcd")
  void a_load_on_an_existing_cluster_leaves_only_the_keys_of_others() throws Exception {
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 1, directory.resolve("servers"))) {
      Endpoint server = cluster.members().get(0).endpoint();
      etcd(server, "put", "{\"key\":\"bWluZQ==\",\"value\":\"dg==\"}");
      long before = revision(etcd(server, "range", ALL));

      QuorateProcess loaded = doctor("--database", "etcd", "--endpoints", server.toString());
      assertThat(loaded.exitCode()).as(loaded.output()).isEqualTo(code(loaded.output()));
      assertThat(loaded.output())
          .contains("were removed")
          .containsPattern("\\d+ checks? ok, \\d+ not in order, \\d+ unknown");
      JsonNode left = etcd(server, "range", ALL);
      assertThat(left.path("count").asText()).isEqualTo("1");
      assertThat(left.path("kvs").get(0).path("key").asText()).isEqualTo("bWluZQ==");
      assertThat(revision(left)).isGreaterThan(before);
    }
  }

  @Test
  void a_disk_is_probed_and_the_file_is_removed() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));

    InProcessRun probe = InProcessRun.run(directory, "doctor", "--disk", data.toString());

    assertThat(probe.exitCode()).as(probe.output()).isEqualTo(code(probe.output()));
    assertThat(probe.output()).contains("fio --rw=write").containsPattern("disk-probe +" + data);
    try (Stream<Path> left = Files.list(data)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void what_cannot_be_explained_is_refused() throws Exception {
    for (List<String> wrong :
        List.of(
            List.of("doctor"),
            List.of("doctor", "--endpoints", "127.0.0.1:1"),
            List.of("doctor", "--observe", "results"),
            List.of("doctor", "--duration", "1s", "results"))) {
      InProcessRun refused = InProcessRun.run(directory, wrong.toArray(String[]::new));
      assertThat(refused.exitCode()).as(refused.output()).isEqualTo(2);
    }
    InProcessRun unknown = InProcessRun.run(directory, "doctor", "--explain", "no-such-check");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.output()).contains("found 'no-such-check', expected one of etcd-wal-fsync");
    InProcessRun nothing = InProcessRun.run(directory, "doctor", "nowhere");
    assertThat(nothing.exitCode()).isEqualTo(1);
    assertThat(nothing.output()).contains("nowhere");
  }

  /** Returns 3 if a check of this machine, whatever it is like, was printed as bad. */
  private static int code(String output) {
    return output.lines().anyMatch(line -> line.matches("✗ +[a-z-]+ .*")) ? 3 : 0;
  }

  /** In a process, as it runs a load generator, whose output is asserted. */
  private QuorateProcess doctor(String... options) throws Exception {
    List<String> arguments =
        Stream.concat(
                Stream.of("doctor", "--duration", "5s", "--results", "results"), Stream.of(options))
            .toList();
    return QuorateProcess.run(directory, Map.of(), arguments.toArray(String[]::new));
  }

  private static long revision(JsonNode answer) {
    return answer.path("header").path("revision").asLong();
  }

  private static JsonNode etcd(Endpoint server, String operation, String body) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://" + server + "/v3/kv/" + operation))
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    return new ObjectMapper().readTree(answer.body());
  }
}
