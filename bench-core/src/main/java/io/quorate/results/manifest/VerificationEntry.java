package io.quorate.results.manifest;

import io.quorate.format.JsonFields;
import io.quorate.measure.Verification;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The result of reading keys back in JSON files, with its fields in their order. */
public record VerificationEntry(
    long acknowledgedKeys,
    long chosenKeys,
    long readKeys,
    long missingKeys,
    long wrongKeys,
    List<Verification.Fault> firstFaults,
    long leastKeyCount,
    OptionalLong keyCount,
    boolean valuesCompared,
    Optional<String> obstacle,
    long elapsedNanos) {

  /** Returns the entry of a verification. */
  public static VerificationEntry of(Verification found) {
    return new VerificationEntry(
        found.acknowledged(),
        found.chosen(),
        found.read(),
        found.missing(),
        found.wrong(),
        found.first(),
        found.leastCount(),
        found.counted(),
        found.valuesCompared(),
        found.obstacle(),
        found.elapsedNanos());
  }

  static Verification read(JsonFields from) {
    Verification found =
        new Verification(
            from.amount("acknowledgedKeys"),
            from.amount("chosenKeys"),
            from.amount("readKeys"),
            from.amount("missingKeys"),
            from.amount("wrongKeys"),
            from.objects("firstFaults").stream()
                .map(each -> new Verification.Fault(each.text("key"), each.text("found")))
                .toList(),
            from.amount("leastKeyCount"),
            from.optionalAmount("keyCount"),
            from.flag("valuesCompared"),
            from.optionalText("obstacle"),
            from.amount("elapsedNanos"));
    if (found.chosen() > found.acknowledged()
        || found.read() > found.chosen()
        || found.missing() > found.read()
        || found.wrong() > found.read() - found.missing()) {
      from.problem("no more keys missing and wrong than read, chosen and acknowledged");
    }
    return found;
  }
}
