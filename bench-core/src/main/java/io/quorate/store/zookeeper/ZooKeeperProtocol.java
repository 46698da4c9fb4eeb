// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Maintenance;
import io.quorate.store.driver.EventLoops;
import io.quorate.store.driver.SharedTls;
import io.quorate.store.server.Membership;
import io.quorate.store.server.OtherStoreException;
import io.quorate.store.server.Restoration;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.ExistsRequest;

/**
 * Queries servers of ZooKeeper's protocol with the four-letter word {@code srvr}, which is allowed
 * by default. The answer of a server without a quorum has no mode.
 *
 * @param product expected product; servers of another one are refused
 */
public record ZooKeeperProtocol(Product product) implements ServerProtocol {
  /** Time limit of a session with a server that answers: for a TLS handshake and a quorum. */
  private static final Duration SESSION_LIMIT = Duration.ofSeconds(10);

  private static final Pattern VERSION = Pattern.compile("(?m)^([\\w ]+) version: v?([^-,\\s]+)");
  private static final Pattern MODE = Pattern.compile("(?m)^Mode: (\\S+)");

  /** The last transaction; ClickHouse Keeper writes {@code 0x} before the first one. */
  private static final Pattern ZXID = Pattern.compile("(?m)^Zxid: 0x([0-9a-f]{1,16})$");

  /** The products that answer to {@code srvr} with their name and version. */
  public enum Product {
    ZOOKEEPER("zookeeper", "Zookeeper", "ZooKeeper"),
    CLICKHOUSE_KEEPER("clickhouse-keeper", "ClickHouse Keeper", "ClickHouse Keeper");

    private final String id;
    private final String word;
    private final String title;

    Product(String id, String word, String title) {
      this.id = id;
      this.word = word;
      this.title = title;
    }

    /** Returns the id of its store. */
    public String id() {
      return id;
    }

    /** Returns its name in prose. */
    public String title() {
      return title;
    }
  }

  @Override
  public State ask(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    return parsed(FourLetterWord.SRVR.ask(endpoint, access, timeout));
  }

  /**
   * Opens a session, but writes nothing. Missing rights to create nodes are detected when a run
   * creates the nodes of its prefix.
   */
  @Override
  public Optional<String> obstacle(
      Endpoint endpoint, Access access, String prefix, Duration timeout) throws IOException {
    var settings = new DriverSettings(endpoint, SESSION_LIMIT, SESSION_LIMIT, access);
    try (EventLoops loops = EventLoops.ofSockets("zookeeper-check");
        var session =
            ZooKeeperConnection.open(
                product.id,
                settings,
                loops,
                new SharedTls().of(settings),
                ZooKeeperConnection.Listener.NONE)) {
      // a server that requires another login opens sessions, but answers no request
      ZooKeeperReply root =
          session.call(OpCode.exists, new ExistsRequest("/", false), reply -> reply);
      return root.isOk() ? Optional.empty() : Optional.of(root.toString());
    } catch (QuorateException noSession) {
      throw new IOException(noSession.getMessage(), noSession);
    }
  }

  @Override
  public Optional<Membership> membership() {
    return Optional.of(new ZooKeeperMembership());
  }

  @Override
  public Optional<Restoration> restoration() {
    return Optional.of(new ZooKeeperRestoration());
  }

  @Override
  public String whyNot(Maintenance work) {
    return work == Maintenance.SNAPSHOT
        ? "only the admin server of ZooKeeper 3.9 and newer has a request for it, and the servers"
            + " of Quorate run without it"
        : ServerProtocol.super.whyNot(work);
  }

  /**
   * Returns the state in an answer to {@code srvr}.
   *
   * @throws OtherStoreException if it is from another product
   * @throws IOException if it is from none of them
   */
  public State parsed(String answer) throws IOException {
    Matcher named = VERSION.matcher(answer);
    Optional<Product> found = named.find() ? product(named.group(1)) : Optional.empty();
    if (found.isEmpty()) {
      if (answer.contains("not currently serving requests")) {
        return new State("", false, false, answer.strip());
      }
      throw new IOException("answers to srvr: " + VisibleText.line(answer.strip()));
    }
    String version = named.group(2);
    if (found.get() != product) {
      throw new OtherStoreException(found.get().title + " " + version, found.get().id);
    }
    Matcher mode = MODE.matcher(answer);
    if (!mode.find()) {
      return new State(version, false, false, "no mode");
    }
    boolean leads = mode.group(1).equals("leader") || mode.group(1).equals("standalone");
    Matcher zxid = ZXID.matcher(answer);
    long applied = zxid.find() ? Long.parseUnsignedLong(zxid.group(1), 16) : 0;
    boolean votes = !mode.group(1).equals("observer");
    return new State(version, true, leads, "mode: " + mode.group(1), applied, votes);
  }

  private static Optional<Product> product(String word) {
    return Arrays.stream(Product.values()).filter(each -> each.word.equals(word)).findFirst();
  }
}
