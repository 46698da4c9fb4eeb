package io.quorate.store.consul;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.quorate.store.ServerLauncher;
import io.quorate.store.ServerPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs Consul: one agent for a member, ports for HTTP, for the servers' RPC and for gossip. */
public final class ConsulLauncher implements ServerLauncher {
  private static final int NONE = -1;

  private final Path executable;

  public ConsulLauncher(Path executable) {
    this.executable = executable;
  }

  @Override
  public int portsPerServer() {
    return 3;
  }

  @Override
  public List<String> command(ServerPlan server, List<ServerPlan> peers) throws IOException {
    Path settings = server.data().resolve("consul.json");
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(settings.toFile(), settings(server, peers));
    return List.of(executable.toString(), "agent", "-config-file=" + settings);
  }

  private static Map<String, Object> settings(ServerPlan server, List<ServerPlan> peers) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("node_name", server.name());
    settings.put("server", true);
    settings.put("bootstrap_expect", peers.size());
    settings.put("bind_addr", server.host());
    settings.put("advertise_addr", server.host());
    settings.put("client_addr", server.host());
    settings.put(
        "ports",
        Map.of(
            "http", server.port(0),
            "server", server.port(1),
            "serf_lan", server.port(2),
            "serf_wan", NONE,
            "dns", NONE,
            "grpc", NONE,
            "grpc_tls", NONE));
    settings.put(
        "retry_join", peers.stream().map(each -> each.host() + ":" + each.port(2)).toList());
    settings.put("retry_interval", "1s");
    settings.put("connect", Map.of("enabled", false));
    // the default of 200 for one address would end a ramp at 200 connections
    put(settings, "limits.http_max_conns_per_client", NONE);
    for (String field : server.settings().rendered(ConsulSettings.ALL)) {
      String[] parts = field.split("=", 2);
      put(settings, parts[0], value(parts[1]));
    }
    settings.put("disable_update_check", true);
    // without, /v1/agent/metrics has no Prometheus' format, and its JSON is an error for a while
    settings.put("telemetry", Map.of("prometheus_retention_time", "60s", "disable_hostname", true));
    settings.put("log_level", "WARN");
    settings.put("data_dir", server.data().toString());
    return settings;
  }

  /**
   * Sets a field.
   *
   * @param path its name, or the name of the object that it is in, a dot, and its name there
   */
  private static void put(Map<String, Object> settings, String path, Object value) {
    int dot = path.indexOf('.');
    if (dot < 0) {
      settings.put(path, value);
      return;
    }
    @SuppressWarnings("unchecked")
    Map<String, Object> within =
        (Map<String, Object>)
            settings.computeIfAbsent(
                path.substring(0, dot), any -> new LinkedHashMap<String, Object>());
    within.put(path.substring(dot + 1), value);
  }

  /** Returns a number, or a duration such as {@code 30000ms}. */
  private static Object value(String text) {
    return text.endsWith("ms") ? text : Long.valueOf(text);
  }

  /** Removes variables that begin with CONSUL, some of which are settings to Consul. */
  @Override
  public void clean(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith("CONSUL"));
  }
}
