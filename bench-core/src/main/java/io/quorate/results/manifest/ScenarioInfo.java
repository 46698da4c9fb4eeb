// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import io.quorate.scenario.GateRule;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.SloLimit;
import io.quorate.scenario.StoreLoad;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * The scenario of a run.
 *
 * @param scale part of its requests that is sent; 1 for all
 * @param gate largest changes since earlier runs; empty if it has none
 * @param pricePerHour price of an hour of all servers, in any currency; empty if it was not given
 * @param databases the ids of all databases of the scenario, in the order of the columns
 */
public record ScenarioInfo(
    String name,
    String title,
    double scale,
    List<String> databases,
    List<SloLimit> limits,
    Optional<List<GateRule>> gate,
    Optional<BigDecimal> pricePerHour,
    String text) {
  public ScenarioInfo {
    databases = List.copyOf(databases);
    limits = List.copyOf(limits);
    if (!(scale > 0 && scale <= 1)) {
      throw new IllegalArgumentException(
          "scale: found " + scale + ", expected a number above 0 and at most 1");
    }
  }

  static ScenarioInfo of(Scenario scenario) {
    return new ScenarioInfo(
        scenario.heading().name(),
        scenario.heading().title(),
        scenario.scale(),
        scenario.databases().stream().map(StoreLoad::database).map(each -> each.id()).toList(),
        scenario.goals().limits(),
        Optional.of(scenario.goals().gate()).filter(rules -> !rules.isEmpty()),
        Optional.empty(),
        scenario.heading().source());
  }

  public ScenarioInfo withLimits(List<SloLimit> others) {
    return new ScenarioInfo(name, title, scale, databases, others, gate, pricePerHour, text);
  }

  ScenarioInfo withPricePerHour(BigDecimal price) {
    return new ScenarioInfo(name, title, scale, databases, limits, gate, Optional.of(price), text);
  }
}
