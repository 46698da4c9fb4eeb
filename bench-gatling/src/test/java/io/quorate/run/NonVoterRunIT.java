// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to a member without a vote, compared with what the members have counted. */
class NonVoterRunIT {
  private static final int REQUESTS = 500;

  private static final String SCENARIO =
      """
      title: Reads from a member without a vote
      operation: get
      requests: 500
      keys: {size: 32, count: 100}
      values: {size: 64}
      consistency: serializable
      warm-up: 1
      cold-start: true
      timeout: 60s
      routing: non-voter
      load: {clients: 3}
      databases: [%s]
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  @RequiresDatabase("etcd")
  void a_learner_of_etcd_answers_all_reads_and_the_majority_stays() throws Exception {
    Pattern reads =
        Pattern.compile(
            "grpc_server_handled_total\\{grpc_code=\"OK\",grpc_method=\"Range\"[^}]*} (\\d+)");
    Pattern puts =
        Pattern.compile(
            "grpc_server_handled_total\\{grpc_code=\"OK\",grpc_method=\"Put\"[^}]*} (\\d+)");
    try (Cluster cluster = cluster(EtcdStore.STORE)) {
      Member learner = cluster.members().get(3);
      String listed = http(cluster.members().get(0), "/v3/cluster/member/list", "{}");
      assertThat(listed.split("peerURLs", -1)).hasSize(5);
      assertThat(listed.split("\"isLearner\":true", -1)).hasSize(2);

      ServerInfo servers = run(cluster);

      assertThat(servers.nonVoters()).contains(List.of(learner.endpoint().toString()));
      String counted = http(learner, "/metrics", "");
      // the first read of a cluster shows whether its user may read
      assertThat(sum(reads, counted)).isBetween(REQUESTS, REQUESTS + 10);
      assertThat(sum(puts, counted)).isZero();
      int written = 0;
      for (Member voter : cluster.members().subList(0, 3)) {
        String votersCount = http(voter, "/metrics", "");
        assertThat(sum(reads, votersCount)).isLessThan(10);
        written += sum(puts, votersCount);
      }
      assertThat(written).isGreaterThanOrEqualTo(100);
    }
  }

  @Test
  void an_observer_of_ZooKeeper_answers_all_reads_and_the_majority_stays() throws Exception {
    Pattern received = Pattern.compile("zk_packets_received\t(\\d+)");
    try (Cluster cluster = cluster(ZooKeeperStore.STORE)) {
      Member observer = cluster.members().get(3);
      String leader = word("mntr", cluster.leader().orElseThrow().endpoint());
      assertThat(leader).contains("zk_synced_followers\t2").contains("zk_synced_observers\t1");
      assertThat(word("conf", observer.endpoint())).contains("peerType=1");

      ServerInfo servers = run(cluster);

      assertThat(servers.nonVoters()).contains(List.of(observer.endpoint().toString()));
      assertThat(sum(received, word("mntr", observer.endpoint()))).isGreaterThan(REQUESTS);
      for (Member voter : cluster.members().subList(0, 3)) {
        assertThat(sum(received, word("mntr", voter.endpoint()))).isLessThan(REQUESTS);
      }
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void a_run_starts_a_member_without_a_vote_in_addition_to_the_members() throws Exception {
    Files.writeString(directory.resolve("non-voter.yaml"), SCENARIO.formatted("etcd, zookeeper"));
    InProcessRun run = InProcessRun.run(directory, "run", "non-voter.yaml", "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).contains("4 members, 1 without a vote");
    for (String store : List.of("etcd", "zookeeper")) {
      DatabaseRun found = DatabaseRun.read(run.onlyRun("non-voter").resolve(store));
      ServerInfo servers = found.manifest().store().servers();
      assertThat(servers.members()).hasSize(4);
      assertThat(servers.nonVoters()).contains(List.of(servers.members().get(3)));
      assertThat(found.clients().orElseThrow().errorCount()).isZero();
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void a_cluster_whose_members_all_vote_is_refused() throws Exception {
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 1, directory.resolve("servers"))) {
      InProcessRun run = start(cluster);

      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.output())
          .contains("the scenario routes to members without a vote, but all of these have one");
    }
  }

  private Cluster cluster(Store store) {
    return TestServers.startWithNonVoter(store, directory.resolve("servers"));
  }

  private ServerInfo run(Cluster cluster) throws IOException {
    InProcessRun run = start(cluster);
    assertThat(run.exitCode()).as(run.output()).isZero();
    DatabaseRun found = DatabaseRun.read(run.onlyRun("non-voter").resolve(cluster.database().id()));
    assertThat(found.clients().orElseThrow().errorCount()).isZero();
    return found.manifest().store().servers();
  }

  private InProcessRun start(Cluster cluster) throws IOException {
    Files.writeString(
        directory.resolve("non-voter.yaml"), SCENARIO.formatted(cluster.database().id()));
    return InProcessRun.run(
        directory,
        "run",
        "non-voter.yaml",
        "--endpoints",
        cluster.members().stream()
            .map(each -> each.endpoint().toString())
            .collect(Collectors.joining(",")),
        "--keep-keys",
        "--results",
        "results");
  }

  private static int sum(Pattern pattern, String text) {
    int sum = 0;
    for (Matcher found = pattern.matcher(text); found.find(); ) {
      sum += Integer.parseInt(found.group(1));
    }
    return sum;
  }

  private static String http(Member member, String path, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + member.endpoint() + path));
    if (!body.isEmpty()) {
      request.POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static String word(String word, Endpoint server) throws IOException {
    try (Socket socket = new Socket(server.host(), server.port())) {
      socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
