package io.quorate.store.zookeeper;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.ServerProtocol;
import io.quorate.store.ServerState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks ZooKeeper with the four-letter word {@code srvr}, which is allowed unless forbidden; a
 * server without a quorum answers it without a mode.
 */
public final class ZooKeeperProtocol implements ServerProtocol {
  private static final int MAX_ANSWER_BYTES = 8_192;
  private static final Pattern VERSION = Pattern.compile("(?m)^Zookeeper version: ([^-,\\s]+)");
  private static final Pattern MODE = Pattern.compile("(?m)^Mode: (\\S+)");

  @Override
  public ServerState ask(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    return parsed(srvr(endpoint, access, timeout));
  }

  @Override
  public Optional<String> obstacle(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {
    try (ZooKeeperAccess in = ZooKeeperAccess.of(access);
        ZooKeeperSession session = ZooKeeperSession.open("zookeeper", endpoint, in, timeout)) {
      return in.obstacle(session.requireHandle());
    } catch (QuorateException noSession) {
      throw new IOException(noSession.getMessage(), noSession);
    }
  }

  public static ServerState parsed(String answer) throws IOException {
    Matcher version = VERSION.matcher(answer);
    Matcher mode = MODE.matcher(answer);
    if (!version.find()) {
      if (answer.contains("not currently serving requests")) {
        return new ServerState("", false, false, answer.strip());
      }
      throw new IOException(
          answer.isBlank()
              ? "does not answer to srvr"
              : "answers to srvr: " + VisibleText.line(answer.strip()));
    }
    if (!mode.find()) {
      return new ServerState(version.group(1), false, false, "no mode");
    }
    boolean leads = mode.group(1).equals("leader") || mode.group(1).equals("standalone");
    return new ServerState(version.group(1), true, leads, "mode: " + mode.group(1));
  }

  private static String srvr(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {
    try (Socket open = new Socket()) {
      open.connect(
          new InetSocketAddress(endpoint.host(), endpoint.port()), (int) timeout.toMillis());
      open.setSoTimeout((int) timeout.toMillis());
      Socket socket =
          access.tls().isPresent() ? access.tls().get().over(open, endpoint.host()) : open;
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return new String(
          socket.getInputStream().readNBytes(MAX_ANSWER_BYTES), StandardCharsets.UTF_8);
    }
  }
}
