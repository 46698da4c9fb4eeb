// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.Shard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardCompletionTest {
  @TempDir private Path directory;

  private final List<String> said = new CopyOnWriteArrayList<>();

  private Barrier enter(int number) {
    return Barrier.enter(
        directory.resolve("meet"),
        new Shard(number, 2),
        "etcd quick 1",
        Duration.ofSeconds(60),
        said -> {});
  }

  private List<Path> await(boolean partial) throws InterruptedException {
    return new ShardCompletion(directory.resolve("meet"), said::add).await(partial);
  }

  @Test
  void runs_are_found_when_all_shards_have_ended_though_they_begin_later() throws Exception {
    CompletableFuture<List<Path>> found =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return await(false);
              } catch (InterruptedException interrupt) {
                throw new IllegalStateException(interrupt);
              }
            });
    Path shared = Files.createDirectories(directory.resolve("meet"));
    Path taking = Files.createFile(shared.resolve("shard-1"));
    enter(2);
    ShardCompletion.publishCompletion(shared, new Shard(2, 2), Path.of("/results/b"));
    Files.delete(taking);
    enter(1);
    assertThat(found).isNotDone();
    ShardCompletion.publishCompletion(
        directory.resolve("meet"), new Shard(1, 2), Path.of("/results/ä"));
    assertThat(found.get(60, TimeUnit.SECONDS))
        .containsExactly(Path.of("/results/ä"), Path.of("/results/b"));
    assertThat(said).containsExactly("waiting for the shards in " + directory.resolve("meet"));
  }

  @Test
  void a_shard_that_has_failed_ends_the_wait_with_its_reason() {
    enter(1);
    enter(2).fail("found \u001b no server");
    assertThatThrownBy(() -> await(false))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            shard 2 of 2 has failed: found \\x1b no server
            nothing was merged; --partial merges the runs of the others\
            """);
  }

  @Test
  void a_shard_that_has_failed_may_be_left_out() throws Exception {
    enter(1);
    enter(2);
    ShardCompletion.publishFailure(directory.resolve("meet"), new Shard(2, 2), "killed");
    ShardCompletion.publishCompletion(
        directory.resolve("meet"), new Shard(1, 2), Path.of("/results/a"));
    assertThat(await(true)).containsExactly(Path.of("/results/a"));
  }

  @Test
  void a_directory_without_shards_is_not_waited_for_without_end() {
    assertThatThrownBy(() -> waiting(Duration.ofMillis(1), Duration.ofHours(1)).await(true))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "barrier "
                + directory.resolve("meet")
                + ": found no shard after 0 s, expected the directory that the shards have as"
                + " --barrier. Nothing was merged");
  }

  @Test
  void shards_that_never_arrive_are_left_out_or_named_when_no_other_one_runs() throws Exception {
    enter(1);
    ShardCompletion.publishCompletion(
        directory.resolve("meet"), new Shard(1, 2), Path.of("/results/a"));
    ShardCompletion limited = waiting(Duration.ofHours(1), Duration.ofMillis(1));
    assertThat(limited.await(true)).containsExactly(Path.of("/results/a"));
    assertThatThrownBy(() -> limited.await(false))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            shard 2 of 2 has failed: no sign of it for 0 s
            nothing was merged; --partial merges the runs of the others\
            """);
  }

  private ShardCompletion waiting(Duration first, Duration others) {
    return new ShardCompletion(directory.resolve("meet"), said::add, first, others);
  }

  @Test
  void files_of_others_are_refused() throws Exception {
    Files.createDirectory(directory.resolve("meet"));
    Files.writeString(directory.resolve("meet/shard-1"), "one");
    assertThatThrownBy(() -> await(false))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith("shard: found 'one', expected the number of this load generator");
  }
}
