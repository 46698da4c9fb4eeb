// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import io.quorate.results.hosts.HostSamples;
import java.util.List;

/** Says why a value was not measured, and what to do about it. */
final class MissingMetrics {
  private MissingMetrics() {}

  /** Returns why the members did not report a value. */
  static String why(CheckInput input) {
    MemberMetrics metrics = input.metrics();
    String store = input.store();
    if (metrics.series().isEmpty()) {
      List<String> remarks =
          input.remarks().stream().filter(each -> each.contains("metrics of the server")).toList();
      String reason = remarks.isEmpty() ? "" : " (" + String.join("; ", remarks) + ")";
      return "no metrics of the members could be read"
          + reason
          + switch (store) {
            case "etcd" -> ": pass endpoints that answer GET /metrics over HTTP";
            case "zookeeper" -> ": allow mntr in 4lw.commands.whitelist";
            case "consul" -> ": the token needs agent:read for /v1/agent/metrics";
            default -> "";
          };
    }
    if (store.equals("zookeeper")
        && has(metrics, "zk_znode_count")
        && !has(metrics, "zk_approximate_data_size")) {
      return "the members answer to srvr only: allow mntr in 4lw.commands.whitelist";
    }
    if (store.equals("consul") && !has(metrics, "consul_raft_applied_index")) {
      return "Consul keeps no values for Prometheus, or leaves them out: see"
          + " prometheus_retention_time and prefix_filter of telemetry";
    }
    return "the members do not report it, or there were no new values";
  }

  private static boolean has(MemberMetrics metrics, String name) {
    return metrics.series().values().stream().anyMatch(each -> each.containsKey(name));
  }

  /** Returns why a value of a machine is not known. */
  static String ofMachine(HostSamples machine) {
    return machine.size() == 0
        ? "the machines of the members were not measured: no agent runs there"
        : "the system does not report it";
  }
}
