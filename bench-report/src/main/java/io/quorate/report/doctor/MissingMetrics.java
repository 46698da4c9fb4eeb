// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Says why a value was not measured, and what to do about it. */
final class MissingMetrics {
  /** Beginning of a remark, which is about all seconds if there are no metrics. */
  private static final String FOR_SOME_SECONDS =
      "metrics of the server are missing for some seconds: ";

  private MissingMetrics() {}

  /** Returns why members lack the values of their kind, by their names; none if none does. */
  static Map<String, String> ofMembers(CheckInput input) {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (int member = 1; member <= Math.max(1, input.metrics().members()); member++) {
      String name = input.member(member);
      reason(input, name, input.metrics().reported().metrics(member))
          .ifPresent(why -> reasons.put(name, why));
    }
    return reasons;
  }

  private static Optional<String> reason(CheckInput input, String member, Set<String> reported) {
    Optional<String> advice = input.knowledge().advice(reported);
    if (!reported.isEmpty()) {
      return advice;
    }
    String start = member + ": ";
    String remarks =
        input.remarks().stream()
            .filter(each -> each.startsWith(start + "metrics of the server"))
            .map(each -> each.substring(start.length()).replace(FOR_SOME_SECONDS, ""))
            .collect(Collectors.joining("; "));
    return Optional.of(
        "no metrics could be read"
            + (remarks.isEmpty() ? "" : " (" + remarks + ")")
            + advice.map(each -> ": " + each).orElse(""));
  }

  /** Returns why a value of a machine is not known. */
  static String ofMachine(CheckInput input) {
    if (input.machine().size() > 0) {
      return "the system does not report it";
    }
    return input.steps().stream().allMatch(step -> step.results().isEmpty())
        ? "the machines of the members were not measured: no agent runs there"
        : "the load generator's machine was not measured";
  }
}
