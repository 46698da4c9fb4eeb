// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.cluster.Launch.RunningServers;
import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.store.Access;
import io.quorate.store.Store;
import io.quorate.store.server.MemberAddress;
import io.quorate.store.server.ProgramLocator;
import io.quorate.stores.Stores;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One member, on this machine, of a cluster whose other members may run elsewhere. It ends with
 * {@link #close()} or with this JVM, as a {@link LocalCluster} does. Not for several threads, but
 * {@link #failures()} is for any.
 */
public final class LocalMember implements AutoCloseable {
  private final Store database;
  private final int index;
  private final MemberAddress address;
  private final Launch launch;
  private final ProgramLocator installed;
  private volatile @Nullable GuardedProcesses processes;
  private Access access = Access.PLAIN;

  private LocalMember(
      Store database, int index, MemberAddress address, Launch launch, ProgramLocator installed) {
    this.database = database;
    this.index = index;
    this.address = address;
    this.launch = launch;
    this.installed = installed;
  }

  /**
   * Chooses free ports for a member; starts nothing yet.
   *
   * @param index index of the member, from 1
   * @param host the IPv4 address of this machine at which its servers are to listen
   * @param directory directory that gets {@code logs}, which stay, and {@code data}, which is
   *     removed at the end
   * @throws QuorateException if a program is not installed, or there are no free ports
   */
  public static LocalMember plan(
      Store database, int index, String host, Path directory, ClusterSettings settings) {
    if (!database.hasServers()) {
      throw new QuorateException(
          "the " + database.title() + " has no servers that could be started");
    }
    Launch launch = new Launch(database, LocalCluster.absolute(directory), settings, false);
    List<Integer> ports =
        Ports.free(host, ThreadLocalRandom.current()).choose(1, launch.portsPerMember()).get(0);
    return new LocalMember(
        database, index, new MemberAddress(host, ports), launch, settings.installation());
  }

  /** Returns the paths of the logs of a member's servers, relative to its directory. */
  public static List<String> logFiles(Store database, int index) {
    return Stores.servers(database).kinds().stream()
        .map(kind -> "logs/" + kind.id() + "-" + index + ".log")
        .toList();
  }

  /** Returns the address where it will listen, for the other members. */
  public MemberAddress address() {
    return address;
  }

  /**
   * Starts the member and waits until it serves requests, which takes a majority of the members.
   *
   * @param members addresses of all members, in the order of their index, including this one
   * @param secrets secrets for TLS; empty for plain text
   * @throws PortTakenException if another program took one of its ports meanwhile
   * @throws QuorateException if one of its servers cannot be started, ends, or is not ready in
   *     time, with the last lines of its log; or if the addresses are wrong. None is left running
   *     then
   */
  public void start(List<MemberAddress> members, Optional<MemberSecrets> secrets) {
    if (index > members.size() || !members.get(index - 1).equals(address)) {
      throw new QuorateException(
          "%s-%s listens at %s, but is to be started as another one"
              .formatted(database, index, address));
    }
    if (members.stream().anyMatch(each -> each.ports().size() != address.ports().size())) {
      throw new QuorateException(
          "every member of %s needs %s ports".formatted(database, address.ports().size()));
    }
    RunningServers started = launch.member(index, members, secrets);
    access = started.access();
    processes = started.processes();
  }

  public Member member() {
    return LocalCluster.members(running()).get(0);
  }

  private GuardedProcesses running() {
    GuardedProcesses running = processes;
    if (running == null) {
      throw new IllegalStateException(database + "-" + index + " was not started");
    }
    return running;
  }

  /** Returns the control of its process. */
  public MemberControl control() {
    return new ProcessControl(running(), installed, access, Optional.empty());
  }

  /** Returns the version that it reports; empty if it reports none. */
  public String version() {
    return FileAction.require(
        "%s-%s does not answer".formatted(database, index),
        () -> new MemberProtocol(database, access).ask(member()).version());
  }

  /** Returns the access with which the member is asked; plain text before it was started. */
  public Access access() {
    return access;
  }

  /** Returns one line about each of its servers that has ended by itself since the start. */
  public List<String> failures() {
    GuardedProcesses running = processes;
    return running == null ? List.of() : running.failures();
  }

  /** Stops the member and removes its data; leaves logs. Idempotent. */
  @Override
  public void close() {
    if (processes != null) {
      processes.stop();
    }
  }
}
