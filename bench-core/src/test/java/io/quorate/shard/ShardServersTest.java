// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.Shard;
import io.quorate.store.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardServersTest {
  private static final List<Endpoint> SERVERS = Endpoint.parseList("10.0.0.1:2379,[::1]:2380");

  @TempDir private Path directory;

  private Barrier enter(int number) {
    return Barrier.enter(
        directory, new Shard(number, 3), "etcd quick 1", Duration.ofSeconds(60), said -> {});
  }

  @Test
  void the_servers_of_one_shard_are_known_to_the_others_and_stay_until_all_have_left()
      throws Exception {
    Barrier second = enter(2);
    second.declareServers(false);
    CompletableFuture<List<Endpoint>> known =
        CompletableFuture.supplyAsync(() -> second.awaitServers(() -> false));
    Barrier first = enter(1);
    first.declareServers(true);
    Barrier third = enter(3);
    third.declareServers(false);
    first.publishServers(SERVERS);
    assertThat(known.get(60, TimeUnit.SECONDS)).isEqualTo(SERVERS);
    assertThat(third.awaitServers(() -> false)).isEqualTo(SERVERS);

    third.leaveServers(false, () -> false);
    CompletableFuture<Void> left =
        CompletableFuture.runAsync(() -> first.leaveServers(true, () -> false));
    assertThat(left).isNotDone();
    second.leaveServers(false, () -> false);
    left.get(60, TimeUnit.SECONDS);
  }

  @Test
  void agents_of_two_shards_are_refused() {
    enter(2).declareServers(true);
    Barrier third = enter(3);
    assertThatThrownBy(() -> third.declareServers(true))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "barrier "
                + directory
                + ": found agents, but shard 2 of 3 has some already, expected them of one shard:"
                + " leave out --agents for the others");
  }

  @Test
  void shards_without_any_agents_do_not_wait_for_servers() {
    enter(1).declareServers(false);
    Barrier second = enter(2);
    second.declareServers(false);
    enter(3).declareServers(false);
    assertThatThrownBy(() -> second.awaitServers(() -> false))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "barrier "
                + directory
                + ": found no agents of any of the 3 shards, expected them of one: give --agents to"
                + " one shard, or --endpoints to all");
  }

  @Test
  void a_shard_that_failed_is_waited_for_by_nobody() {
    Barrier first = enter(1);
    Barrier holder = first;
    holder.declareServers(true);
    Barrier second = enter(2);
    second.declareServers(false);
    first.fail("no agent answers");
    assertThatThrownBy(() -> second.awaitServers(() -> false))
        .isInstanceOf(QuorateException.class)
        .hasMessage("shard 1 of 3 has failed: no agent answers");
    holder.leaveServers(true, () -> false);
  }
}
