package io.quorate.agent;

import io.quorate.QuorateException;
import io.quorate.agent.wire.Address;
import io.quorate.agent.wire.Plan;
import io.quorate.agent.wire.Planned;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.agent.wire.Setting;
import io.quorate.agent.wire.Start;
import io.quorate.agent.wire.StopMember;
import io.quorate.cluster.LocalMember;
import io.quorate.cluster.RemoteSecrets;
import io.quorate.results.DatabaseDirectory;
import io.quorate.store.Endpoint;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.store.server.MemberAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Starts one member at each agent: asks all for ports, tells each the addresses of all, and begins
 * anew if another program has taken a port meanwhile. The logs of the members arrive in the
 * directory of the run, until this is closed.
 */
final class AgentLaunch implements AutoCloseable {
  /** The request to stop a member. */
  static final Request STOP =
      Request.newBuilder().setStopMember(StopMember.getDefaultInstance()).build();

  private static final int ATTEMPTS = 5;
  private static final Duration PLAN_LIMIT = Duration.ofSeconds(30);
  private static final Duration START_LIMIT = Duration.ofSeconds(90);

  private final Store database;
  private final ServerSettings settings;
  private final Optional<RemoteSecrets> secrets;
  private final AgentGroup group;
  private final DatabaseDirectory directory;
  private final List<ReceivedFile> files = new ArrayList<>();

  /**
   * A member that serves requests.
   *
   * @param endpoints of its servers; clients connect to the first one
   */
  record StartedMember(List<Endpoint> endpoints, String version) {}

  /**
   * @param secrets of the members; empty for plain text
   * @param directory of the run
   */
  AgentLaunch(
      Store database,
      ServerSettings settings,
      Optional<RemoteSecrets> secrets,
      AgentGroup group,
      DatabaseDirectory directory) {
    this.database = database;
    this.settings = settings;
    this.secrets = secrets;
    this.group = group;
    this.directory = directory;
  }

  /**
   * Starts all members and returns them in the order of the agents.
   *
   * @throws QuorateException with the reason of each agent whose member cannot be started
   */
  List<StartedMember> all() {
    for (int attempt = 1; ; attempt++) {
      List<Planned> planned = plan();
      List<MemberAddress> addresses =
          planned.stream().map(each -> address(each.getAddress())).toList();
      List<Reply> replies = launch(planned, addresses);
      List<String> problems = group.problems(replies);
      if (problems.isEmpty()) {
        return started(addresses, replies);
      }
      boolean taken = replies.stream().anyMatch(reply -> reply.getFailed().getPortTaken());
      if (!taken || attempt == ATTEMPTS) {
        throw new QuorateException(String.join("\n", problems));
      }
    }
  }

  private List<Planned> plan() {
    close();
    for (int i = 0; i < group.connections().size(); i++) {
      for (String log : LocalMember.logFiles(database, i + 1)) {
        ReceivedFile file = file(directory.path().resolve(log));
        agent(i).expect(log, piece -> file.append(piece, Protocol.MAX_FILE_BYTES));
      }
    }
    List<Request> plans =
        IntStream.rangeClosed(1, group.connections().size())
            .mapToObj(
                index ->
                    Request.newBuilder()
                        .setPlan(
                            chosen()
                                .setStore(database.id())
                                .setIndex(index)
                                .setMembers(group.connections().size()))
                        .build())
            .toList();
    List<Reply> replies = group.all(plans, PLAN_LIMIT, "has not chosen ports");
    List<String> problems = group.problems(replies);
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    return replies.stream().map(Reply::getPlanned).toList();
  }

  private Plan.Builder chosen() {
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

  private ReceivedFile file(Path path) {
    ReceivedFile file = ReceivedFile.create(path);
    files.add(file);
    return file;
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

  private List<StartedMember> started(List<MemberAddress> addresses, List<Reply> replies) {
    List<StartedMember> started = new ArrayList<>();
    for (int i = 0; i < replies.size(); i++) {
      String host = addresses.get(i).host();
      List<Integer> ports = replies.get(i).getStarted().getPortsList();
      if (ports.isEmpty()
          || ports.size() != ports.stream().distinct().count()
          || !addresses.get(i).ports().containsAll(ports)) {
        throw new QuorateException(
            "agent %s says ports that it did not plan".formatted(agent(i).agent()));
      }
      started.add(
          new StartedMember(
              ports.stream().map(port -> new Endpoint(host, port)).toList(),
              Protocol.word(replies.get(i).getStarted().getVersion())));
    }
    return started;
  }

  private AgentConnection agent(int number) {
    return group.connections().get(number);
  }

  /** Closes the files of the logs. */
  @Override
  public void close() {
    files.forEach(ReceivedFile::close);
    files.clear();
  }
}
