// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl;
import io.quorate.cluster.process.PowerCutDisk;
import io.quorate.results.FaultRecord;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.PowerCut;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Faults of servers that answer to the four-letter words of ZooKeeper. */
class FaultInjectorTest {
  private static final long MS = 1_000_000;

  /** Three servers, of which the second one leads while the first is away. */
  private static final class Servers implements Cluster, MemberControl {
    private final List<ServerSocket> sockets = new ArrayList<>();
    private final List<Member> members = new ArrayList<>();
    private final CountDownLatch signalled = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean isFirstAway;
    private volatile boolean servesAfterRestart;
    private volatile boolean isDeviceFull;
    private volatile long signalNanos;

    /** How often it is asked whether a process has ended before one has. */
    private final AtomicInteger checksUntilEnd = new AtomicInteger();

    private final List<String> cuts = new CopyOnWriteArrayList<>();
    private final List<String> restarted = new CopyOnWriteArrayList<>();
    private final List<Long> servedAgainNanos = new CopyOnWriteArrayList<>();

    Servers() throws IOException {
      for (int i = 1; i <= 3; i++) {
        ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        sockets.add(socket);
        members.add(
            Member.elsewhere(i, "zk-" + i, new Endpoint("127.0.0.1", socket.getLocalPort())));
        int index = i;
        DaemonThreads.start("server", () -> serve(socket, index));
      }
    }

    private void serve(ServerSocket socket, int index) {
      while (!socket.isClosed()) {
        try (Socket client = socket.accept()) {
          client.getInputStream().readNBytes(4);
          asked.incrementAndGet();
          if (index > 1 || !isFirstAway) {
            boolean leads = index == (isFirstAway ? 2 : 1);
            client
                .getOutputStream()
                .write(
                    ("Zookeeper version: 3.9.5-x\nMode: " + (leads ? "leader" : "follower") + "\n")
                        .getBytes(StandardCharsets.US_ASCII));
          }
        } catch (IOException closed) {
          // by a client, or at the end
        }
      }
    }

    void serveAgain() {
      servedAgainNanos.add(System.nanoTime());
      isFirstAway = false;
    }

    @Override
    public void send(Member member, Signal signal) {
      signalNanos = System.nanoTime();
      isFirstAway = true;
      signalled.countDown();
    }

    @Override
    public boolean hasEnded(Member member) {
      return checksUntilEnd.getAndDecrement() <= 0;
    }

    @Override
    public List<PowerCutDisk.Loss> cutPower(List<Member> cut, long seed, Runnable begins) {
      begins.run();
      cuts.add(seed + " " + cut.stream().map(Member::name).toList());
      return cut.stream().map(each -> new PowerCutDisk.Loss(each.index() - 1, 1, 0)).toList();
    }

    @Override
    public Impairment impairDisk(Member member, PowerCutDisk.Defect defect) {
      return new Impairment() {
        @Override
        public boolean isObserved() {
          return true;
        }

        @Override
        public boolean mayEndProcess() {
          return true;
        }

        @Override
        public void close() {
          checksUntilEnd.set(1);
        }
      };
    }

    @Override
    public boolean isPaused(Member member) {
      return false;
    }

    @Override
    public void restart(Member member) {
      if (isDeviceFull) {
        throw new QuorateException("no space left");
      }
      restarted.add(member.name());
      if (servesAfterRestart) {
        serveAgain();
      }
    }

    @Override
    public Store database() {
      return ZooKeeperStore.STORE;
    }

    @Override
    public List<Member> members() {
      return members;
    }

    @Override
    public Optional<Member> leader() {
      return members.stream().filter(protocol()::isLeading).findFirst();
    }

    @Override
    public String version() {
      return "";
    }

    @Override
    public Optional<MemberControl> control() {
      return Optional.of(this);
    }

    @Override
    public void close() {
      for (ServerSocket each : sockets) {
        try {
          each.close();
        } catch (IOException failure) {
          throw new AssertionError(failure);
        }
      }
    }
  }

  private static FaultPlan plan(int times, long lengthMs, long quietMs, long jitterMs) {
    return plan(Fault.KILL_LEADER, times, lengthMs, quietMs, jitterMs);
  }

  private static FaultPlan plan(
      Fault fault, int times, long lengthMs, long quietMs, long jitterMs) {
    return new FaultPlan(
        List.of(new FaultPlan.Kind(fault, Duration.ofMillis(lengthMs))),
        times,
        Duration.ofMillis(quietMs),
        Duration.ofMillis(jitterMs),
        Duration.ofMillis(100),
        0,
        0,
        PowerCut.DEFAULT);
  }

  @Test
  void times_begin_with_the_signal_and_nothing_delays_it() throws Exception {
    BlockingQueue<FaultRecord> records = new LinkedBlockingQueue<>();
    BlockingQueue<Boolean> wasSignalled = new LinkedBlockingQueue<>();
    try (Servers servers = new Servers();
        FaultInjector injector =
            new FaultInjector(
                servers,
                FaultCommands.NONE,
                plan(1, 2_000, 50, 0),
                1,
                0,
                () -> {
                  try {
                    wasSignalled.add(servers.signalled.await(5, TimeUnit.SECONDS));
                  } catch (InterruptedException interrupt) {
                    throw new AssertionError(interrupt);
                  }
                },
                fault -> {
                  records.add(fault);
                  servers.serveAgain();
                },
                line -> {})) {
      injector.start();
      FaultRecord fault = records.poll(60, TimeUnit.SECONDS);
      assertThat(wasSignalled.poll(60, TimeUnit.SECONDS)).isTrue();
      assertThat(fault.problem()).isEmpty();
      assertThat(fault.startNanos()).isLessThanOrEqualTo(servers.signalNanos);
      assertThat(fault.leaderAfter()).contains("zk-2");
      assertThat(fault.electedNanos().orElseThrow()).isGreaterThan(servers.signalNanos);
    }
  }

  @Test
  void a_fault_after_a_slow_one_has_its_calm_time() throws Exception {
    BlockingQueue<FaultRecord> records = new LinkedBlockingQueue<>();
    long quietMs = 400;
    try (Servers servers = new Servers();
        FaultInjector injector =
            new FaultInjector(
                servers,
                FaultCommands.NONE,
                plan(2, 200, quietMs, 600),
                4, // delays the second fault by 52 ms, so it was due 248 ms too early
                0,
                () -> {},
                fault -> {
                  records.add(fault);
                  DaemonThreads.start(
                      "slow",
                      () -> {
                        new StopSignal().sleepUntil(System.nanoTime() + 300 * MS);
                        servers.serveAgain();
                      });
                },
                line -> {})) {
      injector.start();
      assertThat(records.poll(60, TimeUnit.SECONDS).problem()).isEmpty();
      FaultRecord second = records.poll(60, TimeUnit.SECONDS);
      long calm = servers.servedAgainNanos.get(0);
      assertThat(second)
          .matches(each -> !each.tookEffect() || each.startNanos() - calm >= quietMs * MS);
    }
  }

  @Test
  void members_are_restarted_one_after_the_other_and_the_leader_is_the_last_one() throws Exception {
    BlockingQueue<FaultRecord> records = new LinkedBlockingQueue<>();
    try (Servers servers = new Servers();
        FaultInjector injector =
            new FaultInjector(
                servers,
                FaultCommands.NONE,
                plan(Fault.ROLLING_RESTART, 1, 50, 50, 0),
                1,
                0,
                () -> {},
                records::add,
                line -> {})) {
      servers.servesAfterRestart = true;
      injector.start();
      FaultRecord restart = records.poll(60, TimeUnit.SECONDS);
      assertThat(restart.problem()).isEmpty();
      assertThat(restart.members()).containsExactly("zk-2", "zk-3", "zk-1");
      assertThat(servers.servedAgainNanos).hasSize(3);
    }
  }

  private static FaultRecord inject(Servers servers, Fault fault) throws Exception {
    BlockingQueue<FaultRecord> records = new LinkedBlockingQueue<>();
    try (FaultInjector injector =
        new FaultInjector(
            servers,
            FaultCommands.NONE,
            plan(fault, 1, 50, 50, 0),
            1,
            0,
            () -> {},
            records::add,
            line -> {})) {
      injector.start();
      return records.poll(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void the_power_of_all_members_is_cut_at_once_and_the_record_says_how_many_lost_something()
      throws Exception {
    try (Servers servers = new Servers()) {
      FaultRecord cut = inject(servers, Fault.POWER_CUT_ALL);
      assertThat(cut.problem()).isEmpty();
      assertThat(servers.cuts).containsExactly("1000004 [zk-1, zk-2, zk-3]");
      assertThat(cut.observed())
          .contains(
              "2 of 3 members lost something (seed 1000004): zk-1 lost nothing;"
                  + " zk-2 lost 1 bytes in 1 file and 0 entries;"
                  + " zk-3 lost 2 bytes in 1 file and 0 entries");
      assertThat(servers.restarted).containsExactly("zk-1", "zk-2", "zk-3");
    }
  }

  @Test
  void a_member_that_ends_shortly_after_a_fault_of_its_disk_starts_again() throws Exception {
    try (Servers servers = new Servers()) {
      servers.checksUntilEnd.set(1_000_000);
      FaultRecord full = inject(servers, Fault.DISK_FULL_FOLLOWER);
      assertThat(servers.restarted).containsExactly("zk-2");
      assertThat(full.observed()).contains("zk-2 ended: it logged nothing");
      assertThat(full.notStarted()).isEmpty();
    }
  }

  @Test
  void a_member_that_cannot_be_started_again_is_not_waited_for() throws Exception {
    BlockingQueue<FaultRecord> records = new LinkedBlockingQueue<>();
    List<String> said = new CopyOnWriteArrayList<>();
    try (Servers servers = new Servers()) {
      servers.isDeviceFull = true;
      FaultInjector injector =
          new FaultInjector(
              servers,
              FaultCommands.NONE,
              plan(1, 50, 50, 0),
              1,
              0,
              () -> {},
              records::add,
              said::add);
      injector.start();
      assertThat(records.poll(60, TimeUnit.SECONDS).problem()).contains("no space left");
      int before = servers.asked.get();
      injector.close();

      assertThat(injector.silent()).containsExactly("zk-1");
      assertThat(said).containsOnlyOnce("not all members run again: no space left");
      // until then each poll asks all three, 20 times a second
      assertThat(servers.asked.get() - before).isLessThan(100);
    }
  }
}
