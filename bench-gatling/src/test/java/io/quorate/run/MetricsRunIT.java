// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.TestServers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that is looked at while it continues. */
class MetricsRunIT {
  private static final String RATE =
      """
      title: A mix at a rate
      mix: {put: 1, get: 1}
      duration: 120s
      warm-up: 100
      cold-start: true
      keys: {size: 16, count: 100}
      values: {size: 32}
      load: {rate: 200/s, connections: 2}
      databases: [memory]
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void figures_are_served_while_the_run_goes_on() throws Exception {
    Files.writeString(directory.resolve("rate.yaml"), RATE);
    String address = "127.0.0.1:" + TestServers.freePort("127.0.0.1");
    String[] command = {"run", "rate.yaml", "--results", "results", "--metrics", address};
    // a process, as the JDK's server reads its limits once in a JVM
    try (QuorateProcess run = QuorateProcess.start(directory, Map.of(), command)) {
      run.awaitOutput(" 1/1  200/s  ", Duration.ofMinutes(2));
      assertThat(run.output()).contains("in-memory map  metrics at http://" + address + "/metrics");
      String ofStep = "step=\"1\"} [1-9]";
      String database = "database=\"memory\",";
      List<Pattern> expected =
          Stream.of(
                  "quorate_requests_total\\{"
                      + database
                      + "operation=\"put\",outcome=\"success\","
                      + ofStep,
                  "quorate_response_time_seconds_count\\{"
                      + database
                      + "operation=\"get\","
                      + ofStep,
                  "quorate_send_lag_seconds_count\\{" + database + ofStep)
              .map(Pattern::compile)
              .toList();
      QuorateProcess.await(
          () -> {
            String now = metrics(address);
            return expected.stream().allMatch(each -> each.matcher(now).find());
          },
          Duration.ofSeconds(60),
          () -> "no " + expected + " in:\n" + metrics(address));
      assertThat(metrics(address))
          .contains("# TYPE quorate_requests_total counter\n")
          .contains("quorate_step{database=\"memory\"} 1.0\n");

      List<Socket> incomplete = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        Socket socket = new Socket("127.0.0.1", Integer.parseInt(address.split(":")[1]));
        socket.getOutputStream().write("GET /metrics HTTP/1.1\r\n".getBytes(US_ASCII));
        incomplete.add(socket);
      }
      assertThat(metrics(address)).contains("quorate_step{database=\"memory\"} 1.0\n");
      for (Socket socket : incomplete) {
        socket.close();
      }
    }
  }

  @Test
  void an_address_that_is_taken_is_refused_before_anything_starts() throws Exception {
    Files.writeString(directory.resolve("rate.yaml"), RATE);
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      InProcessRun refused =
          InProcessRun.run(
              directory, "run", "rate.yaml", "--results", "results", "--metrics", address);
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.output()).startsWith("metrics: cannot listen on " + address + ": ");
      assertThat(directory.resolve("results")).doesNotExist();
    }
  }

  private static String metrics(String address) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).build();
    return HttpClient.newHttpClient()
        .sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .orTimeout(60, TimeUnit.SECONDS)
        .join()
        .body();
  }
}
