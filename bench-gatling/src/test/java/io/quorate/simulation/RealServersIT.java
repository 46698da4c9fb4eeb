package io.quorate.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.run.DatabaseRun;
import io.quorate.run.Manifest;
import io.quorate.run.RunStatus;
import io.quorate.run.StepRow;
import io.quorate.store.Store;
import io.quorate.store.cetcd.CetcdStore;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ramp that the suite exists for, and what happens when a part of it is killed. */
class RealServersIT {
  private static final String RAMP =
      """
      title: One to a thousand clients
      operation: write
      requests: 100000
      warm-up: 2000
      keys: {size: 64}
      values: {size: 256}
      load: {steps: [1, 10, 50, 100, 300, 500, 700, 1000]}
      databases: [etcd, zookeeper]
      timeout: 60s
      """;

  private static final String THOUSAND =
      """
      title: A thousand clients
      operation: write
      requests: 10000
      warm-up: 2000
      keys: {size: 64}
      values: {size: 256}
      load: {clients: 1000}
      databases: [consul, zetcd]
      timeout: 60s
      """;

  private static final String ENDLESS =
      """
      title: Long enough to be killed
      operation: write
      requests: 100000000
      warm-up: 100
      keys: {size: 64}
      values: {size: 256}
      load: {clients: 10}
      databases: [etcd, zookeeper]
      """;

  /** A line of progress has figures; the files were written before it. */
  private static final String A_REQUEST_HAS_ENDED = " ms  p99 ";

  private static final Duration STALL = Duration.ofSeconds(3);
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void a_ramp_to_1000_clients_leaves_100000_keys_in_zookeeper_and_no_error() throws Exception {
    ramp(ZooKeeperStore.STORE, RealServersIT::zooKeeperKeys);
  }

  @Test
  @RequiresDatabase("etcd")
  void a_ramp_to_1000_clients_leaves_100000_keys_in_etcd_and_no_error() throws Exception {
    ramp(EtcdStore.STORE, RealServersIT::etcdKeys);
  }

  private void ramp(Store database, ToLongFunction<Member> keys) throws Exception {
    Files.writeString(directory.resolve("ramp.yaml"), RAMP);
    try (Cluster cluster = TestServers.start(database, 3, directory.resolve("servers"))) {
      String endpoints =
          cluster.members().stream()
              .map(member -> member.endpoint().toString())
              .collect(Collectors.joining(","));
      QuorateProcess run =
          run("ramp.yaml", database, "--endpoints", endpoints, "--results", "results");

      assertThat(run.exitCode()).as(run.output()).isZero();
      DatabaseRun result = DatabaseRun.read(onlyRun("ramp").resolve(database.id()));
      assertThat(result.clients().orElseThrow().errorCount()).as(run.output()).isZero();
      assertThat(result.clients().orElseThrow().successCount()).isEqualTo(100_000);
      cluster.members().forEach(member -> assertThat(keys.applyAsLong(member)).isEqualTo(100_000));

      QuorateProcess again =
          run("ramp.yaml", database, "--endpoints", endpoints, "--results", "again");
      assertThat(again.exitCode()).as(again.output()).isEqualTo(1);
      assertThat(again.output()).contains("the servers hold keys of an earlier run already");
      cluster.members().forEach(member -> assertThat(keys.applyAsLong(member)).isEqualTo(100_000));
    }
  }

  private static long zooKeeperKeys(Member member) {
    try (CuratorFramework client =
        CuratorFrameworkFactory.newClient(member.endpoint().toString(), new RetryOneTime(1000))) {
      client.start();
      client.sync().forPath("/");
      int ownNodes = client.getZookeeperClient().getZooKeeper().getAllChildrenNumber("/zookeeper");
      return client.getZookeeperClient().getZooKeeper().getAllChildrenNumber("/") - ownNodes - 1;
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private static long etcdKeys(Member member) {
    String allKeys = "{\"key\":\"AA==\",\"range_end\":\"AA==\",\"count_only\":true}";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + member.endpoint() + "/v3/kv/range"))
            .POST(HttpRequest.BodyPublishers.ofString(allKeys))
            .build();
    try {
      String body =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
      Matcher count = Pattern.compile("\"count\":\"(\\d+)\"").matcher(body);
      assertThat(count.find()).as(body).isTrue();
      return Long.parseLong(count.group(1));
    } catch (IOException | InterruptedException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  @RequiresDatabase("consul")
  void a_thousand_clients_write_to_consul_without_error() throws Exception {
    thousand(ConsulStore.STORE);
  }

  @Test
  @RequiresDatabase("zetcd")
  void a_thousand_clients_write_to_zetcd_without_error() throws Exception {
    thousand(ZetcdStore.STORE);
  }

  /** The real program cannot be had from where the tests run. */
  @Test
  void a_double_of_cetcd_at_a_given_endpoint_is_written_to_without_error() throws Exception {
    Process cetcd = cetcd("0");
    try (BufferedReader said = cetcd.inputReader()) {
      String endpoint = said.readLine().replaceFirst(".* ", "");
      Files.writeString(
          directory.resolve("few.yaml"), THOUSAND.replace("clients: 1000", "clients: 50"));
      QuorateProcess run =
          run("few.yaml", CetcdStore.STORE, "--endpoints", endpoint, "--results", "results");

      assertThat(run.exitCode()).as(run.output()).isZero();
      DatabaseRun result = DatabaseRun.read(onlyRun("few").resolve("cetcd"));
      assertThat(result.clients().orElseThrow().errorCount()).as(run.output()).isZero();
      assertThat(result.clients().orElseThrow().successCount()).isEqualTo(10_000);
    } finally {
      cetcd.destroyForcibly();
    }
  }

  @Test
  void reads_that_bring_other_values_are_errors_of_kind_corrupt_in_every_file() throws Exception {
    Process cetcd = cetcd("0", "10");
    try (BufferedReader said = cetcd.inputReader()) {
      String endpoint = said.readLine().replaceFirst(".* ", "");
      Files.writeString(
          directory.resolve("reads.yaml"),
          THOUSAND
              .replace("operation: write", "operation: read")
              .replace("requests: 10000", "requests: 1000")
              .replace("warm-up: 2000", "warm-up: 0")
              .replace("{size: 64}", "{size: 64, count: 100}")
              .replace("clients: 1000", "clients: 5"));
      QuorateProcess run =
          run("reads.yaml", CetcdStore.STORE, "--endpoints", endpoint, "--results", "results");

      assertThat(run.exitCode()).as(run.output()).isZero();
      DatabaseRun result = DatabaseRun.read(onlyRun("reads").resolve("cetcd"));
      assertThat(result.clients().orElseThrow().errorCount()).as(run.output()).isEqualTo(100);
      assertThat(result.clients().orElseThrow().successCount()).isEqualTo(900);
      String message = "the value that was read differs from the one that was written";
      assertThat(onlyRun("reads").resolve("cetcd/errors.csv"))
          .content()
          .contains(",corrupt," + message + ",");
      assertThat(onlyRun("reads").resolve("all-aggregated.txt")).content().contains(message);
      assertThat(onlyRun("reads").resolve("index.html"))
          .content()
          .contains("<td class=\"text\">corrupt</td><td class=\"text message\">" + message);
      assertThat(onlyRun("reads").resolve("result.json"))
          .content()
          .contains("\"kind\" : \"corrupt\"");
    } finally {
      cetcd.destroyForcibly();
    }
  }

  private static Process cetcd(String... arguments) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-cp", System.getProperty("java.class.path")));
    line.add("io.quorate.store.cetcd.CetcdDouble");
    line.addAll(List.of(arguments));
    return new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private void thousand(Store database) throws Exception {
    // a session of zetcd is a lease of etcd, and a thousand are more than two cores can keep alive
    String load =
        database == ZetcdStore.STORE ? "clients: 1000, connections: 100" : "clients: 1000";
    Files.writeString(directory.resolve("thousand.yaml"), THOUSAND.replace("clients: 1000", load));
    QuorateProcess run = run("thousand.yaml", database, "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    DatabaseRun result = DatabaseRun.read(onlyRun("thousand").resolve(database.id()));
    assertThat(result.clients().orElseThrow().errorCount()).as(run.output()).isZero();
    assertThat(result.clients().orElseThrow().successCount()).isEqualTo(10_000);
  }

  private QuorateProcess run(String scenario, Store database, String... more)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("run", scenario, "--database", database.id()));
    arguments.addAll(List.of(more));
    return QuorateProcess.run(directory, Map.of(), arguments.toArray(String[]::new));
  }

  @Test
  void a_load_generator_killed_outright_leaves_readable_files_and_no_server() throws Exception {
    try (QuorateProcess run = startEndless()) {
      List<ProcessHandle> servers = servers(run);
      loadGenerator(run).destroyForcibly();

      assertThat(run.waitFor(Duration.ofMinutes(1))).as(run.output()).isEqualTo(1);
      assertThat(run.output()).contains("the load generator was ended by signal 9");
      awaitEnd(servers, run);
      assertInterrupted();
      assertThat(Manifest.read(onlyRun("endless").resolve("zookeeper/manifest.json")).reason())
          .contains("the load generator was ended by signal 9");
    }
  }

  @Test
  void a_run_killed_outright_leaves_no_load_generator_and_no_server() throws Exception {
    try (QuorateProcess run = startEndless()) {
      List<ProcessHandle> servers = servers(run);
      ProcessHandle loadGenerator = loadGenerator(run);
      run.handle().destroyForcibly();

      awaitEnd(servers, run);
      awaitEnd(List.of(loadGenerator), run);
      assertInterrupted();
    }
  }

  @Test
  void an_interrupt_stops_everything_and_keeps_what_was_measured() throws Exception {
    try (QuorateProcess run = startEndless()) {
      List<ProcessHandle> servers = servers(run);
      ProcessHandle loadGenerator = loadGenerator(run);
      run.handle().destroy();

      assertThat(run.waitFor(Duration.ofMinutes(1))).isNotZero();
      awaitEnd(servers, run);
      awaitEnd(List.of(loadGenerator), run);
      assertInterrupted();
    }
  }

  @Test
  void a_member_that_is_killed_ends_the_run_at_once_and_is_named() throws Exception {
    try (QuorateProcess run = startEndless()) {
      List<ProcessHandle> servers = servers(run);
      servers.get(1).destroyForcibly();

      assertThat(run.waitFor(Duration.ofMinutes(1))).as(run.output()).isEqualTo(1);
      assertThat(run.output()).contains("zookeeper: given up: zookeeper-2").doesNotContain("\tat ");
      awaitEnd(servers, run);
      DatabaseRun result = DatabaseRun.read(onlyRun("endless").resolve("zookeeper"));
      assertThat(result.manifest().status()).isEqualTo(RunStatus.FAILED);
      assertThat(result.manifest().reason().orElseThrow()).contains("zookeeper-2");
      assertThat(Files.readString(onlyRun("endless").resolve("all-aggregated.txt")))
          .contains("zookeeper", "failed");
    }
  }

  @Test
  void servers_that_stand_still_for_three_seconds_are_named_in_the_verdict() throws Exception {
    String enough =
        ENDLESS.replace("requests: 100000000", "requests: 20000").replace("[etcd, ", "[")
            + "timeout: 60s\n";
    try (QuorateProcess run = start(enough, A_REQUEST_HAS_ENDED)) {
      List<ProcessHandle> servers = servers(run);
      signal("STOP", servers);
      long stopped = System.nanoTime();
      QuorateProcess.await(
          () -> System.nanoTime() - stopped > STALL.toNanos(), SOON, () -> "no time passes");
      signal("CONT", servers);

      assertThat(run.waitFor(Duration.ofMinutes(5))).as(run.output()).isZero();
      StepRow step =
          DatabaseRun.read(onlyRun("endless").resolve("zookeeper"))
              .clients()
              .orElseThrow()
              .steps()
              .get(0);
      assertThat(step.longestNanosWithoutSuccess().orElseThrow())
          .isBetween(STALL.toNanos(), step.durationNanos());
      assertThat(step.stalledNanos().orElseThrow()).isGreaterThanOrEqualTo(STALL.toNanos());
      assertThat(Files.readString(onlyRun("endless").resolve("README.md")))
          .containsPattern("No request of zookeeper succeeded for [0-9.]+ s at a stretch")
          .contains("coordinated omission");
    }
  }

  private static void signal(String name, List<ProcessHandle> servers) throws Exception {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    servers.forEach(server -> command.add(Long.toString(server.pid())));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  @Test
  void a_member_that_is_killed_during_the_warm_up_ends_the_run_too() throws Exception {
    String warming = ENDLESS.replace("warm-up: 100", "warm-up: 100000000");
    try (QuorateProcess run = start(warming, "warming up  ")) {
      List<ProcessHandle> servers = servers(run);
      servers.get(2).destroyForcibly();

      assertThat(run.waitFor(Duration.ofMinutes(1))).as(run.output()).isEqualTo(1);
      assertThat(run.output()).contains("zookeeper: given up: zookeeper-3");
      awaitEnd(servers, run);
    }
  }

  @Test
  void a_member_that_is_killed_spares_the_steps_that_were_to_come() throws Exception {
    String stairs = ENDLESS.replace("{clients: 10}", "{steps: [10, 1000, 1000, 1000, 1000]}");
    try (QuorateProcess run = start(stairs, A_REQUEST_HAS_ENDED)) {
      List<ProcessHandle> servers = servers(run);
      servers.get(1).destroyForcibly();

      assertThat(run.waitFor(Duration.ofMinutes(1))).as(run.output()).isEqualTo(1);
      assertThat(run.output()).contains("zookeeper: given up: zookeeper-2");
      awaitEnd(servers, run);
    }
  }

  private QuorateProcess startEndless() throws Exception {
    return start(ENDLESS, A_REQUEST_HAS_ENDED);
  }

  private QuorateProcess start(String scenario, String until) throws Exception {
    Files.writeString(directory.resolve("endless.yaml"), scenario);
    QuorateProcess run =
        QuorateProcess.start(
            directory,
            Map.of(),
            "run",
            "endless.yaml",
            "--database",
            "zookeeper",
            "--results",
            "results");
    run.awaitOutput(until, START_LIMIT);
    return run;
  }

  private static ProcessHandle loadGenerator(QuorateProcess run) {
    return run.handle().children().findFirst().orElseThrow();
  }

  /** The servers, in the order in which they were started. */
  private static List<ProcessHandle> servers(QuorateProcess run) {
    List<ProcessHandle> servers =
        loadGenerator(run)
            .children()
            .filter(process -> process.info().command().orElse("").endsWith("/java"))
            .sorted(Comparator.comparingLong(ProcessHandle::pid))
            .toList();
    assertThat(servers).hasSize(3);
    return servers;
  }

  private static void awaitEnd(List<ProcessHandle> processes, QuorateProcess run)
      throws InterruptedException {
    QuorateProcess.await(
        () -> processes.stream().noneMatch(ProcessHandle::isAlive),
        SOON,
        () -> "still running: " + processes + "\n" + run.output());
  }

  private void assertInterrupted() throws IOException, InterruptedException {
    DatabaseRun result = DatabaseRun.read(onlyRun("endless").resolve("zookeeper"));
    assertThat(result.manifest().status()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(result.clients().orElseThrow().successCount()).isPositive();
    Path data = onlyRun("endless").resolve("zookeeper/data");
    QuorateProcess.await(() -> Files.notExists(data), SOON, () -> data + " is still there");
  }

  private Path onlyRun(String scenario) throws IOException {
    try (Stream<Path> runs = Files.list(directory.resolve("results").resolve(scenario))) {
      return runs.findFirst().orElseThrow();
    }
  }
}
