// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.agent.wire.Hello;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.store.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** The agents of one cluster, which are asked together. Safe for several threads. */
final class AgentGroup implements AutoCloseable {
  private final List<AgentConnection> agents;
  private final ScheduledExecutorService heart = DaemonThreads.clock("quorate-heartbeat");
  private volatile IntSupplier clients = () -> 0;

  /**
   * Connects to all these agents, and sends heartbeats from then on.
   *
   * @throws QuorateException with all problems if one is not available; none is held then
   */
  AgentGroup(List<Endpoint> addresses, Optional<KeyDirectory> keys, Hello hello) {
    this.agents = connect(addresses, keys, hello);
    long millis = Protocol.HEARTBEAT.toMillis();
    heart.scheduleAtFixedRate(this::beat, 0, millis, TimeUnit.MILLISECONDS);
  }

  private void beat() {
    int now = clients.getAsInt();
    agents.forEach(agent -> agent.beat(now));
  }

  private static List<AgentConnection> connect(
      List<Endpoint> addresses, Optional<KeyDirectory> keys, Hello hello) {
    List<CompletableFuture<AgentConnection>> opening =
        addresses.stream()
            .map(
                agent ->
                    CompletableFuture.supplyAsync(
                        () -> AgentConnection.open(agent, keys, hello), AgentGroup::run))
            .toList();
    List<AgentConnection> open = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (CompletableFuture<AgentConnection> each : opening) {
      each.handle(
              (connection, failure) ->
                  failure == null
                      ? open.add(connection)
                      : problems.add(
                          String.valueOf(Objects.requireNonNull(failure.getCause()).getMessage())))
          .join();
    }
    if (!problems.isEmpty()) {
      open.forEach(AgentConnection::close);
      throw new QuorateException(String.join("\n", problems));
    }
    return open;
  }

  private static void run(Runnable work) {
    DaemonThreads.start("quorate-agent-connection", work);
  }

  List<AgentConnection> connections() {
    return agents;
  }

  /** Sets the source of the number of clients that heartbeats carry from now on. */
  void tell(IntSupplier present) {
    clients = present;
  }

  List<Reply> all(Request request, Duration limit, String otherwise) {
    return all(agents.stream().map(any -> request).toList(), limit, otherwise);
  }

  List<Reply> all(List<Request> requests, Duration limit, String otherwise) {
    List<CompletableFuture<Reply>> answers =
        IntStream.range(0, requests.size())
            .mapToObj(i -> agents.get(i).ask(requests.get(i)))
            .toList();
    return await(answers, limit, otherwise);
  }

  /** Waits for the answers; a lost connection counts as a failed step as well. */
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

  List<String> failures() {
    return agents.stream().flatMap(agent -> agent.failures().stream()).toList();
  }

  /** Releases all agents, and waits until each has stopped its member. Idempotent. */
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
