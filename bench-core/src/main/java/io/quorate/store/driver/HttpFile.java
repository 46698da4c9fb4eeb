// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Transfers files of any size to and from a server over HTTP/1.1. */
public final class HttpFile {
  private HttpFile() {}

  /**
   * Reads the answer to GET into a file.
   *
   * @param limit time limit of the connect and the complete answer
   * @return the status; the file has an explanation if it is not 200
   * @throws IOException if there is no complete answer in time; the message is safe to show
   */
  public static int read(
      Endpoint endpoint,
      Access access,
      String path,
      Map<String, String> headers,
      Path file,
      Duration limit)
      throws IOException {
    BodyPublisher none = BodyPublishers.noBody();
    return HttpResponseText.send(
            "GET", endpoint, access, path, none, headers, limit, () -> BodySubscribers.ofFile(file))
        .statusCode();
  }

  /** Sends a file by PUT; fails as {@link #read}. */
  public static HttpResponseText write(
      Endpoint endpoint,
      Access access,
      String path,
      Map<String, String> headers,
      Path file,
      Duration limit)
      throws IOException {
    BodyPublisher content = BodyPublishers.ofFile(file);
    HttpResponse<String> answer =
        HttpResponseText.send(
            "PUT", endpoint, access, path, content, headers, limit, HttpResponseText::limitedBody);
    return new HttpResponseText(answer.statusCode(), answer.body());
  }
}
