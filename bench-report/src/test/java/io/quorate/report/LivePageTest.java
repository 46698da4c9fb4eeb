// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.quorate.cluster.TestServers;
import io.quorate.results.RunDirectory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LivePageTest {
  private static final String HOST = "127.0.0.1";

  @TempDir private Path directory;

  @Test
  void metrics_are_those_of_the_load_generator_and_unavailable_between_two_of_them()
      throws Exception {
    String source = HOST + ":" + TestServers.freePort(HOST);
    String address = HOST + ":" + TestServers.freePort(HOST);
    LivePage page = new LivePage(new RunDirectory(directory), address, Optional.of(source));
    try {
      assertThat(get(address).statusCode()).isEqualTo(503);

      HttpServer generator = HttpServer.create(new InetSocketAddress(HOST, port(source)), 0);
      generator.createContext(
          "/metrics",
          exchange -> {
            try (exchange) {
              byte[] text = "quorate_step_current 1\n".getBytes(UTF_8);
              exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
              exchange.sendResponseHeaders(200, text.length);
              exchange.getResponseBody().write(text);
            }
          });
      generator.start();
      try {
        HttpResponse<String> answer = get(address);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("quorate_step_current 1\n");
        assertThat(answer.headers().firstValue("Content-Type"))
            .contains("text/plain; version=0.0.4");
      } finally {
        generator.stop(0);
      }
    } finally {
      page.close();
    }
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.indexOf(':') + 1));
  }

  private static HttpResponse<String> get(String address) throws Exception {
    URI metrics = URI.create("http://" + address + "/metrics");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString());
  }
}
