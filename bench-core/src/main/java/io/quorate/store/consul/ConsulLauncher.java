package io.quorate.store.consul;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.quorate.store.Login;
import io.quorate.store.server.MemberKeys;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerPlan;
import io.quorate.tls.PrivateFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

  /** Returns the port of gossip, which is over datagrams, and over connections for much at once. */
  @Override
  public Set<Integer> datagramPorts() {
    return Set.of(2);
  }

  @Override
  public List<String> command(ServerPlan server, List<ServerPlan> peers) throws IOException {
    Path settings = server.data().resolve("consul.json");
    // with secrets in it
    PrivateFiles.write(
        settings,
        new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .writeValueAsString(settings(server, peers)));
    return List.of(executable.toString(), "agent", "-config-file=" + settings);
  }

  private static Map<String, Object> settings(ServerPlan server, List<ServerPlan> peers) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("node_name", server.name());
    settings.put("server", true);
    settings.put("bootstrap_expect", peers.size());
    settings.put("bind_addr", server.host());
    settings.put("advertise_addr", server.peerHost());
    settings.put("client_addr", server.host());
    settings.put("ports", ports(server));
    settings.put(
        "retry_join", peers.stream().map(each -> each.peerHost() + ":" + each.port(2)).toList());
    settings.put("retry_interval", "1s");
    settings.put("connect", Map.of("enabled", false));
    // the default of 200 for one address would end a ramp at 200 connections
    put(settings, "limits.http_max_conns_per_client", NONE);
    for (String field : server.settings().rendered(ConsulServers.SETTINGS)) {
      String[] parts = field.split("=", 2);
      put(settings, parts[0], value(parts[1]));
    }
    settings.put("disable_update_check", true);
    // without, /v1/agent/metrics has no Prometheus' format, and its JSON is an error for a while
    settings.put("telemetry", Map.of("prometheus_retention_time", "60s", "disable_hostname", true));
    settings.put("log_level", "WARN");
    settings.put("data_dir", server.data().toString());
    server.keys().ifPresent(keys -> settings.putAll(secured(keys)));
    return settings;
  }

  private static Map<String, Integer> ports(ServerPlan server) {
    Map<String, Integer> ports = new LinkedHashMap<>();
    if (server.keys().isPresent()) {
      ports.put("http", NONE);
      ports.put("https", server.port(0));
    } else {
      ports.put("http", server.port(0));
    }
    ports.put("server", server.port(1));
    ports.put("serf_lan", server.port(2));
    List.of("serf_wan", "dns", "grpc", "grpc_tls").forEach(unused -> ports.put(unused, NONE));
    return ports;
  }

  /**
   * Returns the settings for TLS with clients and among servers, which all need a certificate, for
   * encrypted gossip, and for a token that clients need.
   */
  private static Map<String, Object> secured(MemberKeys keys) {
    Map<String, Object> settings = new LinkedHashMap<>();
    Map<String, Object> tls = new LinkedHashMap<>();
    tls.put("ca_file", keys.authority().toString());
    tls.put("cert_file", keys.certificate().toString());
    tls.put("key_file", keys.key().toString());
    tls.put("verify_incoming", true);
    tls.put("verify_outgoing", true);
    settings.put("tls", Map.of("defaults", tls));
    settings.put("encrypt", keys.sharedKey());
    if (keys.login() instanceof Login.Token login) {
      Map<String, String> tokens =
          Map.of("initial_management", login.token(), "agent", login.token());
      settings.put("acl", Map.of("enabled", true, "default_policy", "deny", "tokens", tokens));
    }
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
