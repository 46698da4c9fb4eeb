// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.install.Installation;
import io.quorate.store.Store;
import io.quorate.store.server.Program;
import io.quorate.stores.Stores;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

final class RequiresDatabaseCondition implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<RequiresDatabase> required =
        context
            .getElement()
            .flatMap(element -> AnnotationSupport.findAnnotation(element, RequiresDatabase.class));
    for (String id : required.map(RequiresDatabase::value).orElse(new String[0])) {
      Store database = Stores.byId(id).orElseThrow();
      Optional<String> obstacle = obstacle(database);
      if (obstacle.isPresent()) {
        return missing(context, database, obstacle.get());
      }
    }
    return ConditionEvaluationResult.enabled("everything that is needed is installed");
  }

  private static Optional<String> obstacle(Store database) {
    Installation installation = Installation.of(System.getenv(), System.getProperties());
    return Stores.servers(database).external().isEmpty()
        ? installation.obstacle(database)
        : Optional.of(TestServers.externalProgram(database))
            .filter(program -> installation.find(program).isEmpty())
            .map(Program::missing);
  }

  private static ConditionEvaluationResult missing(
      ExtensionContext context, Store database, String obstacle) {
    String[] all = System.getProperty("require.databases", "").strip().split("\\s*,\\s*");
    if (Arrays.asList(all).contains(database.id())) {
      throw new ExtensionConfigurationException(
          obstacle + "; -Drequire.databases demands " + database);
    }
    String name = context.getTestClass().map(Class::getSimpleName).orElse("");
    System.out.println("SKIPPED " + name + ", " + context.getDisplayName() + ": " + obstacle);
    return ConditionEvaluationResult.disabled(obstacle);
  }
}
