package io.quorate.agent;

import com.google.protobuf.ByteString;
import io.quorate.QuorateException;
import io.quorate.agent.wire.Address;
import io.quorate.agent.wire.Hello;
import io.quorate.agent.wire.Measure;
import io.quorate.agent.wire.Plan;
import io.quorate.agent.wire.Record;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.agent.wire.Start;
import io.quorate.agent.wire.StopMember;
import io.quorate.agent.wire.StopRecording;
import io.quorate.agent.wire.Welcome;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.GivenCluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberAddress;
import io.quorate.cluster.OwnMember;
import io.quorate.driver.Database;
import io.quorate.driver.Endpoint;
import io.quorate.host.HostFiles;
import io.quorate.host.RemoteMetrics;
import io.quorate.run.DatabaseDirectory;
import io.quorate.run.Manifest;
import io.quorate.run.NumberFormats;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Servers that agents run, one member each, for as long as this program holds the agents: they end
 * with {@link #close()}, and when an agent hears nothing of this program any more. What is measured
 * of them arrives in the files of the run.
 */
public final class AgentCluster implements Cluster, RemoteMetrics {
  private static final int ATTEMPTS = 5;
  private static final Duration STEP_LIMIT = Duration.ofSeconds(30);
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration LEADER_LIMIT = Duration.ofSeconds(20);

  /** A clock that is further off is corrected. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMillis(50);

  private final Database database;
  private final DatabaseDirectory directory;
  private final List<AgentConnection> agents;
  private final List<Long> clocksAheadNanos = new ArrayList<>();
  private final List<ReceivedFile> files = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private final ScheduledExecutorService heart =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "quorate-heartbeat");
            thread.setDaemon(true);
            return thread;
          });
  private volatile IntSupplier clients = () -> 0;
  private List<String> versions = List.of();
  private Cluster servers;
  private boolean measured;
  private boolean closed;

  private AgentCluster(
      Database database, DatabaseDirectory directory, List<AgentConnection> agents) {
    this.database = database;
    this.directory = directory;
    this.agents = List.copyOf(agents);
    long millis = Protocol.HEARTBEAT.toMillis();
    heart.scheduleAtFixedRate(this::beat, 0, millis, TimeUnit.MILLISECONDS);
  }

  private void beat() {
    int now = clients.getAsInt();
    agents.forEach(agent -> agent.beat(now));
  }

  /**
   * Holds agents, starts one member at each, and waits until all serve requests and one leads.
   *
   * @param agents in the order of the members: 1, 3 or 5
   * @param keys empty for agents that have none
   * @param run its name: letters, digits, {@code .}, {@code _} and {@code -}
   * @param directory of the run: gets {@code logs/etcd-1.log} and so on
   * @throws QuorateException if an agent cannot be had, or a member cannot be started, with all
   *     that is wrong. Nothing is left running then
   */
  public static AgentCluster start(
      Database database,
      List<Endpoint> agents,
      Optional<KeyDirectory> keys,
      String run,
      DatabaseDirectory directory) {
    Clock clock = Clock.systemUTC();
    Hello hello =
        Hello.newBuilder()
            .setProtocol(Protocol.VERSION)
            .setSuite(Protocol.suite())
            .setHolder("with pid " + ProcessHandle.current().pid())
            .setRun(run)
            .build();
    AgentCluster cluster =
        new AgentCluster(database, directory, connect(agents, keys, clock, hello));
    boolean started = false;
    try {
      cluster.measureClocks();
      cluster.startMembers();
      started = true;
      return cluster;
    } finally {
      if (!started) {
        cluster.close();
      }
    }
  }

  private static List<AgentConnection> connect(
      List<Endpoint> agents, Optional<KeyDirectory> keys, Clock clock, Hello hello) {
    List<CompletableFuture<AgentConnection>> opening =
        agents.stream()
            .map(
                agent ->
                    CompletableFuture.supplyAsync(
                        () -> AgentConnection.open(agent, keys, clock, hello), AgentCluster::run))
            .toList();
    List<AgentConnection> open = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (CompletableFuture<AgentConnection> each : opening) {
      each.handle(
              (connection, failure) ->
                  failure == null
                      ? open.add(connection)
                      : problems.add(String.valueOf(failure.getCause().getMessage())))
          .join();
    }
    if (!problems.isEmpty()) {
      open.forEach(AgentConnection::close);
      throw new QuorateException(String.join("\n", problems));
    }
    return open;
  }

  private static void run(Runnable work) {
    Thread thread = new Thread(work, "quorate-agent-connection");
    thread.setDaemon(true);
    thread.start();
  }

  private void measureClocks() {
    long deadline = System.nanoTime() + STEP_LIMIT.toNanos();
    for (AgentConnection agent : agents) {
      while (agent.offset().count() < ClockOffset.KEPT
          && agent.lost().isEmpty()
          && System.nanoTime() < deadline) {
        agent.beat(0);
        pause(20);
      }
      OptionalLong ahead = agent.offset().aheadNanos();
      if (ahead.isEmpty()) {
        throw new QuorateException(
            agent.lost().orElse("agent " + agent.agent() + " does not answer"));
      }
      clocksAheadNanos.add(ahead.getAsLong());
      if (Math.abs(ahead.getAsLong()) > CLOCK_TOLERANCE.toNanos()) {
        remarks.add(
            "agent %s: its clock is %s ms %s; the times of its figures are corrected"
                .formatted(
                    agent.agent(),
                    NumberFormats.fixed(Math.abs(ahead.getAsLong()) / 1e6, 0),
                    ahead.getAsLong() > 0 ? "ahead" : "behind"));
      }
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted while waiting for agents", interrupt);
    }
  }

  private void startMembers() {
    for (int attempt = 1; ; attempt++) {
      List<MemberAddress> addresses = plan();
      List<Reply> replies = launch(addresses);
      List<String> problems = problems(replies);
      if (problems.isEmpty()) {
        started(addresses, replies);
        return;
      }
      boolean taken = replies.stream().anyMatch(reply -> reply.getFailed().getPortTaken());
      if (!taken || attempt == ATTEMPTS) {
        throw new QuorateException(String.join("\n", problems));
      }
    }
  }

  private List<MemberAddress> plan() {
    closeFiles();
    for (int i = 0; i < agents.size(); i++) {
      for (String log : OwnMember.logFiles(database, i + 1)) {
        ReceivedFile file = file(directory.path().resolve(log));
        agents.get(i).expect(log, piece -> file.append(piece, Protocol.MAX_FILE_BYTES));
      }
    }
    List<Request> plans =
        IntStream.rangeClosed(1, agents.size())
            .mapToObj(
                index ->
                    Request.newBuilder()
                        .setPlan(
                            Plan.newBuilder()
                                .setStore(Protocol.store(database))
                                .setIndex(index)
                                .setMembers(agents.size()))
                        .build())
            .toList();
    List<Reply> replies = all(plans, STEP_LIMIT, "has not chosen ports");
    List<String> problems = problems(replies);
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    return replies.stream().map(reply -> address(reply.getPlanned().getAddress())).toList();
  }

  private static MemberAddress address(Address address) {
    try {
      return new MemberAddress(address.getHost(), address.getPortsList());
    } catch (IllegalArgumentException wrong) {
      throw new QuorateException("an agent: " + wrong.getMessage(), wrong);
    }
  }

  private ReceivedFile file(Path path) {
    ReceivedFile file = ReceivedFile.create(path);
    files.add(file);
    return file;
  }

  private void closeFiles() {
    files.forEach(ReceivedFile::close);
    files.clear();
  }

  /** Starts all; when one fails, the others need not wait for it any longer. */
  private List<Reply> launch(List<MemberAddress> addresses) {
    Start.Builder start = Start.newBuilder();
    addresses.forEach(
        each ->
            start.addMembers(Address.newBuilder().setHost(each.host()).addAllPorts(each.ports())));
    Request request = Request.newBuilder().setStart(start).build();
    List<CompletableFuture<Reply>> answers =
        agents.stream().map(agent -> agent.ask(request)).toList();
    answers.forEach(
        answer ->
            answer.whenComplete(
                (reply, failure) -> {
                  if (failure != null || reply.hasFailed()) {
                    agents.forEach(agent -> agent.ask(stopMember()));
                  }
                }));
    return await(answers, START_LIMIT, "has not started its member");
  }

  private static Request stopMember() {
    return Request.newBuilder().setStopMember(StopMember.getDefaultInstance()).build();
  }

  private List<Reply> all(Request request, Duration limit, String otherwise) {
    return all(agents.stream().map(any -> request).toList(), limit, otherwise);
  }

  private List<Reply> all(List<Request> requests, Duration limit, String otherwise) {
    List<CompletableFuture<Reply>> answers =
        IntStream.range(0, requests.size())
            .mapToObj(i -> agents.get(i).ask(requests.get(i)))
            .toList();
    return await(answers, limit, otherwise);
  }

  /** In the order of the agents; what went wrong with a connection is a failed step, too. */
  private List<Reply> await(
      List<CompletableFuture<Reply>> answers, Duration limit, String otherwise) {
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      try {
        replies.add(agents.get(i).await(answers.get(i), limit, otherwise));
      } catch (QuorateException lost) {
        Reply.Builder failed = Reply.newBuilder();
        failed.getFailedBuilder().setReason(String.valueOf(lost.getMessage()));
        replies.add(failed.build());
      }
    }
    return replies;
  }

  private List<String> problems(List<Reply> replies) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < replies.size(); i++) {
      if (replies.get(i).hasFailed()) {
        String why = Protocol.shown(replies.get(i).getFailed().getReason());
        String name = "agent " + agents.get(i).agent();
        problems.add(why.startsWith(name) ? why : name + ": " + why);
      }
    }
    return problems;
  }

  private void started(List<MemberAddress> addresses, List<Reply> replies) {
    List<List<Endpoint>> endpoints = new ArrayList<>();
    for (int i = 0; i < replies.size(); i++) {
      String host = addresses.get(i).host();
      List<Integer> ports = replies.get(i).getStarted().getPortsList();
      if (ports.isEmpty() || !addresses.get(i).ports().containsAll(ports)) {
        throw new QuorateException(
            "agent %s says ports that it did not plan".formatted(agents.get(i).agent()));
      }
      endpoints.add(ports.stream().map(port -> new Endpoint(host, port)).toList());
    }
    versions =
        replies.stream().map(reply -> Protocol.word(reply.getStarted().getVersion())).toList();
    if (versions.stream().distinct().count() > 1) {
      remarks.add("the members have different versions: " + String.join(", ", versions));
    }
    servers = GivenCluster.ofServers(database, endpoints);
    awaitLeader();
  }

  private void awaitLeader() {
    long deadline = System.nanoTime() + LEADER_LIMIT.toNanos();
    while (servers.leader().isEmpty()) {
      List<String> failures = failures();
      if (!failures.isEmpty()) {
        throw new QuorateException(String.join("\n", failures));
      }
      if (System.nanoTime() > deadline) {
        throw new QuorateException(
            "no member of %s leads within %s s"
                .formatted(database.title(), LEADER_LIMIT.toSeconds()));
      }
      pause(100);
    }
  }

  /** The agents, for the manifest, in the order of the members. */
  public List<Manifest.Agent> agents() {
    List<Manifest.Agent> facts = new ArrayList<>();
    for (int i = 0; i < agents.size(); i++) {
      Welcome welcome = agents.get(i).welcome();
      facts.add(
          new Manifest.Agent(
              agents.get(i).agent().toString(),
              Optional.of(Protocol.word(welcome.getHost())).filter(host -> !host.isEmpty()),
              Protocol.word(welcome.getOs()),
              Protocol.word(welcome.getKernel()),
              Math.max(0, welcome.getCores()),
              welcome.hasMemoryBytes()
                  ? OptionalLong.of(Math.max(0, welcome.getMemoryBytes()))
                  : OptionalLong.empty(),
              Protocol.word(welcome.getSuite()),
              clocksAheadNanos.get(i) / 1_000));
    }
    return facts;
  }

  @Override
  public Database database() {
    return database;
  }

  @Override
  public List<Member> members() {
    return servers.members();
  }

  @Override
  public Optional<Member> leader() {
    return servers.leader();
  }

  @Override
  public String version() {
    return servers.version();
  }

  /** Also about each agent whose connection is lost. */
  @Override
  public List<String> failures() {
    return agents.stream().flatMap(agent -> agent.failures().stream()).toList();
  }

  @Override
  public void start(IntSupplier present, HostFiles into) {
    clients = present;
    measured = true;
    ReceivedFile internals = file(into.internals());
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < agents.size(); i++) {
      AgentConnection agent = agents.get(i);
      ReceivedFile rows = file(into.server(i + 1));
      agent.expect(
          into.server(i + 1).getFileName().toString(),
          piece -> rows.append(piece, Protocol.MAX_FILE_BYTES));
      LinesAfterFirst lines = new LinesAfterFirst(i == 0);
      agent.expect(
          into.internals().getFileName().toString(),
          piece -> internals.append(lines.of(piece), Protocol.MAX_FILE_BYTES * agents.size()));
      Record.Builder record = Record.newBuilder();
      if (Math.abs(clocksAheadNanos.get(i)) > CLOCK_TOLERANCE.toNanos()) {
        record.setClockAheadNanos(clocksAheadNanos.get(i));
      }
      requests.add(Request.newBuilder().setRecord(record).build());
    }
    remark(problems(all(requests, STEP_LIMIT, "has not begun to measure")));
  }

  /** Files of several agents become one, with the header of the first. */
  private static final class LinesAfterFirst {
    private boolean headerSeen;

    LinesAfterFirst(boolean withHeader) {
      this.headerSeen = withHeader;
    }

    ByteString of(ByteString piece) {
      if (headerSeen) {
        return piece;
      }
      headerSeen = true;
      int end = 0;
      while (end < piece.size() && piece.byteAt(end) != '\n') {
        end++;
      }
      return piece.substring(Math.min(piece.size(), end + 1));
    }
  }

  private synchronized void remark(List<String> texts) {
    remarks.addAll(texts);
  }

  @Override
  public Optional<Long> dataBytes(int index) {
    AgentConnection agent = agents.get(index - 1);
    Request measure = Request.newBuilder().setMeasure(Measure.getDefaultInstance()).build();
    try {
      Reply reply =
          agent.await(agent.ask(measure), STEP_LIMIT, "has not measured the data of its member");
      return reply.getMeasured().hasBytes() && reply.getMeasured().getBytes() >= 0
          ? Optional.of(reply.getMeasured().getBytes())
          : Optional.empty();
    } catch (QuorateException lost) {
      remark(List.of(String.valueOf(lost.getMessage())));
      return Optional.empty();
    }
  }

  @Override
  public void stop() {
    if (measured) {
      measured = false;
      Request stop =
          Request.newBuilder().setStopRecording(StopRecording.getDefaultInstance()).build();
      remark(problems(all(stop, STEP_LIMIT, "has not sent all that it measured")));
      compareClocks();
    }
  }

  private void compareClocks() {
    for (int i = 0; i < agents.size(); i++) {
      long since =
          agents.get(i).offset().aheadNanos().orElse(clocksAheadNanos.get(i))
              - clocksAheadNanos.get(i);
      if (Math.abs(since) > CLOCK_TOLERANCE.toNanos()) {
        remark(
            List.of(
                "agent %s: its clock has moved by %s ms against ours during the run"
                    .formatted(agents.get(i).agent(), NumberFormats.fixed(since / 1e6, 0))));
      }
    }
  }

  @Override
  public synchronized List<String> remarks() {
    List<String> all = new ArrayList<>(remarks);
    agents.forEach(agent -> all.addAll(agent.remarks()));
    return all.stream().distinct().collect(Collectors.toList());
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    all(stopMember(), STEP_LIMIT, "has not stopped its member");
    heart.shutdownNow();
    List<CompletableFuture<Void>> closing =
        agents.stream()
            .map(agent -> CompletableFuture.runAsync(agent::close, AgentCluster::run))
            .toList();
    closing.forEach(CompletableFuture::join);
    closeFiles();
  }
}
