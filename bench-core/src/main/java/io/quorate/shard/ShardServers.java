package io.quorate.shard;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The servers of all shards, which one of them starts, and which the others learn of through the
 * directory of their barrier. For one thread at a time.
 */
public final class ShardServers {
  private static final String HOLDER = "agents";
  private static final String SERVERS = "servers";

  /** Name of the files of the shards of which it is known whether they start servers. */
  private static final String KNOWN = "known";

  /** Name of the files of the shards that need the servers no longer. */
  private static final String DONE = "done";

  private final Barrier barrier;
  private final boolean ours;

  private ShardServers(Barrier barrier, boolean ours) {
    this.barrier = barrier;
    this.ours = ours;
  }

  /**
   * Says whether this shard starts the servers.
   *
   * @throws QuorateException if another one does, too
   */
  public static ShardServers of(Barrier barrier, boolean startedHere) {
    Path holder = barrier.file(HOLDER);
    try {
      if (startedHere) {
        Files.writeString(holder, barrier.shard().toString(), StandardOpenOption.CREATE_NEW);
      }
    } catch (FileAlreadyExistsException held) {
      throw new QuorateException(
          "%s: found agents, but %s has some already, expected them of one shard: leave out --agents for the others"
              .formatted(barrier, VisibleText.of(barrier.read(holder).orElse("another shard"))),
          held);
    } catch (IOException impossible) {
      throw barrier.failure(impossible);
    }
    barrier.arrive(KNOWN);
    return new ShardServers(barrier, startedHere);
  }

  /** Tells the other shards where the servers are that this one has started. */
  public void publish(List<Endpoint> servers) {
    barrier.publish(
        barrier.file(SERVERS),
        servers.stream().map(Endpoint::toString).collect(Collectors.joining(",")));
  }

  /**
   * Waits until the shard that has the agents has started the servers, and returns where they are.
   *
   * @param cancelled whether to wait no longer
   * @throws QuorateException if no shard has agents, or one has failed
   */
  public List<Endpoint> await(BooleanSupplier cancelled) {
    long deadline = barrier.deadline();
    Optional<String> found = barrier.read(barrier.file(SERVERS));
    while (found.isEmpty()) {
      boolean allKnown = barrier.missing(KNOWN).isEmpty();
      if (allKnown && barrier.read(barrier.file(HOLDER)).isEmpty()) {
        throw new QuorateException(
            "%s: found no agents of any of the %d shards, expected them of one: give --agents to one shard, or --endpoints to all"
                .formatted(barrier, barrier.shard().count()));
      }
      barrier.look(deadline, allKnown ? SERVERS : KNOWN, cancelled);
      found = barrier.read(barrier.file(SERVERS));
    }
    return Endpoint.parseList(found.get());
  }

  /**
   * Says that this shard needs the servers no longer. The one that has started them waits until no
   * other needs them, or one has failed.
   */
  public void leave(BooleanSupplier cancelled) {
    barrier.arrive(DONE);
    if (ours) {
      barrier.awaitOthers(DONE, cancelled);
    }
  }
}
