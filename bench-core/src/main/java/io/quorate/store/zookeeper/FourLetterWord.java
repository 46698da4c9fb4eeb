// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.driver.OneLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLException;

/**
 * A command of ZooKeeper's administrators, such as {@code srvr}: the server answers with text and
 * closes the connection. The answer has a size limit, and a time limit for all of it.
 */
record FourLetterWord(String word, int maxBytes) {
  static final FourLetterWord SRVR = new FourLetterWord("srvr", 1 << 16);

  /** The word {@code mntr}; its answer has some 20 kB, and more with many nodes under the root. */
  static final FourLetterWord MNTR = new FourLetterWord("mntr", 1 << 17);

  private static final String LATE = "does not answer in time";

  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLongException(String message) {
      super(message);
    }
  }

  /**
   * Sends the word and returns the answer; fails if it is empty, as that of a server at its limit
   * of connections, too long, or does not arrive in time.
   */
  String ask(Endpoint endpoint, Access access, Duration limit) throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    try (Socket open = new Socket(Proxy.NO_PROXY)) {
      open.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), millisUntil(deadline));
      open.setSoTimeout(millisUntil(deadline));
      Socket socket =
          access.tls().isPresent() ? access.tls().get().over(open, endpoint.host()) : open;
      socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
      String answer = read(socket, deadline);
      if (answer.isEmpty()) {
        throw unanswered("does not answer to " + word, endpoint);
      }
      return answer;
    } catch (ConnectException refused) {
      throw refused;
    } catch (SocketException reset) {
      throw unanswered(OneLine.of(reset), endpoint);
    } catch (SocketTimeoutException late) {
      throw new SocketTimeoutException(LATE);
    } catch (SSLException failed) {
      // of a handshake that takes too long
      throw failed.getCause() instanceof SocketTimeoutException
          ? new SocketTimeoutException(LATE)
          : failed;
    }
  }

  private static IOException unanswered(String reason, Endpoint endpoint) {
    return new IOException(ZooKeeperConnection.LIMIT.orElse(reason, endpoint));
  }

  private String read(Socket socket, long deadline) throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    byte[] buffer = new byte[16_384];
    while (true) {
      socket.setSoTimeout(millisUntil(deadline));
      int read = in.read(buffer);
      if (read < 0) {
        return answer.toString(StandardCharsets.UTF_8);
      }
      answer.write(buffer, 0, read);
      if (answer.size() > maxBytes) {
        throw new TooLongException("answers to " + word + " with more than " + maxBytes + " bytes");
      }
    }
  }

  private static int millisUntil(long deadline) throws SocketTimeoutException {
    long millis = (deadline - System.nanoTime()) / 1_000_000;
    if (millis < 1) {
      throw new SocketTimeoutException(LATE);
    }
    return (int) millis;
  }
}
