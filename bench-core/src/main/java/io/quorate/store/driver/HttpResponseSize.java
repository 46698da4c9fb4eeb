// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;

/**
 * The size of a server's answer of any length over HTTP/1.1, which is read and discarded.
 *
 * @param bytes bytes of the body, all or those that are counted
 */
public record HttpResponseSize(int status, long bytes) {
  private static final int OK = 200;

  /**
   * Sends GET, and reads all of the answer.
   *
   * @param path path from the first slash on, with the query
   * @param limit time limit of the connect and the complete answer
   * @throws IOException if there is no complete answer in time; the message is safe to show
   */
  public static HttpResponseSize get(
      Endpoint endpoint, Access access, String path, Map<String, String> headers, Duration limit)
      throws IOException {
    return get(piece -> piece.length, endpoint, access, path, headers, limit);
  }

  /** Sends GET, and counts only the bytes of one value in the answer. */
  public static HttpResponseSize get(
      byte counted,
      Endpoint endpoint,
      Access access,
      String path,
      Map<String, String> headers,
      Duration limit)
      throws IOException {
    return get(piece -> count(piece, counted), endpoint, access, path, headers, limit);
  }

  private static HttpResponseSize get(
      ToIntFunction<byte[]> size,
      Endpoint endpoint,
      Access access,
      String path,
      Map<String, String> headers,
      Duration limit)
      throws IOException {
    HttpResponse<Long> response =
        HttpResponseText.send(
            "GET", endpoint, access, path, "", headers, limit, () -> counted(size));
    return new HttpResponseSize(response.statusCode(), response.body());
  }

  private static int count(byte[] piece, byte counted) {
    int count = 0;
    for (byte each : piece) {
      count += each == counted ? 1 : 0;
    }
    return count;
  }

  private static BodySubscriber<Long> counted(ToIntFunction<byte[]> size) {
    AtomicLong bytes = new AtomicLong();
    return BodySubscribers.mapping(
        BodySubscribers.ofByteArrayConsumer(
            piece -> piece.ifPresent(each -> bytes.addAndGet(size.applyAsInt(each)))),
        end -> bytes.get());
  }

  public boolean isOk() {
    return status == OK;
  }
}
