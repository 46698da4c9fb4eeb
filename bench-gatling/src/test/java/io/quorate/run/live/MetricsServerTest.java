package io.quorate.run.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.TestServers;
import io.quorate.store.Endpoint;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class MetricsServerTest {
  private static Endpoint free() {
    return new Endpoint("127.0.0.1", TestServers.freePort("127.0.0.1"));
  }

  private static HttpResponse<String> ask(Endpoint address, String method, String path)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void it_serves_its_metrics_to_get_alone() throws Exception {
    Endpoint address = free();
    try (MetricsServer server = MetricsServer.start(address, () -> "quorate_steps 3\n")) {
      assertThat(server).isNotNull();
      HttpResponse<String> metrics = ask(address, "GET", "/metrics");
      assertThat(metrics.statusCode()).isEqualTo(200);
      assertThat(metrics.body()).isEqualTo("quorate_steps 3\n");
      assertThat(metrics.headers().firstValue("Content-Type"))
          .contains("text/plain; version=0.0.4; charset=utf-8");
      HttpResponse<String> posted = ask(address, "POST", "/metrics");
      assertThat(posted.statusCode()).isEqualTo(405);
      assertThat(posted.headers().firstValue("Allow")).contains("GET");
      assertThat(ask(address, "GET", "/").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void a_port_that_is_taken_is_said_with_the_way_out() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Endpoint taken = new Endpoint("127.0.0.1", other.getLocalPort());
      assertThatThrownBy(() -> MetricsServer.require(taken))
          .isInstanceOf(QuorateException.class)
          .hasMessageStartingWith("metrics: cannot listen on " + taken + ": ")
          .hasMessageEndingWith(
              ": choose another address with -Dmetrics=HOST:PORT (or --metrics), or leave it out");
    }
  }

  @Test
  void an_address_can_be_listened_on_after_it_was_checked() throws Exception {
    Endpoint address = free();
    MetricsServer.require(address);
    try (MetricsServer server = MetricsServer.start(address, () -> "")) {
      assertThat(ask(address, "GET", "/metrics").statusCode()).isEqualTo(200);
      assertThat(server).isNotNull();
    }
  }
}
