package io.quorate.history;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import io.quorate.VisibleText;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Whether all members of a cluster hold the same values, once they have nothing left to replicate.
 *
 * @param keys number of keys that at least one member holds
 * @param differences keys whose value is not the same on all members, in ascending order
 */
public record Agreement(int keys, List<Difference> differences) {
  public Agreement {
    differences = List.copyOf(differences);
  }

  /**
   * A key whose members disagree.
   *
   * @param values value of each member; {@link RecordedRequest#ABSENT} where it is missing
   */
  public record Difference(long key, Map<String, Long> values) {
    /** Returns a sentence such as {@code key 17: v42 on m1, m3; v41 on m2}. */
    public String text() {
      Map<Long, List<String>> members =
          new TreeMap<>(values).keySet().stream().collect(groupingBy(values::get));
      return members.entrySet().stream()
          .sorted(Map.Entry.comparingByKey((one, other) -> Long.compare(other, one)))
          .map(each -> RecordedRequest.value(each.getKey()) + " on " + names(each.getValue()))
          .collect(joining("; ", "key " + key + ": ", ""));
    }

    private static String names(List<String> members) {
      return members.stream().map(VisibleText::of).collect(joining(", "));
    }
  }

  /** Compares the values by key of all members; a value may not be {@code ABSENT}. */
  public static Agreement of(Map<String, Map<Long, Long>> valuesByMember) {
    TreeSet<Long> keys = new TreeSet<>();
    valuesByMember.values().stream().map(Map::keySet).forEach(keys::addAll);
    List<Difference> differences =
        keys.stream()
            .map(key -> new Difference(key, valuesOf(key, valuesByMember)))
            .filter(each -> each.values.values().stream().distinct().count() > 1)
            .toList();
    return new Agreement(keys.size(), differences);
  }

  private static Map<String, Long> valuesOf(long key, Map<String, Map<Long, Long>> valuesByMember) {
    Function<String, Long> value =
        member -> valuesByMember.get(member).getOrDefault(key, RecordedRequest.ABSENT);
    Map<String, Long> values = new TreeMap<>();
    valuesByMember.keySet().forEach(member -> values.put(member, value.apply(member)));
    return values;
  }
}
