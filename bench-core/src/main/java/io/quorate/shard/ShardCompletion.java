// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.scenario.Shard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Waits until the runs of all shards that meet in a barrier have ended, and finds their
 * directories. For one thread at a time.
 */
public final class ShardCompletion {
  static final String RUN = "run";

  private static final long LOOK_MILLIS = 300;
  private static final long TELL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Time limit for the first shard, which may start when a cluster has room for it. */
  private static final Duration FIRST_PATIENCE = Duration.ofHours(1);

  private final Path directory;
  private final Consumer<String> say;
  private final Duration firstPatience;
  private final Duration patience;
  private final Heartbeat.SilentShards silentShards = new Heartbeat.SilentShards();

  /**
   * Prepares to wait in a barrier.
   *
   * @param directory directory of the barrier, which the first shard creates
   * @param say receives the shards that it waits for, once a minute
   */
  public ShardCompletion(Path directory, Consumer<String> say) {
    this(directory, say, FIRST_PATIENCE, Barrier.PATIENCE);
  }

  ShardCompletion(Path directory, Consumer<String> say, Duration firstPatience, Duration patience) {
    this.directory = directory;
    this.say = say;
    this.firstPatience = firstPatience;
    this.patience = patience;
  }

  /** Publishes the end of a shard's run, and its directory. */
  public static void publishCompletion(Path barrier, Shard shard, Path run) {
    at(barrier, shard).publish(RUN, run.toAbsolutePath().toString());
  }

  /** Publishes the failure of a shard's run, for waiting commands and the other shards. */
  public static void publishFailure(Path barrier, Shard shard, String reason) {
    at(barrier, shard).fail(reason);
  }

  private static Barrier at(Path directory, Shard shard) {
    return new Barrier(directory, shard, Duration.ZERO, said -> {});
  }

  /**
   * Waits for all shards, as long as the present ones send heartbeats. If none does, it waits for
   * an hour for the first shard, and for ten minutes for the others.
   *
   * @param partial whether failed shards are left out
   * @return the directories of their runs
   * @throws QuorateException if a shard has failed or none arrives; the message lists all failed
   *     ones
   */
  public List<Path> await(boolean partial) throws InterruptedException {
    say.accept("waiting for the shards in " + VisibleText.of(directory.toString()));
    long begun = System.nanoTime();
    long told = begun;
    long lastSign = begun;
    while (true) {
      Optional<Found> found = found();
      long now = System.nanoTime();
      if (found.isEmpty() && now - begun > firstPatience.toNanos()) {
        throw new QuorateException(
            "barrier %s: found no shard after %d s, expected the directory that the shards have as --barrier. Nothing was merged"
                .formatted(VisibleText.of(directory.toString()), firstPatience.toSeconds()));
      }
      if (found.isEmpty() || !found.get().running().isEmpty()) {
        lastSign = now;
      } else if (now - lastSign > patience.toNanos()) {
        found.get().giveUp("no sign of it for " + patience.toSeconds() + " s");
      }
      if (found.isPresent() && found.get().isEnough(partial)) {
        return found.get().runs(partial);
      }
      if (System.nanoTime() - told > TELL_NANOS) {
        told = System.nanoTime();
        say.accept("waiting for " + found.map(Found::absent).orElse("the first shard"));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** Returns the current state; empty before the first shard arrives. */
  private Optional<Found> found() {
    Optional<Shard> any = anyShard();
    if (any.isEmpty()) {
      return Optional.empty();
    }
    Found found = new Found(any.get().count(), new TreeMap<>(), new TreeMap<>(), new TreeSet<>());
    for (int number = 1; number <= found.count(); number++) {
      Shard shard = new Shard(number, found.count());
      Barrier place = at(directory, shard);
      Optional<String> reason = place.failure(shard);
      reason.ifPresent(why -> found.failures().put(shard.number(), why));
      if (reason.isEmpty()) {
        place.own(RUN).ifPresent(text -> found.ended().put(shard.number(), Path.of(text)));
      }
      place.lifeSign(number).ifPresent(sign -> found.running().add(shard.number()));
    }
    silentShards
        .look(found.count(), at(directory, any.get())::lifeSign, System.nanoTime())
        .forEach(number -> found.failures().putIfAbsent(number, Heartbeat.SilentShards.REASON));
    found.failures().keySet().removeAll(found.ended().keySet());
    found.running().removeAll(found.failures().keySet());
    return Optional.of(found);
  }

  private Optional<Shard> anyShard() {
    if (!Files.isDirectory(directory)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().matches("shard-\\d{1,4}"))
          .findFirst()
          .flatMap(file -> Barrier.readSmall(directory, file))
          .filter(Barrier::isWritten)
          .map(text -> Shard.parse(text.lines().findFirst().orElse("")));
    } catch (IOException impossible) {
      throw Barrier.failure(directory, impossible);
    }
  }

  /**
   * The runs and the reasons for failures that shards have left, by their numbers, and the numbers
   * of those that run.
   */
  private record Found(
      int count,
      TreeMap<Integer, Path> ended,
      TreeMap<Integer, String> failures,
      Set<Integer> running) {
    void giveUp(String reason) {
      missing().forEach(number -> failures.put(number, reason));
    }

    boolean isEnough(boolean partial) {
      return ended.size() + failures.size() == count || !partial && !failures.isEmpty();
    }

    List<Path> runs(boolean partial) {
      if (!failures.isEmpty() && (!partial || ended.isEmpty())) {
        List<String> problems = new ArrayList<>();
        failures.forEach(
            (number, why) ->
                problems.add(new Shard(number, count) + " has failed: " + VisibleText.of(why)));
        problems.add("nothing was merged; --partial merges the runs of the others");
        throw new QuorateException(String.join("\n", problems));
      }
      return List.copyOf(ended.values());
    }

    String absent() {
      List<Integer> numbers = missing();
      return (numbers.size() == 1 ? "shard " : "shards ")
          + numbers.stream().map(Object::toString).collect(Collectors.joining(", "))
          + " of "
          + count;
    }

    private List<Integer> missing() {
      return IntStream.rangeClosed(1, count)
          .filter(number -> !ended.containsKey(number) && !failures.containsKey(number))
          .boxed()
          .toList();
    }
  }
}
