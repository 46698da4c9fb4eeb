// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.quorate.DaemonThreads;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Sessions;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Opens connections that move to another member when theirs fails, see {@link FailoverConnection}:
 * the same for every store, above its client. Streams for watches stay with their member. At most
 * {@value #MOVES_AT_ONCE} connections move at the same time; others wait.
 */
public final class FailoverClient implements StoreClient {
  private static final int MOVES_AT_ONCE = 16;
  private static final long IDLE_SECONDS = 5;

  private final StoreClient client;
  private final List<Endpoint> members;
  private final long seed;
  private final AtomicLong opened = new AtomicLong();
  private final ScheduledExecutorService moves;

  /**
   * Creates a client.
   *
   * @param client client that opens the connections to members; closed with this one
   * @param members members to which connections move
   * @param seed seed of the order in which each connection tries the members
   */
  public FailoverClient(StoreClient client, List<Endpoint> members, long seed) {
    this.client = client;
    this.members = List.copyOf(members);
    this.seed = seed;
    ScheduledThreadPoolExecutor threads =
        new ScheduledThreadPoolExecutor(MOVES_AT_ONCE, DaemonThreads.named("failover"));
    threads.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    threads.allowCoreThreadTimeOut(true);
    this.moves = threads;
  }

  /** Opens a connection to the member of the settings, which moves when that member fails. */
  @Override
  public Connection open(DriverSettings settings) {
    List<Endpoint> others = new ArrayList<>(members);
    others.remove(settings.endpoint());
    Collections.shuffle(others, new Random(seed + opened.getAndIncrement()));
    return FailoverConnection.open(client, settings, others, moves);
  }

  @Override
  public Subscriptions subscribe(DriverSettings settings) {
    return client.subscribe(settings);
  }

  /** Sessions look for another member by themselves. */
  @Override
  public Sessions sessions(List<DriverSettings> all, Duration ttl) {
    return client.sessions(all, ttl);
  }

  @Override
  public void group(int digits) {
    client.group(digits);
  }

  @Override
  public void enter(DriverSettings settings, String prefix) {
    client.enter(settings, prefix);
  }

  @Override
  public boolean leave(DriverSettings settings, String prefix) {
    return client.leave(settings, prefix);
  }

  @Override
  public void revoke(DriverSettings settings, List<String> leases) {
    client.revoke(settings, leases);
  }

  @Override
  public void close() {
    moves.shutdownNow();
    client.close();
  }
}
