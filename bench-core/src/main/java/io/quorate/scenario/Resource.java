// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.store.Operation;
import java.util.List;

/**
 * Keys with a common prefix and a common size of values, such as the Pods of a Kubernetes cluster.
 *
 * @param name first part of its keys
 * @param prefixes number of its prefixes; more than 1 only if it has no keys
 * @param keys number of keys that exist before the load; updates and reads draw one of them
 * @param valueBytes size of its values
 * @param watched whether each group of watchers has one for each of its prefixes
 * @param leased whether new objects get leases, as events do. Ranges then only count the keys
 * @param shares operations of its requests, with weights relative to those of other resources
 */
public record Resource(
    String name,
    int prefixes,
    long keys,
    int valueBytes,
    boolean watched,
    boolean leased,
    List<OperationMix.Share> shares) {
  public Resource {
    shares = List.copyOf(shares);
    if (prefixes < 1 || keys < 0 || keys > 0 && prefixes > 1) {
      throw new IllegalArgumentException("a resource with keys needs one prefix");
    }
  }

  /** Returns the weight of an operation; 0 if it has none. */
  public int weight(Operation operation) {
    return shares.stream()
        .filter(share -> share.operation() == operation)
        .mapToInt(OperationMix.Share::weight)
        .sum();
  }

  /** Returns the first part of keys with a prefix, ending with a slash. */
  public String prefix(int number) {
    return prefixes == 1 ? name + "/" : name + "-" + (number + 1) + "/";
  }
}
