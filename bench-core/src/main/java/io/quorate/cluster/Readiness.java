package io.quorate.cluster;

import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.cluster.process.ServerProcess;
import io.quorate.store.Access;
import io.quorate.store.server.ServerPlan;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Waits until started servers serve requests. Otherwise it reports which server ended, could not
 * listen, or did not answer in time, with the end of its log.
 */
final class Readiness {
  private static final int LOG_LINES = 15;
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration ASK_TIMEOUT = Duration.ofSeconds(2);

  private final String title;
  private final GuardedProcesses processes;
  private final Access access;
  private final Duration limit;
  private final long deadline;

  /**
   * Prepares to wait.
   *
   * @param title title of the store
   * @param processes all started servers, including other kinds; none of them may end
   * @param limit time limit for all servers together, from now on
   */
  Readiness(String title, GuardedProcesses processes, Access access, Duration limit) {
    this.title = title;
    this.processes = processes;
    this.access = access;
    this.limit = limit;
    this.deadline = System.nanoTime() + limit.toNanos();
  }

  /**
   * Waits until servers are ready.
   *
   * @param peers number of servers of their kind, on all machines
   * @param oneLeads whether one of them has to lead
   * @throws QuorateException if a server ends, or they are not ready in time
   */
  void await(List<ServerPlan> ours, int peers, boolean oneLeads) {
    while (true) {
      Map<String, String> answers = new LinkedHashMap<>();
      int ready = 0;
      int leaders = 0;
      for (ServerPlan plan : ours) {
        try {
          ServerProtocol.State state =
              plan.kind().protocol().askStarted(plan.endpoint(), access, peers, ASK_TIMEOUT);
          ready += state.ready() ? 1 : 0;
          leaders += state.leads() ? 1 : 0;
          answers.put(plan.name(), state.said());
        } catch (IOException silent) {
          answers.put(plan.name(), String.valueOf(silent.getMessage()));
        }
      }
      failOnDead();
      if (ready == ours.size() && (!oneLeads || leaders == 1)) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw notReady(answers);
      }
      Pause.of(POLL, title + " to be ready");
    }
  }

  private void failOnDead() {
    for (ServerProcess server : processes.servers()) {
      if (foundPortTaken(server)) {
        throw new PortTakenException(
            server.plan().name()
                + " cannot listen: one of its ports of "
                + server.plan().host()
                + " ("
                + server.plan().address().ports().stream()
                    .map(String::valueOf)
                    .collect(Collectors.joining(", "))
                + ") is taken. "
                + server.log().block(LOG_LINES));
      }
      if (!server.isAlive()) {
        throw new QuorateException(
            server.plan().name()
                + " "
                + server.end()
                + " while it was starting"
                + server.fullDisk().orElseGet(() -> ". " + server.log().block(LOG_LINES)));
      }
    }
  }

  /** Returns whether a port is taken: zetcd logs nothing, so its ports are tried. */
  private static boolean foundPortTaken(ServerProcess server) {
    return server.log().tellsOfTakenPort()
        || !server.isAlive()
            && !server.plan().address().ports().stream()
                .allMatch(port -> Ports.isFree(server.plan().host(), port));
  }

  private QuorateException notReady(Map<String, String> answers) {
    List<String> lines = new ArrayList<>();
    lines.add(title + " was not ready within " + limit.toSeconds() + " s.");
    answers.forEach((name, answer) -> lines.add(name + ": " + VisibleText.line(answer)));
    processes.servers().forEach(server -> lines.add(server.log().block(LOG_LINES)));
    return new QuorateException(String.join("\n", lines));
  }
}
