// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

final class RequiresChromiumCondition implements ExecutionCondition {
  private static final String OBSTACLE =
      "found no chromium on PATH: apt-get install chromium, or name one with QUORATE_CHROMIUM";

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (Chromium.program().isPresent()) {
      return ConditionEvaluationResult.enabled("there is a Chromium");
    }
    String required = System.getProperty("require.chromium", "false");
    if (!required.equals("false")) {
      throw new ExtensionConfigurationException(OBSTACLE + "; -Drequire.chromium demands it");
    }
    String name = context.getTestClass().map(Class::getSimpleName).orElse("");
    System.out.println("SKIPPED " + name + ", " + context.getDisplayName() + ": " + OBSTACLE);
    return ConditionEvaluationResult.disabled(OBSTACLE);
  }
}
