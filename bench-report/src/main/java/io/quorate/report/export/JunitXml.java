// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.export;

import io.quorate.VisibleText;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.LimitResult;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.PageTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes limits and gates as JUnit's XML, which Jenkins, GitLab and GitHub show as tests.
 *
 * @param name name of the suite
 */
public record JunitXml(String name, List<TestCase> tests) {
  /**
   * A limit or a rule, and what was found.
   *
   * @param group first part of its name, such as the database
   * @param failure message if it failed
   * @param skipped message if it could not be decided
   */
  public record TestCase(
      String group, String name, Optional<String> failure, Optional<String> skipped) {
    private static TestCase of(String group, LimitResult limit) {
      Optional<String> reason = Optional.of(limit.reason());
      return new TestCase(
          group,
          limit.limit().toString(),
          reason.filter(any -> !limit.isKept() && !limit.isUndecided()),
          reason.filter(any -> limit.isUndecided()));
    }
  }

  /** Returns the limits of a run, in which a limit of a database is a test. */
  public static JunitXml ofLimits(RunFigures run) {
    String name = run.run().databases().get(0).manifest().scenario().name();
    List<TestCase> tests = new ArrayList<>();
    for (DatabaseFigures database : run.databases()) {
      tests.addAll(limits(name + "." + database.run().manifest().store().tag(), database));
    }
    return ofLimits(name, tests);
  }

  /**
   * @param name name of the scenario
   */
  public static JunitXml ofLimits(String name, List<TestCase> tests) {
    return new JunitXml("thresholds of " + name, tests);
  }

  /** Returns the limits of a database, each as a test of a group. */
  public static List<TestCase> limits(String group, DatabaseFigures database) {
    return database.limits().stream().map(limit -> TestCase.of(group, limit)).toList();
  }

  public String text() {
    return PageTemplate.html("junit.xml.ftl", this);
  }

  /** Returns a text without characters that XML does not allow. */
  public String visible(String text) {
    return VisibleText.of(text);
  }
}
