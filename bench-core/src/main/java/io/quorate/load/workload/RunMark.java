// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.QuorateException;
import io.quorate.load.Connector;
import io.quorate.store.Connection;
import io.quorate.store.Request;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The key that says when a run was last alive in an existing cluster: {@code quorate/RUN}, next to
 * its keys below {@code quorate/RUN/}. In ZooKeeper, it is the content of the node of these keys.
 */
public record RunMark(String key) {
  /** The word with which ZooKeeper's nodes of keys begin, see KeyNodes. */
  private static final String WORD = "Quorate ";

  private static final Pattern PREFIX = Pattern.compile("(.*quorate/[^/]+)/([0-9]+/)?");

  /** Returns the mark of a run with this prefix of keys; all its shards share it. */
  public static RunMark of(String prefix) {
    Matcher run = PREFIX.matcher(prefix);
    if (!run.matches()) {
      throw new IllegalArgumentException(prefix);
    }
    return new RunMark(run.group(1));
  }

  /** Writes that the run is alive; fails as a request does. */
  public void write(Connector connector, Instant now) {
    byte[] value = (WORD + now.truncatedTo(ChronoUnit.SECONDS)).getBytes(ISO_8859_1);
    ask(connector, Request.update(key.getBytes(ISO_8859_1), value));
  }

  /** Removes it; another shard writes it again. */
  public void remove(Connector connector) {
    try {
      ask(connector, new Request.Delete(key.getBytes(ISO_8859_1)));
    } catch (QuorateException inUse) {
      // the node of other shards, or one that the next 'quorate clean' names
    }
  }

  private static void ask(Connector connector, Request request) {
    withConnection(connector, open -> KeyRemoval.ask(open, request));
  }

  static void withConnection(Connector connector, Consumer<List<Connection>> use) {
    List<Connection> open = connector.openReachable(1, KeyRemoval.REQUEST_TIMEOUT);
    try {
      use.accept(open);
    } finally {
      open.forEach(Connection::close);
    }
  }

  /** Returns the time in the value of a mark; empty if it is none. */
  static Optional<Instant> time(byte[] value) {
    String text = new String(value, ISO_8859_1);
    try {
      return text.startsWith(WORD)
          ? Optional.of(Instant.parse(text.substring(WORD.length())))
          : Optional.empty();
    } catch (DateTimeParseException other) {
      return Optional.empty();
    }
  }
}
