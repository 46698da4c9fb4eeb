// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.quorate.cluster.TestServers;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.RunDirectory;
import java.io.File;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
      assertThat(get(address, "/metrics").statusCode()).isEqualTo(503);

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
        HttpResponse<String> answer = get(address, "/metrics");
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

  @Test
  void of_a_matrix_the_page_is_that_of_the_run_that_began_last() throws Exception {
    MatrixDirectory matrix = new SyntheticMatrix(1, 1).write(directory);
    long time = matrix.path().toFile().lastModified();
    String address = HOST + ":" + TestServers.freePort(HOST);
    try (LivePage page = new LivePage(new RunDirectory(matrix.path()), address, Optional.empty())) {
      for (String cell : List.of(SyntheticMatrix.HIGH, SyntheticMatrix.LOW)) {
        time += 10_000;
        Path run = matrix.lastAttempt(cell, 1).orElseThrow().path();
        assertThat(run.toFile().setLastModified(time)).isTrue();
      }
      assertThat(get(address, "/").body()).contains("1 client").doesNotContain("10 clients");

      Files.writeString(matrix.page(), "");
      assertThat(matrix.page().toFile().setLastModified(time)).isTrue();
      page.awaitEnd();
    }
  }

  @Test
  void a_page_before_the_end_of_a_database_is_not_the_last_one() throws Exception {
    MatrixDirectory matrix = new SyntheticMatrix(1, 1).write(directory);
    RunDirectory run = matrix.lastAttempt(SyntheticMatrix.LOW, 1).orElseThrow();
    Files.writeString(run.page(), "");
    long time = run.page().toFile().lastModified();
    File manifest = run.databases().get(0).manifest().toFile();
    String address = HOST + ":" + TestServers.freePort(HOST);
    try (LivePage page = new LivePage(run, address, Optional.empty())) {
      assertThat(manifest.setLastModified(time + 10_000)).isTrue();
      assertThat(page.hasEnded()).isFalse();
      assertThat(manifest.setLastModified(time)).isTrue();
      assertThat(page.hasEnded()).isTrue();
    }
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.indexOf(':') + 1));
  }

  private static HttpResponse<String> get(String address, String path) throws Exception {
    URI uri = URI.create("http://" + address + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
