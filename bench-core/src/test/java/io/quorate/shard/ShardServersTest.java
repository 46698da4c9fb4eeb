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
    ShardServers second = ShardServers.of(enter(2), false);
    CompletableFuture<List<Endpoint>> known =
        CompletableFuture.supplyAsync(() -> second.await(() -> false));
    ShardServers first = ShardServers.of(enter(1), true);
    ShardServers third = ShardServers.of(enter(3), false);
    first.publish(SERVERS);
    assertThat(known.get(60, TimeUnit.SECONDS)).isEqualTo(SERVERS);
    assertThat(third.await(() -> false)).isEqualTo(SERVERS);

    third.leave(() -> false);
    CompletableFuture<Void> left = CompletableFuture.runAsync(() -> first.leave(() -> false));
    assertThat(left).isNotDone();
    second.leave(() -> false);
    left.get(60, TimeUnit.SECONDS);
  }

  @Test
  void agents_of_two_shards_are_refused() {
    ShardServers.of(enter(2), true);
    Barrier third = enter(3);
    assertThatThrownBy(() -> ShardServers.of(third, true))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "barrier "
                + directory
                + ": found agents, but shard 2 of 3 has some already, expected them of one shard:"
                + " leave out --agents for the others");
  }

  @Test
  void shards_without_any_agents_do_not_wait_for_servers() {
    ShardServers.of(enter(1), false);
    ShardServers second = ShardServers.of(enter(2), false);
    ShardServers.of(enter(3), false);
    assertThatThrownBy(() -> second.await(() -> false))
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
    ShardServers holder = ShardServers.of(first, true);
    ShardServers second = ShardServers.of(enter(2), false);
    first.fail("no agent answers");
    assertThatThrownBy(() -> second.await(() -> false))
        .isInstanceOf(QuorateException.class)
        .hasMessage("shard 1 of 3 has failed: no agent answers");
    holder.leave(() -> false);
  }
}
