package io.quorate.store.zookeeper;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks ZooKeeper with the four-letter word {@code srvr}, which is allowed unless forbidden; a
 * server without a quorum answers it without a mode.
 */
public final class ZooKeeperProtocol implements ServerProtocol {
  /** Time limit for a session with a server that answers: a TLS handshake and a quorum. */
  private static final Duration SESSION_LIMIT = Duration.ofSeconds(10);

  private static final Pattern VERSION = Pattern.compile("(?m)^Zookeeper version: ([^-,\\s]+)");
  private static final Pattern MODE = Pattern.compile("(?m)^Mode: (\\S+)");

  @Override
  public ServerProtocol.State ask(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {
    return parsed(FourLetterWord.SRVR.ask(endpoint, access, timeout));
  }

  /**
   * Opens a session and writes nothing: whether we may create nodes turns out when a run creates
   * those of its prefix.
   */
  @Override
  public Optional<String> obstacle(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {
    try (ZooKeeperAccess in = ZooKeeperAccess.of(access);
        ZooKeeperSession session =
            ZooKeeperSession.open("zookeeper", endpoint, in, SESSION_LIMIT)) {
      session.requireHandle();
      return Optional.empty();
    } catch (QuorateException noSession) {
      throw new IOException(noSession.getMessage(), noSession);
    }
  }

  public static ServerProtocol.State parsed(String answer) throws IOException {
    Matcher version = VERSION.matcher(answer);
    Matcher mode = MODE.matcher(answer);
    if (!version.find()) {
      if (answer.contains("not currently serving requests")) {
        return new ServerProtocol.State("", false, false, answer.strip());
      }
      throw new IOException(
          answer.isBlank()
              ? "does not answer to srvr"
              : "answers to srvr: " + VisibleText.line(answer.strip()));
    }
    if (!mode.find()) {
      return new ServerProtocol.State(version.group(1), false, false, "no mode");
    }
    boolean leads = mode.group(1).equals("leader") || mode.group(1).equals("standalone");
    return new ServerProtocol.State(version.group(1), true, leads, "mode: " + mode.group(1));
  }
}
