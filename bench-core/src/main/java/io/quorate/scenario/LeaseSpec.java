package io.quorate.scenario;

import java.time.Duration;
import java.util.Optional;

/**
 * The leases of a scenario as a file gives them.
 *
 * @param count how many are kept alive
 * @param ttl after how long a lease ends by itself
 */
record LeaseSpec(Field<Integer> count, Field<Duration> ttl) {
  private static final String EXPECTED = "a map such as {count: 1_000, ttl: 100s}";
  private static final ValueType<Integer> COUNT = ValueType.count(1, 1_000_000);

  /** From the least that Consul takes; shorter ones may end before the load begins. */
  private static final ValueType<Duration> LIFE =
      ValueType.duration(
          "a duration from 10s to 1h in whole seconds, such as 100s",
          Duration.ofSeconds(10),
          Duration.ofHours(1));

  private static final ValueType<Duration> TTL =
      new ValueType<>(
          LIFE.expected(),
          LIFE.names(),
          scalar -> LIFE.parser().apply(scalar).filter(given -> given.toMillisPart() == 0));

  /** Reads them; both fields are absent if there are none. */
  static LeaseSpec read(Section top, ScenarioProblems problems) {
    Optional<Section> given =
        top.optional("leases").flatMap(node -> Section.of(node, EXPECTED, problems));
    if (given.isEmpty()) {
      return new LeaseSpec(Field.absent(), Field.absent());
    }
    Section section = given.get();
    LeaseSpec leases =
        new LeaseSpec(section.optional("count", COUNT), section.optional("ttl", TTL));
    section.close();
    return leases;
  }

  /** Reports leases of operations that have none. */
  static void check(Section top, OperationMix mix, String shown, ScenarioProblems problems) {
    if (top.has("leases") && !mix.usesLeases()) {
      String found = "the key 'leases' with " + shown;
      problems.add(
          top.key("leases"), found, "it with operation: lease-keepalive, or a mix that has it");
    }
  }

  /** Returns the leases; the usual ones in place of what is wrong or not given. */
  OperationMix.Leases leases() {
    OperationMix.Leases usual = OperationMix.USUAL_LEASES;
    return new OperationMix.Leases(
        count.value().orElse(usual.count()),
        ttl.value().map(given -> (int) given.toSeconds()).orElse(usual.ttlSeconds()));
  }
}
