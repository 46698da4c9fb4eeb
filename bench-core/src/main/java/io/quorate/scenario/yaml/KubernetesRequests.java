// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.format.CsvTable;
import io.quorate.store.Operation;
import java.util.List;
import java.util.Optional;

/**
 * A row of {@code kubernetes-requests.csv}: the requests to etcd that an action of a Kubernetes
 * cluster causes. They were counted between kube-apiserver 1.36.3 or 1.37.2 and etcd 3.7.3, with
 * 100 nodes and 1,000 Pods; see the guide, {@code kubernetes-load.md}.
 *
 * @param action action of the cluster
 * @param version Kubernetes version; empty for all
 * @param request id of an {@link Operation}, or one of the constants
 * @param resource part of the keys; empty if the request has none
 * @param bytes size of the written value; 0 if none is written
 * @param count number of requests of an action
 * @param per what causes the action
 * @param seconds time between two actions; 0 if each cause has one
 */
record KubernetesRequests(
    String action,
    String version,
    String request,
    String resource,
    int bytes,
    int count,
    String per,
    int seconds) {
  /** A key that exists before the load. */
  static final String PRESENT = "present";

  /** A watch, which starts again after the time of its row. */
  static final String WATCH = "watch";

  /** The resource whose objects get leases, are not watched, and are counted instead of read. */
  static final String EVENTS = "events";

  /** A request of progress of a watch. */
  static final String PROGRESS = "progress";

  /** The resource whose objects are custom, of a size that {@code crd-size} says. */
  private static final String CUSTOM = "custom";

  /**
   * Returns the rows of a version.
   *
   * @param customBytes size of custom objects; 0 for none
   */
  static List<KubernetesRequests> of(String version, int customBytes) {
    return all().stream()
        .filter(row -> row.version.isEmpty() || row.version.equals(version))
        .filter(row -> customBytes > 0 || !row.resource.equals(CUSTOM))
        .map(row -> row.resource.equals(CUSTOM) ? row.withBytes(customBytes) : row)
        .toList();
  }

  /** Returns a row with another size of values, if it has any. */
  private KubernetesRequests withBytes(int size) {
    int written = bytes > 0 ? size : 0;
    return new KubernetesRequests(action, version, request, resource, written, count, per, seconds);
  }

  /** Returns all rows. */
  static List<KubernetesRequests> all() {
    return CsvTable.resource(KubernetesRequests.class, "kubernetes-requests.csv").stream()
        .map(KubernetesRequests::of)
        .toList();
  }

  private static KubernetesRequests of(CsvTable.Row row) {
    return new KubernetesRequests(
        row.text(0),
        row.text(1),
        row.text(2),
        row.text(3),
        row.text(4).isEmpty() ? 0 : (int) row.integer(4),
        (int) row.integer(5),
        row.text(6),
        row.text(7).isEmpty() ? 0 : (int) row.integer(7));
  }

  /** Returns its operation; empty for a constant. */
  Optional<Operation> operation() {
    return Operation.named(request);
  }
}
