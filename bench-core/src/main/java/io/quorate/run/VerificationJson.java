package io.quorate.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorate.measure.Verification;

/** Converts what came of reading keys back to JSON, and back. */
public final class VerificationJson {
  private VerificationJson() {}

  /** Adds the fields. */
  public static void write(ObjectNode to, Verification found) {
    to.put("acknowledgedKeys", found.acknowledged());
    to.put("chosenKeys", found.chosen());
    to.put("readKeys", found.read());
    to.put("missingKeys", found.missing());
    to.put("wrongKeys", found.wrong());
    ArrayNode faults = to.putArray("firstFaults");
    found
        .first()
        .forEach(fault -> faults.addObject().put("key", fault.key()).put("found", fault.found()));
    to.put("leastKeyCount", found.leastCount());
    found.counted().ifPresent(count -> to.put("keyCount", count));
    to.put("valuesCompared", found.valuesCompared());
    found.obstacle().ifPresent(why -> to.put("obstacle", why));
    to.put("elapsedNanos", found.elapsedNanos());
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
