// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.server.Figure;
import io.quorate.store.server.Restoration;
import io.quorate.store.server.ServerPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Restores files of a ZooKeeper server: its last two snapshots, as the last one may not be
 * complete, and all logs that were written since the older one began. A server that starts on them
 * reads the last complete snapshot, and the transactions after it.
 */
final class ZooKeeperRestoration implements Restoration {
  /** The directory of snapshots and logs in a data directory. */
  private static final String FILES = "version-2";

  private static final String SNAPSHOT = "snapshot.";
  private static final String LOG = "log.";
  private static final int SNAPSHOTS = 2;
  private static final int HEX = 16;
  private static final String NODES = "zk_znode_count\t";

  @Override
  public void save(ServerPlan running, Access access, Path snapshot, Duration timeout)
      throws IOException {
    Path from = running.data().resolve(FILES);
    TreeMap<Long, Path> snapshots = byTransaction(from, SNAPSHOT);
    TreeMap<Long, Path> logs = byTransaction(from, LOG);
    List<Long> latest = snapshots.descendingKeySet().stream().limit(SNAPSHOTS).toList();
    if (latest.isEmpty()) {
      throw new IOException("has no snapshot");
    }
    Long first = logs.floorKey(latest.get(latest.size() - 1));
    Path into = Files.createDirectory(snapshot.resolve(FILES));
    for (Path file :
        Stream.concat(
                latest.stream().map(snapshots::get),
                (first == null ? logs : logs.tailMap(first)).values().stream())
            .toList()) {
      Files.copy(file, into.resolve(file.getFileName()));
    }
  }

  /** Returns files by the transaction that their name ends with, in hexadecimal digits. */
  private static TreeMap<Long, Path> byTransaction(Path directory, String prefix)
      throws IOException {
    TreeMap<Long, Path> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(directory)) {
      all.filter(file -> file.getFileName().toString().matches(prefix + "[0-9a-f]{1,16}"))
          .forEach(
              file ->
                  files.put(
                      Long.parseUnsignedLong(
                          file.getFileName().toString().substring(prefix.length()), HEX),
                      file));
    } catch (NoSuchFileException missing) {
      throw new IOException("has no directory " + FILES, missing);
    }
    return files;
  }

  /** Copies the files of a snapshot into the data directory of a server that has not started. */
  static void copy(Path snapshot, Path data) throws IOException {
    Path into = Files.createDirectory(data.resolve(FILES));
    try (Stream<Path> all = Files.list(snapshot.resolve(FILES))) {
      for (Path file : all.toList()) {
        Files.copy(file, into.resolve(file.getFileName()));
      }
    }
  }

  /** Returns the number of its nodes, which also contain those of the server itself. */
  @Override
  public long keys(Endpoint server, Access access, Duration timeout) throws IOException {
    return Figure.sum(FourLetterWord.MNTR.ask(server, access, timeout), NODES);
  }
}
