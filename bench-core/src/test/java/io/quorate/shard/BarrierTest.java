// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.Shard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BarrierTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private Barrier enter(int number, int count) {
    return Barrier.enter(directory, new Shard(number, count), "etcd quick 1", PATIENCE, said -> {});
  }

  private static CompletableFuture<Long> await(Barrier barrier, int step) {
    // all wait at once, for which the common pool has too few threads on some machines
    return CompletableFuture.supplyAsync(
        () -> barrier.await(step, Optional.empty(), () -> false),
        waiting -> new Thread(waiting).start());
  }

  @Test
  void all_shards_are_told_the_same_time_to_begin_each_step() throws Exception {
    List<Barrier> shards = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      shards.add(enter(number, 3));
    }
    for (int step = 1; step <= 2; step++) {
      long before = BarrierClock.unixNanos(Instant.now());
      List<CompletableFuture<Long>> told = new ArrayList<>();
      for (Barrier shard : shards) {
        told.add(await(shard, step));
      }
      long begins = told.get(0).get(60, TimeUnit.SECONDS);
      assertThat(begins).isGreaterThan(before);
      assertThat(told.get(1).get(60, TimeUnit.SECONDS)).isEqualTo(begins);
      assertThat(told.get(2).get(60, TimeUnit.SECONDS)).isEqualTo(begins);
    }
  }

  @Test
  void a_given_time_is_that_of_all() throws Exception {
    Instant at = Instant.parse("2033-01-01T00:00:00.000000001Z");
    assertThat(enter(1, 1).await(1, Optional.of(at), () -> false))
        .isEqualTo(1_988_150_400_000_000_001L);
  }

  @Test
  void a_place_is_taken_once() {
    enter(2, 3);
    assertThatThrownBy(() -> enter(2, 3))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "barrier "
                + directory
                + ": found shard 2 of 3 there already, expected a directory without the files of"
                + " another run: give a new one to all shards");
  }

  @Test
  void shards_of_another_load_or_of_another_number_are_refused() {
    enter(2, 3);
    assertThatThrownBy(() -> enter(1, 4))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(": found shard 2/3 of another load, expected shard 1 of 4");
    assertThatThrownBy(
            () -> Barrier.enter(directory, new Shard(1, 3), "etcd other 1", PATIENCE, said -> {}))
        .hasMessageContaining(": found shard 2/3 of another load");
  }

  @Test
  void a_shard_that_does_not_come_is_named() {
    Barrier first =
        Barrier.enter(directory, new Shard(1, 3), "etcd quick 1", Duration.ofMillis(1), said -> {});
    assertThatThrownBy(() -> first.await(1, Optional.empty(), () -> false))
        .isInstanceOf(QuorateException.class)
        .hasMessageEndingWith(
            "there was no sign of shard [2, 3] at step-1: start all shards, with the same"
                + " directory");
  }

  @Test
  void a_shard_that_failed_is_waited_for_by_nobody() {
    Barrier first = enter(1, 2);
    enter(2, 2).fail("no space\u001b left");
    assertThatThrownBy(() -> first.await(1, Optional.empty(), () -> false))
        .isInstanceOf(QuorateException.class)
        .hasMessage("shard 2 of 2 has failed: no space\\x1b left");
  }

  @Test
  void the_end_of_the_load_names_a_shard_that_failed_before_it() {
    Barrier first = enter(1, 2);
    enter(2, 2).fail("killed");
    assertThatThrownBy(() -> first.awaitEnd(() -> false))
        .isInstanceOf(QuorateException.class)
        .hasMessage("shard 2 of 2 has failed: killed");
  }

  @Test
  void a_shard_that_fails_after_the_end_of_all_loads_leaves_the_others_complete() throws Exception {
    Barrier first = enter(1, 2);
    Barrier second = enter(2, 2);
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(
            () -> second.awaitEnd(() -> false), waiting -> new Thread(waiting).start());
    first.awaitEnd(() -> false);
    ended.get(60, TimeUnit.SECONDS);
    second.fail("wrong keys");
    first.awaitEnd(() -> false);
  }

  @Test
  void a_cancelled_load_waits_for_nobody() {
    Barrier first = enter(1, 2);
    assertThatThrownBy(() -> first.await(1, Optional.empty(), () -> true))
        .isInstanceOf(QuorateException.class)
        .hasMessage("cancelled while it waited for the other shards");
  }

  @Test
  void a_link_in_the_place_of_a_file_is_no_shard() throws Exception {
    Path elsewhere = Files.writeString(directory.resolve("elsewhere"), "2/2");
    Files.createSymbolicLink(directory.resolve("step-1-2"), elsewhere);
    Barrier first =
        Barrier.enter(directory, new Shard(1, 2), "etcd quick 1", Duration.ofMillis(1), said -> {});
    assertThatThrownBy(() -> first.await(1, Optional.empty(), () -> false))
        .hasMessageContaining("no sign of shard [2]");
  }

  @Test
  void the_clock_lead_lies_between_what_the_times_before_and_after_allow() {
    // a file of time 100 was written between 150 and 170, by a clock that may be 10 further
    assertThat(BarrierClock.of(150, 170, 100, 10)).isEqualTo(new BarrierClock(55, 15));
    assertThat(BarrierClock.of(150, 150, 150, 0)).isEqualTo(new BarrierClock(0, 0));
  }

  @Test
  void the_clock_of_a_local_directory_is_that_of_this_machine() {
    BarrierClock lead = enter(1, 1).clockLead();
    assertThat(Math.abs(lead.aheadNanos())).isLessThanOrEqualTo(lead.uncertaintyNanos());
    assertThat(directory.resolve("clock-1")).doesNotExist();
  }
}
