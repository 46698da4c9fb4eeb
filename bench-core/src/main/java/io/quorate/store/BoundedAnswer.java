package io.quorate.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Reads a server's answer until it closes the connection: within a time that holds for all of it
 * (clients of HTTP only limit the wait for each piece) and up to a size.
 */
public final class BoundedAnswer {
  static final int MAX_BYTES = 4_000_000;

  private BoundedAnswer() {}

  /**
   * Sends a text and returns the answer.
   *
   * @throws IOException if there is none in time, or if it is too long
   */
  public static String to(Endpoint endpoint, Access access, String question, Duration limit)
      throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    try (Socket open = new Socket(Proxy.NO_PROXY)) {
      open.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), millisUntil(deadline));
      open.setSoTimeout(millisUntil(deadline));
      Socket socket =
          access.tls().isPresent() ? access.tls().get().over(open, endpoint.host()) : open;
      socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
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
        if (answer.size() > MAX_BYTES) {
          throw new IOException("answers with more than " + MAX_BYTES + " bytes");
        }
      }
    }
  }

  /**
   * Returns the body of the answer to GET, as HTTP/1.0: not chunked, and the server closes the
   * connection.
   *
   * @param header a line with its end, or nothing
   * @throws IOException as above, and if the status is not 200
   */
  public static String get(
      Endpoint endpoint, Access access, String path, String header, Duration limit)
      throws IOException {
    String request = "GET " + path + " HTTP/1.0\r\nHost: " + endpoint + "\r\n" + header + "\r\n";
    String answer = to(endpoint, access, request, limit);
    int body = answer.indexOf("\r\n\r\n");
    String status = answer.substring(0, Math.max(0, answer.indexOf("\r\n")));
    if (body < 0 || !status.matches("HTTP/1\\.[01] 200( [^\\r\\n]{0,100})?")) {
      throw new IOException("does not answer GET " + path + " with status 200");
    }
    return answer.substring(body + 4);
  }

  private static int millisUntil(long deadline) throws SocketTimeoutException {
    long millis = (deadline - System.nanoTime()) / 1_000_000;
    if (millis < 1) {
      throw new SocketTimeoutException("does not answer in time");
    }
    return (int) millis;
  }
}
