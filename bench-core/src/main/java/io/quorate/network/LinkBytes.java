// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import io.quorate.FileAction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the bytes that a relay gets for each link, in both directions and without headers of TCP.
 * The counts of a relay process are in a file, which is mapped, so that another process can read
 * them at any time. For one thread.
 */
public final class LinkBytes {
  private static final String FILE = "relay.bytes";

  private final List<String> links;
  private final LongBuffer counts;

  private LinkBytes(List<String> links, LongBuffer counts) {
    this.links = links;
    this.counts = counts;
  }

  /** Returns counts that only this process has. */
  static LinkBytes of(RelayPlan plan) {
    List<String> links = links(plan);
    return new LinkBytes(links, LongBuffer.allocate(links.size()));
  }

  /** Returns counts in a new file in the directory of a relay. */
  static LinkBytes in(Path directory, RelayPlan plan) throws IOException {
    List<String> links = links(plan);
    try (FileChannel file =
        FileChannel.open(
            directory.resolve(FILE),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      long size = (long) links.size() * Long.BYTES;
      return new LinkBytes(links, file.map(FileChannel.MapMode.READ_WRITE, 0, size).asLongBuffer());
    }
  }

  private static List<String> links(RelayPlan plan) {
    return plan.cables().stream().map(RelayPlan.Cable::zones).distinct().toList();
  }

  /** Adds bytes to a link of the plan. */
  void add(String link, int bytes) {
    int place = links.indexOf(link);
    counts.put(place, counts.get(place) + bytes);
  }

  /**
   * Returns the bytes by the names of the links of a relay; none if it has no link.
   *
   * @param directory directory of the relay, which is ready
   */
  public static Map<String, Long> read(Path directory) {
    Path file = directory.resolve(FILE);
    LongBuffer counts =
        ByteBuffer.wrap(FileAction.read(file, () -> Files.readAllBytes(file))).asLongBuffer();
    Map<String, Long> bytes = new LinkedHashMap<>();
    links(RelayProcess.read(directory)).forEach(link -> bytes.put(link, counts.get()));
    return bytes;
  }
}
