package io.quorate.agent;

import io.quorate.QuorateException;
import io.quorate.agent.wire.Hello;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.store.Endpoint;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** The agents of one cluster, all of them held, and asked together. Safe for several threads. */
final class AgentGroup implements AutoCloseable {
  private final List<AgentConnection> agents;
  private final ScheduledExecutorService heart =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "quorate-heartbeat");
            thread.setDaemon(true);
            return thread;
          });
  private volatile IntSupplier clients = () -> 0;

  private AgentGroup(List<AgentConnection> agents) {
    this.agents = List.copyOf(agents);
    long millis = Protocol.HEARTBEAT.toMillis();
    heart.scheduleAtFixedRate(this::beat, 0, millis, TimeUnit.MILLISECONDS);
  }

  private void beat() {
    int now = clients.getAsInt();
    agents.forEach(agent -> agent.beat(now));
  }

  /**
   * Holds all of these, which hear from then on that the load generator lives.
   *
   * @throws QuorateException with all that is wrong if one cannot be had; none is held then
   */
  static AgentGroup open(
      List<Endpoint> addresses, Optional<KeyDirectory> keys, Clock clock, Hello hello) {
    return new AgentGroup(connect(addresses, keys, clock, hello));
  }

  private static List<AgentConnection> connect(
      List<Endpoint> addresses, Optional<KeyDirectory> keys, Clock clock, Hello hello) {
    List<CompletableFuture<AgentConnection>> opening =
        addresses.stream()
            .map(
                agent ->
                    CompletableFuture.supplyAsync(
                        () -> AgentConnection.open(agent, keys, clock, hello), AgentGroup::run))
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

  /** In the order of the members. */
  List<AgentConnection> connections() {
    return agents;
  }

  /** What agents are told about the number of clients from now on. */
  void tell(IntSupplier present) {
    clients = present;
  }

  /** The answers of all to the same, in their order. */
  List<Reply> all(Request request, Duration limit, String otherwise) {
    return all(agents.stream().map(any -> request).toList(), limit, otherwise);
  }

  /** The answer of each to its own. */
  List<Reply> all(List<Request> requests, Duration limit, String otherwise) {
    List<CompletableFuture<Reply>> answers =
        IntStream.range(0, requests.size())
            .mapToObj(i -> agents.get(i).ask(requests.get(i)))
            .toList();
    return await(answers, limit, otherwise);
  }

  /** In the order of the agents; what went wrong with a connection is a failed step, too. */
  List<Reply> await(List<CompletableFuture<Reply>> answers, Duration limit, String otherwise) {
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

  /** What failed, with the name of the agent. */
  List<String> problems(List<Reply> replies) {
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

  /** How members ended by themselves, and how connections were lost. */
  List<String> failures() {
    return agents.stream().flatMap(agent -> agent.failures().stream()).toList();
  }

  /** Lets all go, and waits until each has stopped its member. Idempotent. */
  @Override
  public void close() {
    heart.shutdownNow();
    List<CompletableFuture<Void>> closing =
        agents.stream()
            .map(agent -> CompletableFuture.runAsync(agent::close, AgentGroup::run))
            .toList();
    closing.forEach(CompletableFuture::join);
  }
}
