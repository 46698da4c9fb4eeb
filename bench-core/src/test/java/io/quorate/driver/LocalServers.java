package io.quorate.driver;

import io.quorate.QuorateException;
import io.quorate.cluster.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;

/** Servers that LocalCluster cannot start yet; without their programs the test is skipped. */
final class LocalServers implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final List<Process> processes = new ArrayList<>();
  private final Path directory;

  LocalServers(Path directory) {
    this.directory = directory;
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** One Consul server that leads. */
  Endpoint consul() {
    int http = freePort();
    String config =
        String.format(
            Locale.ROOT,
            """
            {"server": true, "bootstrap_expect": 1, "bind_addr": "127.0.0.1",
             "advertise_addr": "127.0.0.1", "client_addr": "127.0.0.1",
             "ports": {"http": %d, "server": %d, "serf_lan": %d, "serf_wan": -1, "dns": -1,
                       "grpc": -1, "grpc_tls": -1},
             "connect": {"enabled": false}, "performance": {"raft_multiplier": 1},
             "limits": {"http_max_conns_per_client": -1}, "disable_update_check": true,
             "log_level": "WARN", "data_dir": "%s"}
            """,
            http,
            freePort(),
            freePort(),
            directory.resolve("consul"));
    Path file = directory.resolve("consul.json");
    try {
      Files.writeString(file, config);
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
    run("consul", program("QUORATE_CONSUL"), "agent", "-config-file=" + file);
    Await.until("a Consul leader", LIMIT, () -> puts(http));
    return new Endpoint("127.0.0.1", http);
  }

  /** One etcd member and the zetcd in front of it. */
  Endpoint zetcd() {
    String etcd = program("QUORATE_ETCD");
    String zetcd = program("QUORATE_ZETCD");
    String client = "http://127.0.0.1:" + freePort();
    String peer = "http://127.0.0.1:" + freePort();
    Endpoint endpoint = new Endpoint("127.0.0.1", freePort());
    run(
        "etcd",
        etcd,
        "--name=m0",
        "--data-dir=" + directory.resolve("etcd"),
        "--listen-client-urls=" + client,
        "--advertise-client-urls=" + client,
        "--listen-peer-urls=" + peer,
        "--initial-advertise-peer-urls=" + peer,
        "--initial-cluster=m0=" + peer,
        "--log-level=warn");
    Await.until(
        "etcd is healthy", LIMIT, () -> says(get(client + "/health"), "\"health\":\"true\""));
    run("zetcd", zetcd, "--zkaddr=" + endpoint, "--endpoints=" + client.substring(7));
    Await.until("a session at zetcd", LIMIT, () -> opens(endpoint));
    return endpoint;
  }

  @Override
  public void close() {
    for (int index = processes.size() - 1; index >= 0; index--) {
      Process process = processes.get(index);
      process.destroyForcibly();
      process.onExit().join();
    }
  }

  private void run(String name, String... command) {
    try {
      processes.add(
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve(name + ".log").toFile())
              .start());
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }

  private static String program(String variable) {
    String path = System.getenv(variable);
    if (path == null) {
      System.out.println("SKIPPED: " + variable + " does not name a program");
    }
    Assumptions.assumeTrue(path != null, variable + " does not name a program");
    return path;
  }

  private static boolean opens(Endpoint endpoint) {
    var settings = new DriverSettings(endpoint, Duration.ofSeconds(2), Duration.ofSeconds(2));
    try {
      Database.ZETCD.open(settings).close();
      return true;
    } catch (QuorateException notYet) {
      return false;
    }
  }

  private static boolean puts(int port) {
    URI key = URI.create("http://127.0.0.1:" + port + "/v1/kv/ready");
    return says(
        HttpRequest.newBuilder(key).PUT(HttpRequest.BodyPublishers.ofString("x")).build(), "true");
  }

  private static HttpRequest get(String uri) {
    return HttpRequest.newBuilder(URI.create(uri)).build();
  }

  private static boolean says(HttpRequest request, String text) {
    try {
      return HttpClient.newHttpClient()
          .send(request, HttpResponse.BodyHandlers.ofString())
          .body()
          .contains(text);
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new AssertionError(stop);
    }
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }
}
