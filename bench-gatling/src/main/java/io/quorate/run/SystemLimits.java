// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import com.sun.management.UnixOperatingSystemMXBean;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.ClientKind;
import io.quorate.store.SessionSupport;
import io.quorate.store.Store;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The limits of the system for a process of this user. Load generators and local servers inherit
 * them.
 *
 * @param openFiles open files of each process; empty if the limit is not known
 * @param tasks processes and threads of this user together; empty without a limit
 */
record SystemLimits(OptionalLong openFiles, OptionalLong tasks) {
  /**
   * Number of files other than client connections: jars, logs, pipes, connections between members.
   */
  private static final int OTHER_FILES = 200;

  private static final int OTHER_TASKS = 200;

  static SystemLimits ofThisProcess() {
    return new SystemLimits(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? OptionalLong.of(unix.getMaxFileDescriptorCount())
            : OptionalLong.empty(),
        "root".equals(System.getProperty("user.name"))
            ? OptionalLong.empty()
            : tasks(Path.of("/proc/self/limits")));
  }

  static OptionalLong tasks(Path limits) {
    try {
      Matcher line =
          Pattern.compile("(?m)^Max processes +(\\d+) ").matcher(Files.readString(limits));
      return line.find() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
    } catch (IOException | NumberFormatException notLinux) {
      return OptionalLong.empty();
    }
  }

  /** Returns the limits that are too low, each with the necessary number and advice. */
  List<String> problems(Scenario scenario, StoreLoad load, boolean local) {
    List<String> problems = new ArrayList<>();
    if (!load.database().hasServers()) {
      return problems;
    }
    int connections =
        load.steps().stream()
            .mapToInt(
                step ->
                    connections(step, load.database()) + sessions(scenario, step, load.database()))
            .max()
            .orElseThrow();
    long files = filesOfLoadGenerator(load.client(), connections);
    if (local) {
      files = Math.max(files, filesOfServer(scenario, connections));
    }
    String need = "%s: %d connections need ".formatted(load.database(), connections);
    if (openFiles.isPresent() && openFiles.getAsLong() < files) {
      problems.add(
          need
              + "%d open files in one process, but the limit is %d: %s"
                  .formatted(files, openFiles.getAsLong(), advice('n', files, "LimitNOFILE")));
    }
    long threads = OTHER_TASKS + (long) load.client().threadsPerConnection() * connections;
    if (tasks.isPresent() && tasks.getAsLong() < threads) {
      problems.add(
          need
              + "%d threads, but the limit is %d for all processes of this user: %s"
                  .formatted(threads, tasks.getAsLong(), advice('u', threads, "TasksMax")));
    }
    return problems;
  }

  private static String advice(char option, long needed, String ofService) {
    return "raise it with 'ulimit -%s %d' (if that is refused: %s= of the service, or /etc/security/limits.conf), or take fewer connections"
        .formatted(option, needed, ofService);
  }

  private static int connections(Step step, Store database) {
    return step.connections()
        + step.watch()
            .map(watch -> database.watches().connections(watch.watchers(), watch.streams()))
            .orElse(0);
  }

  /** Returns the number of connections of the sessions of clients. */
  private static int sessions(Scenario scenario, Step step, Store database) {
    boolean connected =
        scenario.requests().mix().sessions().isPresent()
            && database.sessions().filter(SessionSupport::connected).isPresent();
    return connected && step.model() instanceof LoadModel.Closed closed ? closed.clients() : 0;
  }

  private static long filesOfLoadGenerator(ClientKind client, int connections) {
    int jars = System.getProperty("java.class.path").split(":").length;
    return OTHER_FILES + jars + (long) client.filesPerConnection() * connections;
  }

  private static long filesOfServer(Scenario scenario, int connections) {
    int members =
        switch (scenario.requests().routing()) {
          case SPREAD -> scenario.cluster().members();
          case LEADER, NEAREST, NON_VOTER -> 1;
          case FOLLOWERS -> Math.max(1, scenario.cluster().members() - 1);
        };
    return OTHER_FILES + ((long) connections + members - 1) / members;
  }
}
