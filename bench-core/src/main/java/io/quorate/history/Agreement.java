// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.VisibleText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Compares the values that the members of a cluster hold, once nothing is left to replicate. */
public final class Agreement {
  private Agreement() {}

  /**
   * Returns a line such as {@code key 17: v42 on m1, m3; v41 on m2} for each key whose value is not
   * the same on all members, by ascending key. A member may lack a key.
   *
   * @param valuesByMember values by key of each member
   */
  public static List<String> differences(Map<String, Map<Long, Long>> valuesByMember) {
    TreeSet<Long> keys = new TreeSet<>();
    valuesByMember.values().forEach(each -> keys.addAll(each.keySet()));
    List<String> differences = new ArrayList<>();
    for (long key : keys) {
      Map<Long, String> members = new TreeMap<>(Comparator.reverseOrder());
      new TreeMap<>(valuesByMember)
          .forEach(
              (member, values) ->
                  members.merge(
                      values.getOrDefault(key, RecordedRequest.ABSENT),
                      VisibleText.of(member),
                      (some, other) -> some + ", " + other));
      if (members.size() > 1) {
        differences.add(
            members.entrySet().stream()
                .map(each -> RecordedRequest.value(each.getKey()) + " on " + each.getValue())
                .collect(Collectors.joining("; ", "key " + key + ": ", "")));
      }
    }
    return differences;
  }
}
