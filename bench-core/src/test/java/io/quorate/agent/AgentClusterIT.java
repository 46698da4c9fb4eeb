// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.Nightly;
import io.quorate.QuorateException;
import io.quorate.agent.server.AgentServer;
import io.quorate.agent.server.AgentSettings;
import io.quorate.cluster.Await;
import io.quorate.cluster.ClusterSettings;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.host.HostRecording;
import io.quorate.install.Installation;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.hosts.HostFiles;
import io.quorate.store.Endpoint;
import io.quorate.store.Security;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.JavaRuntime;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Clusters of real servers that agents run. */
@SuppressWarnings("try") // a recording may be closed twice
class AgentClusterIT extends AgentClusters {
  @Test
  @RequiresDatabase("etcd")
  void members_of_one_agent_leave_no_process_port_or_file() throws IOException {
    leaveNothing(3);
  }

  @Test
  @Nightly
  @RequiresDatabase("etcd")
  void twenty_members_of_one_agent_leave_no_process_port_or_file() throws IOException {
    leaveNothing(20);
  }

  /** Starts members one after another in one agent, and checks what is left of them. */
  private void leaveNothing(int members) throws IOException {
    AgentServer agent = agent(1, Clock.systemUTC());
    Set<Long> before = descendants();
    DatabaseDirectory results = results("results");
    for (int cycle = 0; cycle < members; cycle++) {
      Endpoint endpoint;
      try (AgentCluster cluster = start(EtcdStore.STORE, results)) {
        endpoint = cluster.members().get(0).endpoint();
        assertThat(cluster.failures()).isEmpty();
      }
      // another program may hold it briefly
      Await.until("its port is free", LIMIT, () -> isFree(endpoint));
    }
    Await.until("no process is left", LIMIT, () -> before.containsAll(descendants()));
    try (Stream<Path> left = Files.walk(directory.resolve("agent-1"))) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("agent-1", "agent.lock", "runs");
    }
    Await.until(
        "no thread is left",
        LIMIT,
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .noneMatch(name -> name.matches("quorate-(agent-(steps|timer|end)|heartbeat).*")));
    Await.until(
        "it is free again",
        LIMIT,
        () -> console.stream().filter(line -> line.equals("free again")).count() == members);
    assertThat(agent.address().host()).isEqualTo("127.0.0.1");
  }

  private static boolean isFree(Endpoint endpoint) {
    try (ServerSocket free = new ServerSocket()) {
      free.setReuseAddress(true);
      free.bind(new InetSocketAddress(endpoint.host(), endpoint.port()));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  private static Set<Long> descendants() {
    return ProcessHandle.current()
        .descendants()
        .filter(ProcessHandle::isAlive)
        .map(ProcessHandle::pid)
        .collect(Collectors.toSet());
  }

  @Test
  void an_agent_that_is_stopped_stops_its_member_and_says_so() throws IOException {
    AgentServer agent = agent(1, Clock.systemUTC());
    Endpoint address = agent.address();
    Set<Long> before = descendants();
    DatabaseDirectory results = results("results");
    try (AgentCluster cluster = start(TestServers.anyStore(), results);
        HostRecording recording = recording(cluster, results)) {
      agent.close();
      Await.until("it is known", LIMIT, () -> !cluster.failures().isEmpty());
      assertThat(cluster.failures())
          .containsExactly("agent " + address + ": the agent was stopped, and its member with it");
      recording.close();
      assertThat(new HostFiles(results).server(1)).isNotEmptyFile();
    }
    Await.until("no process is left", LIMIT, () -> before.containsAll(descendants()));
  }

  /** AgentRunsIT has the same under load, at night. */
  @Test
  void an_agent_pauses_kills_and_restarts_its_member_and_names_it_if_someone_else_kills_it()
      throws IOException {
    agent(1, Clock.systemUTC());
    Set<Long> before = descendants();
    Store store = TestServers.anyStore();
    try (AgentCluster cluster = start(store, results("results"))) {
      Member member = cluster.members().get(0);
      MemberControl control = cluster.control().orElseThrow();
      control.send(member, MemberControl.Signal.PAUSE);
      Await.until("it is paused", LIMIT, () -> control.isPaused(member));
      control.send(member, MemberControl.Signal.RESUME);
      Await.until("it continues", LIMIT, () -> !control.isPaused(member));
      control.send(member, MemberControl.Signal.KILL);
      Await.until("it has ended", LIMIT, () -> control.hasEnded(member));
      control.restart(member);
      Await.until("it serves again", LIMIT, () -> cluster.protocol().isServing(member));
      assertThat(control.hasEnded(member)).isFalse();
      assertThat(cluster.failures()).isEmpty();

      ProcessHandle.current()
          .descendants()
          .filter(each -> !before.contains(each.pid()))
          .filter(each -> each.info().command().orElse("").matches(".*/(etcd|java)"))
          .forEach(ProcessHandle::destroyForcibly);
      Await.until("it is known", LIMIT, () -> !cluster.failures().isEmpty());
      assertThat(cluster.failures().get(0))
          .startsWith(store + "-1 was ended by signal 9; ")
          .contains(store + "-1.log does not say why")
          .endsWith("(agent " + agents.get(0).address() + ")");
      assertThat(cluster.members()).extracting(Member::name).containsExactly(store + "-1");
    }
  }

  @Test
  @RequiresDatabase("zookeeper@3.8.6")
  void members_of_agents_have_the_version_and_the_settings_that_were_asked_for()
      throws IOException {
    agent(1, Clock.systemUTC());
    Store old = Stores.byId("zookeeper@3.8.6").orElseThrow();
    ServerSettings chosen = Stores.servers(old).choose(Map.of("tickTime", 1000L));
    try (AgentCluster cluster =
            AgentCluster.start(
                old,
                chosen,
                Security.NONE,
                List.of(agents.get(0).address()),
                Optional.empty(),
                "run-1",
                results("results"));
        Stream<Path> files = Files.walk(directory.resolve("agent-1/runs"))) {
      assertThat(cluster.version()).isEqualTo("3.8.6");
      assertThat(files.filter(file -> file.endsWith("zoo.cfg")))
          .singleElement()
          .satisfies(file -> assertThat(file).content().contains("tickTime=1000\n"));
    }
  }

  @Test
  void a_version_that_the_host_of_an_agent_does_not_have_is_refused() throws IOException {
    Installation nothing =
        new Installation(Map.of(), directory, JavaRuntime.of(System.getProperties()));
    AgentServer agent =
        new AgentServer(
            new AgentSettings(
                new InetSocketAddress("127.0.0.1", 0),
                directory.resolve("agent-1"),
                Optional.empty(),
                ClusterSettings.defaults(nothing),
                Clock.systemUTC(),
                Protocol.SILENCE_LIMIT,
                console::add));
    agents.add(agent);
    Store old = Stores.byId("zookeeper@3.8.6").orElseThrow();
    assertThatThrownBy(() -> start(old, results("results")))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "agent %s: zookeeper@3.8.6 is not installed: run ./quorate install zookeeper@3.8.6 (or set QUORATE_ZOOKEEPER_3_8_6)"
                .formatted(agent.address()));
  }

  @Test
  void what_is_wrong_with_agents_is_said_of_all_at_once() throws IOException {
    agent(1, Clock.systemUTC());
    Endpoint nobody = new Endpoint("127.0.0.1", 1);
    Endpoint unknown = new Endpoint("no-such-host.invalid", 7300);
    DatabaseDirectory results = results("results");
    List<Endpoint> three = List.of(nobody, agents.get(0).address(), unknown);
    assertThatThrownBy(
            () ->
                AgentCluster.start(
                    EtcdStore.STORE,
                    ServerSettings.NONE,
                    Security.NONE,
                    three,
                    Optional.empty(),
                    "run",
                    results))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "agent 127.0.0.1:1: nothing listens there: start it with ./quorate agent --listen"
                + " 127.0.0.1:1\n"
                + "agent no-such-host.invalid:7300: the host no-such-host.invalid is not known");
    Await.until("it is free again", LIMIT, () -> console.contains("free again"));
  }
}
