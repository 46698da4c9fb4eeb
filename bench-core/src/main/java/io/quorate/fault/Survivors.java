// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.QuorateException;
import io.quorate.cluster.Cluster;
import io.quorate.load.Load;
import io.quorate.results.LockRecord;
import io.quorate.results.SessionRecord;
import io.quorate.results.WatchedWrite;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.Scenario;
import io.quorate.store.DriverSettings;
import io.quorate.store.Sessions;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import java.time.Duration;
import java.util.List;

/**
 * Clients next to the load whose sessions, locks and watches have to survive the faults of a run.
 * They use the default client of the store, whatever the load uses. Their number, TTL, and requests
 * are the same for all stores.
 */
public final class Survivors implements AutoCloseable {
  /** TTL of all sessions: the shortest of Consul. */
  private static final Duration TTL = Duration.ofSeconds(10);

  /** Deadline of a request, after which the next member is asked. */
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(1);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

  private final Load load;
  private final StoreClient client;
  private final Sessions sessions;
  private final MemberConnections connections;
  private final SessionClients sessionClients;
  private final LockClients lockClients;
  private final WatchClients watchClients;

  /** Receives what the clients observed, on their threads. */
  public interface Output {
    /** Receives sessions that have ended, and all others at the end of the run. */
    void sessions(List<SessionRecord> ended);

    /** Receives a time in which a client held a lock. */
    void lock(LockRecord held);

    /** Receives all watched writes, at the end of the run. */
    void writes(List<WatchedWrite> all);
  }

  /**
   * Opens sessions and watches, over all members.
   *
   * @param originNanos nano time at which the times of the history begin
   * @throws QuorateException if that fails
   */
  public Survivors(
      Cluster cluster,
      Store store,
      Load load,
      Scenario scenario,
      FaultPlan plan,
      Output output,
      long originNanos) {
    this.load = load;
    List<DriverSettings> members =
        cluster.members().stream()
            .map(
                each ->
                    new DriverSettings(
                        each.endpoint(), REQUEST_TIMEOUT, CONNECT_TIMEOUT, cluster.access()))
            .toList();
    List<String> names = cluster.members().stream().map(each -> each.name()).toList();
    String prefix = scenario.requests().keys().prefix();
    this.client = store.clients().get(0).start();
    this.sessions = client.sessions(members, TTL);
    this.connections = new MemberConnections(client, members);
    this.sessionClients =
        new SessionClients(sessions, names, connections, prefix, originNanos, output::sessions);
    this.lockClients =
        new LockClients(sessions, plan.sessions(), names.size(), prefix, originNanos, output::lock);
    this.watchClients =
        new WatchClients(connections, store.watches(), prefix, originNanos, output::writes);
    sessionClients.start(plan.sessions());
    watchClients.prepare(plan.watches(), client, members);
  }

  /**
   * Returns how many keys the clients next to the load, and those that contend for keys, have at
   * most at a time: each injection abandons a session of each member.
   */
  public static long mostKeys(FaultPlan plan, int members) {
    long abandoned = (long) plan.kinds().size() * plan.times() * members;
    return Contenders.MOST_KEYS
        + WatchClients.MOST_KEYS
        + LockClients.LOCKS
        + plan.sessions()
        + abandoned;
  }

  /** Begins to write the watched keys, and to contend for the locks. */
  public void start() {
    lockClients.start();
    watchClients.start();
  }

  /** Lets some clients stop as if they had died. Does not wait. */
  public void faultBegins() {
    sessionClients.faultBegins();
  }

  /** Ends the writes and the locks; sessions and watches stay. Idempotent. */
  public void stop() {
    lockClients.close();
    watchClients.stop();
  }

  /** Waits for held locks, late events and the end of abandoned sessions, up to a limit. */
  public void await() {
    lockClients.await();
    watchClients.awaitEvents(load::isCancelled);
    sessionClients.awaitEnds(load::isCancelled);
  }

  /** Records what has not ended, and ends everything. Idempotent. */
  @Override
  public void close() {
    stop();
    watchClients.close();
    sessionClients.close();
    sessions.close();
    connections.close();
    client.close();
  }
}
