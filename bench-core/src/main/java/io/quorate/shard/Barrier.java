// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.scenario.Shard;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A directory shared by all shards of a run, in which they wait for each other before each step.
 * The first shard sets the start of the step, by the clock of the directory's files. For one thread
 * at a time.
 */
public final class Barrier {
  /** Time limit for the last shard to arrive, and for a slow one to end its step. */
  public static final Duration PATIENCE = Duration.ofMinutes(10);

  /** Time for all shards to read the start of a step. */
  private static final Duration NOTICE = Duration.ofSeconds(2);

  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration AGREEMENT = Duration.ofSeconds(30);
  private static final Duration TELL = Duration.ofMinutes(1);
  private static final int MAX_FILE = 4096;

  private final Path directory;
  private final Shard shard;
  private final Duration patience;
  private final Consumer<String> say;

  /** The name of the file of the shard that starts the servers for all. */
  private static final String HOLDER = "agents";

  private static final String SERVERS = "servers";

  /** Name of the files of shards that have declared whether they start servers. */
  private static final String KNOWN = "known";

  /** Name of the files of shards that no longer need the servers. */
  private static final String DONE = "done";

  private final Heartbeat.SilentShards silentShards = new Heartbeat.SilentShards();
  private long toldNanos;

  Barrier(Path directory, Shard shard, Duration patience, Consumer<String> say) {
    this.directory = directory;
    this.shard = shard;
    this.patience = patience;
    this.say = say;
  }

  /**
   * Enters the barrier as a shard.
   *
   * @param load description of the load of all shards together, the same text for all of them
   * @param patience how long it waits for a missing shard
   * @param say receives the shards that it waits for, once a minute
   * @throws QuorateException if the shard's place is taken, or the other shards have another load
   */
  public static Barrier enter(
      Path directory, Shard shard, String load, Duration patience, Consumer<String> say) {
    Barrier barrier = new Barrier(directory, shard, patience, say);
    try {
      Files.createDirectories(directory);
      barrier.requireSame(load);
      Path own = barrier.file("shard", shard.number());
      Files.writeString(own, shard.asOption() + "\n" + load, StandardOpenOption.CREATE_NEW);
      return barrier;
    } catch (FileAlreadyExistsException taken) {
      throw new QuorateException(
          "barrier %s: found %s there already, expected a directory without the files of another run: give a new one to all shards"
              .formatted(VisibleText.of(directory.toString()), shard),
          taken);
    } catch (IOException impossible) {
      throw barrier.failure(impossible);
    }
  }

  /**
   * Returns a text on which all shards agree: the proposal of the first shard that arrives.
   *
   * @param proposal proposal of this shard, not empty
   * @throws QuorateException if the directory cannot be used
   */
  public static String agree(Path directory, String name, String proposal) {
    Path file = directory.resolve(name);
    try {
      Files.createDirectories(directory);
      Files.writeString(file, proposal, StandardOpenOption.CREATE_NEW);
      return proposal;
    } catch (FileAlreadyExistsException earlier) {
      long deadline = System.nanoTime() + AGREEMENT.toNanos();
      Optional<String> found = readSmall(directory, file).filter(Barrier::isWritten);
      while (found.isEmpty()) {
        if (System.nanoTime() - deadline > 0) {
          throw new QuorateException(file + ": found nothing in it: give a new directory", earlier);
        }
        LockSupport.parkNanos(LOOK.toNanos());
        found = readSmall(directory, file).filter(Barrier::isWritten);
      }
      return found.get();
    } catch (IOException impossible) {
      throw failure(directory, impossible);
    }
  }

  private void requireSame(String load) {
    for (int other = 1; other <= Shard.MOST; other++) {
      Optional<String> found = read(file("shard", other)).filter(Barrier::isWritten);
      String expected = other + "/" + shard.count() + "\n" + load;
      if (found.isPresent() && !found.get().equals(expected)) {
        throw new QuorateException(
            "barrier %s: found shard %s of another load, expected %s of the same scenario, scale and seed: give a new directory to all shards of a run"
                .formatted(
                    VisibleText.of(directory.toString()),
                    VisibleText.of(found.get().lines().findFirst().orElse("")),
                    shard));
      }
    }
  }

  /** Returns whether the file of a place that is being taken is complete. */
  static boolean isWritten(String text) {
    return !text.isEmpty();
  }

  /** Returns how far the clock of this machine is ahead of the directory's clock. */
  public BarrierClock clockLead() {
    return BarrierClock.measure(file("clock", shard.number()));
  }

  /**
   * Waits until all shards are about to begin a step, and returns when it begins, by the clock of
   * the directory, in nanoseconds since 1970.
   *
   * @param step number of the step, from 1
   * @param at scheduled start, if it is known beforehand
   * @throws QuorateException if a shard has failed or does not arrive
   */
  public long await(int step, Optional<Instant> at, BooleanSupplier cancelled) {
    String begin = "step-" + step + "-begin";
    arrive("step-" + step);
    if (shard.number() == 1) {
      awaitAll("step-" + step, cancelled);
      long lead = clockLead().aheadNanos();
      long nanos =
          at.map(BarrierClock::unixNanos)
              .orElseGet(() -> BarrierClock.unixNanos(Instant.now()) - lead + NOTICE.toNanos());
      publish(directory.resolve(begin), Long.toString(nanos));
    }
    long deadline = deadline();
    Optional<String> found = read(directory.resolve(begin));
    while (found.isEmpty()) {
      look(deadline, "step-" + step, cancelled);
      found = read(directory.resolve(begin));
    }
    return Long.parseLong(found.get());
  }

  /**
   * Waits until all shards have ended their last step.
   *
   * @throws QuorateException if one of them has failed before its end, or does not come to it
   */
  public void awaitEnd(BooleanSupplier cancelled) {
    arrive("end");
    awaitAll("end", cancelled);
  }

  /** Declares whether this shard starts the servers for all; fails if another one does as well. */
  public void declareServers(boolean startedHere) {
    Path holder = directory.resolve(HOLDER);
    try {
      if (startedHere) {
        Files.writeString(holder, shard.toString(), StandardOpenOption.CREATE_NEW);
      }
    } catch (FileAlreadyExistsException held) {
      throw new QuorateException(
          "barrier %s: found agents, but %s has some already, expected them of one shard: leave out --agents for the others"
              .formatted(
                  VisibleText.of(directory.toString()),
                  VisibleText.of(read(holder).orElse("another shard"))),
          held);
    } catch (IOException impossible) {
      throw failure(impossible);
    }
    arrive(KNOWN);
  }

  /** Publishes the endpoints of the servers that this shard has started. */
  public void publishServers(List<Endpoint> servers) {
    publish(
        directory.resolve(SERVERS),
        servers.stream().map(Endpoint::toString).collect(Collectors.joining(",")));
  }

  /**
   * Waits until the shard with the agents has started the servers, and returns their endpoints.
   *
   * @throws QuorateException if no shard has agents, or one has failed
   */
  public List<Endpoint> awaitServers(BooleanSupplier cancelled) {
    long deadline = deadline();
    Optional<String> found = read(directory.resolve(SERVERS));
    while (found.isEmpty()) {
      boolean allKnown = missing(KNOWN).isEmpty();
      if (allKnown && read(directory.resolve(HOLDER)).isEmpty()) {
        throw new QuorateException(
            "barrier %s: found no agents of any of the %d shards, expected them of one: give --agents to one shard, or --endpoints to all"
                .formatted(VisibleText.of(directory.toString()), shard.count()));
      }
      look(deadline, allKnown ? SERVERS : KNOWN, cancelled);
      found = read(directory.resolve(SERVERS));
    }
    return Endpoint.parseList(found.get());
  }

  /**
   * Declares that this shard no longer needs the servers. The shard that has started them waits
   * until no other needs them, or one has failed.
   */
  public void leaveServers(boolean startedHere, BooleanSupplier cancelled) {
    arrive(DONE);
    if (startedHere) {
      try {
        awaitAll(DONE, cancelled);
      } catch (QuorateException oneFailed) {
        // the failed shard's results report this, and all loads are complete
        return;
      }
    }
  }

  /** Notifies the other shards that this one has failed. */
  public void fail(String reason) {
    String text = VisibleText.of(reason);
    publish("failed", text.substring(0, Math.min(text.length(), MAX_FILE / 4)));
  }

  private void arrive(String where) {
    publish(where, shard.asOption());
  }

  void publish(String what, String text) {
    publish(file(what, shard.number()), text);
  }

  /** Returns a text that this shard has written; empty if it has not. */
  Optional<String> own(String what) {
    return read(file(what, shard.number()));
  }

  /** Returns why a shard has failed; empty if it has not. */
  Optional<String> failure(Shard other) {
    return read(file("failed", other.number()));
  }

  private void awaitAll(String where, BooleanSupplier cancelled) {
    long deadline = deadline();
    while (!missing(where).isEmpty()) {
      look(deadline, where, cancelled);
    }
  }

  /** Returns the end of a wait that begins now. */
  private long deadline() {
    toldNanos = System.nanoTime();
    return toldNanos + patience.toNanos();
  }

  private List<Integer> missing(String where) {
    return IntStream.rangeClosed(1, shard.count())
        .filter(number -> !Files.isRegularFile(file(where, number), LinkOption.NOFOLLOW_LINKS))
        .boxed()
        .toList();
  }

  /** Waits for a short time; fails if waiting is useless. */
  private void look(long deadline, String where, BooleanSupplier cancelled) {
    for (int number = 1; number <= shard.count(); number++) {
      Optional<String> reason = read(file("failed", number));
      if (reason.isPresent()) {
        throw new QuorateException(
            "shard %d of %d has failed: %s"
                .formatted(number, shard.count(), VisibleText.of(reason.get())));
      }
    }
    for (int number : silentShards.look(shard.count(), this::lifeSign, System.nanoTime())) {
      throw new QuorateException(
          "shard %d of %d: %s".formatted(number, shard.count(), Heartbeat.SilentShards.REASON));
    }
    if (cancelled.getAsBoolean()) {
      throw new QuorateException("cancelled while it waited for the other shards");
    }
    if (System.nanoTime() - deadline > 0) {
      throw new QuorateException(
          "barrier %s: after %d s there was no sign of shard %s at %s: start all shards, with the same directory"
              .formatted(
                  VisibleText.of(directory.toString()),
                  patience.toSeconds(),
                  missing(where).stream().map(Object::toString).toList(),
                  where));
    }
    if (System.nanoTime() - toldNanos > TELL.toNanos()) {
      toldNanos = System.nanoTime();
      say.accept("waits for shard %s at %s".formatted(missing(where), where));
    }
    LockSupport.parkNanos(LOOK.toNanos());
  }

  /** Returns the heartbeat of a shard; empty before the first one, and after its end. */
  Optional<String> lifeSign(int number) {
    boolean ended =
        read(file("failed", number)).isPresent()
            || read(file(ShardCompletion.RUN, number)).isPresent();
    return ended ? Optional.empty() : read(file(Heartbeat.FILE, number));
  }

  private Path file(String what, int number) {
    return directory.resolve(what + "-" + number);
  }

  private Optional<String> read(Path file) {
    return readSmall(directory, file);
  }

  /** Returns the text of a file of a barrier; empty if it is missing. */
  static Optional<String> readSmall(Path directory, Path file) {
    try {
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.empty();
      }
      if (Files.size(file) > MAX_FILE) {
        throw new QuorateException(file + ": found a file of another program, expected ours");
      }
      return Optional.of(Files.readString(file));
    } catch (IOException impossible) {
      throw failure(directory, impossible);
    }
  }

  private void publish(Path file, String text) {
    try {
      Path draft = file.resolveSibling(file.getFileName() + "." + shard.number() + ".draft");
      Files.deleteIfExists(draft);
      Files.writeString(draft, text, StandardOpenOption.CREATE_NEW);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException impossible) {
      throw failure(impossible);
    }
  }

  private QuorateException failure(IOException impossible) {
    return failure(directory, impossible);
  }

  static QuorateException failure(Path directory, IOException impossible) {
    return new QuorateException(
        "barrier %s: %s".formatted(VisibleText.of(directory.toString()), impossible), impossible);
  }
}
