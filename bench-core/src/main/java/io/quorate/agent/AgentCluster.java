// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import io.quorate.FileAction;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.agent.wire.Address;
import io.quorate.agent.wire.Control;
import io.quorate.agent.wire.Hello;
import io.quorate.agent.wire.Plan;
import io.quorate.agent.wire.Planned;
import io.quorate.agent.wire.ProcessState;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.agent.wire.Setting;
import io.quorate.agent.wire.Start;
import io.quorate.agent.wire.StopMember;
import io.quorate.agent.wire.Welcome;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.ExternalCluster;
import io.quorate.cluster.LocalMember;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl;
import io.quorate.cluster.MemberProtocol;
import io.quorate.cluster.RemoteSecrets;
import io.quorate.host.RemoteMetrics;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Security;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.store.server.MemberAddress;
import io.quorate.stores.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose members are run by agents, one member each. The members end with {@link
 * #close()}, or when an agent no longer hears from this program. The agents' measurements arrive in
 * the files of the run.
 */
public final class AgentCluster implements Cluster {
  private static final Duration STEP_LIMIT = Duration.ofSeconds(30);
  private static final Duration LEADER_LIMIT = Duration.ofSeconds(20);
  private static final Duration LEADER_POLL = Duration.ofMillis(100);

  private static final Request STOP =
      Request.newBuilder().setStopMember(StopMember.getDefaultInstance()).build();

  private static final int ATTEMPTS = 5;
  private static final Duration PLAN_LIMIT = Duration.ofSeconds(30);
  private static final Duration START_LIMIT = Duration.ofSeconds(90);

  private final Store database;
  private final DatabaseDirectory directory;
  private final AgentGroup group;
  private final AgentClocks clocks;
  private final AgentMetrics metrics;

  /** The secrets of the members; empty for plain text. */
  private final Optional<RemoteSecrets> secrets;

  private final List<ReceivedFile> logs = new ArrayList<>();
  private @Nullable Cluster servers;
  private boolean closed;

  private AgentCluster(
      Store database,
      DatabaseDirectory directory,
      AgentGroup group,
      AgentClocks clocks,
      Optional<RemoteSecrets> secrets) {
    this.secrets = secrets;
    this.database = database;
    this.directory = directory;
    this.group = group;
    this.clocks = clocks;
    this.metrics = new AgentMetrics(group, clocks);
  }

  /**
   * Connects to agents, starts one member at each, and waits until all serve requests and one
   * leads.
   *
   * @param security whether the servers use TLS, with new certificates
   * @param agents addresses of the agents, in the order of the members: 1, 3 or 5
   * @param keys keys of the load generator; empty for agents without keys
   * @param run its name: letters, digits, {@code .}, {@code _} and {@code -}
   * @param directory directory of the run: gets {@code logs/etcd-1.log} and so on
   * @throws QuorateException if an agent is not available or a member cannot be started, with all
   *     problems. Nothing is left running then
   */
  public static AgentCluster start(
      Store database,
      ServerSettings settings,
      Security security,
      List<Endpoint> agents,
      Optional<KeyDirectory> keys,
      String run,
      DatabaseDirectory directory) {
    if (security == Security.TLS && keys.isEmpty()) {
      AgentSecrets.requireThisMachine(agents);
    }
    Hello hello =
        Hello.newBuilder()
            .setProtocol(Protocol.VERSION)
            .setSuite(Protocol.suite())
            .setHolder("with pid " + ProcessHandle.current().pid())
            .setRun(run)
            .build();
    AgentGroup group = new AgentGroup(agents, keys, hello);
    AgentClocks clocks;
    Optional<RemoteSecrets> secrets;
    try {
      clocks = AgentClocks.measure(group.connections());
      secrets =
          security == Security.TLS
              ? Optional.of(RemoteSecrets.make(database, directory.path()))
              : Optional.empty();
    } catch (QuorateException failure) {
      group.close();
      throw failure;
    }
    AgentCluster cluster = new AgentCluster(database, directory, group, clocks, secrets);
    try {
      cluster.startMembers(settings);
      return cluster;
    } catch (QuorateException failure) {
      cluster.close();
      throw failure;
    }
  }

  /** Starts one member at each agent; begins anew if another program takes a port meanwhile. */
  private void startMembers(ServerSettings settings) {
    for (int attempt = 1; servers == null; attempt++) {
      List<Planned> planned = plan(settings);
      List<MemberAddress> addresses =
          planned.stream().map(each -> address(each.getAddress())).toList();
      List<Reply> replies = launch(planned, addresses);
      List<String> problems = group.problems(replies);
      boolean taken = replies.stream().anyMatch(reply -> reply.getFailed().getPortTaken());
      if (problems.isEmpty()) {
        started(addresses, replies);
      } else if (!taken || attempt == ATTEMPTS) {
        throw new QuorateException(String.join("\n", problems));
      }
    }
    awaitLeader();
    if (secrets.isPresent()) {
      lock();
    }
  }

  private Cluster servers() {
    return Objects.requireNonNull(servers);
  }

  private void lock() {
    Endpoint first = servers().members().get(0).endpoint();
    FileAction.require(
        "%s at %s cannot be secured".formatted(database, first),
        () -> Stores.servers(database).kinds().get(0).protocol().lock(first, access(), STEP_LIMIT));
  }

  private void awaitLeader() {
    long deadline = System.nanoTime() + LEADER_LIMIT.toNanos();
    while (servers().leader().isEmpty()) {
      QuorateException.throwIfAny(failures());
      if (System.nanoTime() > deadline) {
        throw new QuorateException(
            "no member of %s leads within %s s"
                .formatted(database.title(), LEADER_LIMIT.toSeconds()));
      }
      Pause.of(LEADER_POLL, "a leader");
    }
  }

  private List<Planned> plan(ServerSettings settings) {
    closeLogs();
    for (int i = 0; i < group.connections().size(); i++) {
      for (String log : LocalMember.logFiles(database, i + 1)) {
        ReceivedFile file = ReceivedFile.create(directory.path().resolve(log));
        logs.add(file);
        agent(i).expect(log, piece -> file.append(piece, Protocol.MAX_FILE_BYTES));
      }
    }
    List<Request> plans =
        IntStream.rangeClosed(1, group.connections().size())
            .mapToObj(
                index ->
                    Request.newBuilder()
                        .setPlan(
                            chosen(settings)
                                .setStore(database.id())
                                .setIndex(index)
                                .setMembers(group.connections().size()))
                        .build())
            .toList();
    List<Reply> replies = group.all(plans, PLAN_LIMIT, "has not chosen ports");
    QuorateException.throwIfAny(group.problems(replies));
    return replies.stream().map(Reply::getPlanned).toList();
  }

  private Plan.Builder chosen(ServerSettings settings) {
    Plan.Builder plan = Plan.newBuilder().setSecured(secrets.isPresent());
    settings
        .values()
        .forEach(
            (setting, value) ->
                plan.addSettings(Setting.newBuilder().setId(setting.id()).setValue(value)));
    return plan;
  }

  private static MemberAddress address(Address address) {
    try {
      return new MemberAddress(address.getHost(), address.getPortsList());
    } catch (IllegalArgumentException wrong) {
      throw new QuorateException("an agent: " + wrong.getMessage(), wrong);
    }
  }

  /** Starts all members; when one fails, stops waiting for the others. */
  private List<Reply> launch(List<Planned> planned, List<MemberAddress> addresses) {
    List<Request> starts = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      starts.add(start(i, planned.get(i), addresses));
    }
    List<CompletableFuture<Reply>> answers =
        IntStream.range(0, starts.size()).mapToObj(i -> agent(i).ask(starts.get(i))).toList();
    answers.forEach(
        answer ->
            answer.whenComplete(
                (reply, failure) -> {
                  if (failure != null || reply.hasFailed()) {
                    group.connections().forEach(agent -> agent.ask(STOP));
                  }
                }));
    return group.await(answers, START_LIMIT, "has not started its member");
  }

  private Request start(int number, Planned planned, List<MemberAddress> addresses) {
    Start.Builder start = Start.newBuilder();
    addresses.forEach(
        each ->
            start.addMembers(Address.newBuilder().setHost(each.host()).addAllPorts(each.ports())));
    try {
      secrets.ifPresent(
          known ->
              start.setSecrets(
                  AgentSecrets.message(
                      known,
                      number + 1,
                      addresses.get(number).host(),
                      planned.getCertificateRequest())));
    } catch (QuorateException damaged) {
      throw new QuorateException(
          "agent %s: %s".formatted(agent(number).agent(), damaged.getMessage()), damaged);
    }
    return Request.newBuilder().setStart(start).build();
  }

  private void started(List<MemberAddress> addresses, List<Reply> replies) {
    List<List<Endpoint>> endpoints = new ArrayList<>();
    List<String> versions = new ArrayList<>();
    for (int i = 0; i < replies.size(); i++) {
      String host = addresses.get(i).host();
      List<Integer> ports = replies.get(i).getStarted().getPortsList();
      if (ports.isEmpty()
          || ports.size() != ports.stream().distinct().count()
          || !addresses.get(i).ports().containsAll(ports)) {
        throw new QuorateException(
            "agent %s says ports that it did not plan".formatted(agent(i).agent()));
      }
      endpoints.add(ports.stream().map(port -> new Endpoint(host, port)).toList());
      versions.add(Protocol.word(replies.get(i).getStarted().getVersion()));
    }
    if (versions.stream().distinct().count() > 1) {
      metrics.remark(
          List.of("the members have different versions: " + String.join(", ", versions)));
    }
    servers = ExternalCluster.ofServers(database, endpoints, access());
  }

  private void closeLogs() {
    logs.forEach(ReceivedFile::close);
    logs.clear();
  }

  private AgentConnection agent(int number) {
    return group.connections().get(number);
  }

  /** Returns the agents, for the manifest, in the order of the members. */
  public List<ServerInfo.Agent> agents() {
    return IntStream.range(0, group.connections().size())
        .mapToObj(i -> machine(agent(i), clocks.aheadNanos(i)))
        .toList();
  }

  /** Returns an agent's information about itself, with escaped text. */
  private static ServerInfo.Agent machine(AgentConnection agent, long aheadNanos) {
    Welcome said = agent.welcome();
    return new ServerInfo.Agent(
        agent.agent().toString(),
        Optional.of(Protocol.word(said.getHost())).filter(host -> !host.isEmpty()),
        Protocol.word(said.getOs()),
        Protocol.word(said.getKernel()),
        Math.max(0, said.getCores()),
        said.hasMemoryBytes()
            ? OptionalLong.of(Math.max(0, said.getMemoryBytes()))
            : OptionalLong.empty(),
        Protocol.word(said.getSuite()),
        TimeUnit.NANOSECONDS.toMicros(aheadNanos));
  }

  public RemoteMetrics metrics() {
    return metrics;
  }

  @Override
  public Store database() {
    return database;
  }

  @Override
  public List<Member> members() {
    return servers().members();
  }

  @Override
  public void forgetHistory() {
    protocol().forgetHistory(servers().members().get(0));
  }

  @Override
  public MemberProtocol protocol() {
    return servers().protocol();
  }

  @Override
  public Optional<Member> leader() {
    return servers().leader();
  }

  @Override
  public String version() {
    return VisibleText.line(servers().version());
  }

  @Override
  public Optional<MemberControl> control() {
    return Optional.of(new AgentControl());
  }

  /** Control of members by their agents. */
  private final class AgentControl implements MemberControl {
    private ProcessState request(Member member, Control.Action action) {
      int number = member.index() - 1;
      Request request =
          Request.newBuilder().setControl(Control.newBuilder().setAction(action)).build();
      Reply reply =
          agent(number)
              .await(agent(number).ask(request), STEP_LIMIT, "has not answered about its member");
      if (reply.hasFailed()) {
        throw new QuorateException(
            "agent %s: %s"
                .formatted(agent(number).agent(), Protocol.shown(reply.getFailed().getReason())));
      }
      return reply.getProcessState();
    }

    @Override
    public void send(Member member, Signal signal) {
      request(
          member,
          switch (signal) {
            case KILL -> Control.Action.KILL;
            case TERMINATE -> Control.Action.TERMINATE;
            case PAUSE -> Control.Action.PAUSE;
            case RESUME -> Control.Action.RESUME;
          });
    }

    @Override
    public boolean hasEnded(Member member) {
      return !request(member, Control.Action.ASK).getAlive();
    }

    @Override
    public boolean isPaused(Member member) {
      return request(member, Control.Action.ASK).getPaused();
    }

    @Override
    public void restart(Member member) {
      request(member, Control.Action.RESTART);
    }
  }

  @Override
  public Access access() {
    return secrets.map(RemoteSecrets::access).orElse(Access.PLAIN);
  }

  @Override
  public void leaveStoppingToCaller() {
    secrets.ifPresent(RemoteSecrets::leaveRemovingToCaller);
  }

  /** Returns a line about each failed member, and about each agent whose connection is lost. */
  @Override
  public List<String> failures() {
    return group.failures();
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    group.all(STOP, STEP_LIMIT, "has not stopped its member");
    group.close();
    closeLogs();
    metrics.close();
    secrets.ifPresent(RemoteSecrets::close);
  }
}
