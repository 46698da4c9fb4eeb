// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import io.gatling.javaapi.core.Simulation;
import io.quorate.cli.Quorate;
import io.quorate.run.ParentProcess;
import io.quorate.run.options.RunOptions;

/**
 * Entry point of {@code mvn gatling:test}: runs the whole scenario, as {@code ./quorate run} does,
 * with a separate process for each database's simulation. It sends no requests itself, so Gatling
 * never continues after this constructor.
 */
public final class ScenarioSimulation extends Simulation {
  public ScenarioSimulation() {
    ParentProcess.endWhenItEnds();
    if (System.getProperty(RunOptions.GATLING_REPORT) == null) {
      System.setProperty(RunOptions.GATLING_REPORT, "true");
    }
    System.exit(Quorate.run("run", "--from-properties"));
  }
}
