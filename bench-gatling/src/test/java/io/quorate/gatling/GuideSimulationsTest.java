// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.tools.nsc.Main;

/** Compiles the simulations of the guide: Java, and Scala against Gatling's DSL for Scala. */
class GuideSimulationsTest {
  private static final Path GUIDE =
      Path.of(System.getProperty("quorate.home", "..")).resolve("src/site/markdown");
  private static final String TUTORIAL = "tutorials/gatling-simulation.md";

  @TempDir private Path directory;

  @Test
  void the_simulation_of_the_tutorial_compiles() throws IOException {
    assertThat(javac("FirstSimulation.java", example(TUTORIAL, "java"))).isZero();
    assertThat(directory.resolve("FirstSimulation.class")).exists();
  }

  @Test
  void the_actions_of_the_recipes_compile() throws IOException {
    String recipe =
        """
        import static io.gatling.javaapi.core.CoreDsl.*;
        import static io.quorate.gatling.QuorateDsl.*;
        import java.time.Duration;
        class Recipe {
          Object actions = %s
        }
        """
            .formatted(example("how-to/gatling-feeders.md", "java"));
    assertThat(javac("Recipe.java", recipe)).as(recipe).isZero();
  }

  @Test
  void the_simulation_in_scala_compiles() throws IOException {
    Path source = Files.writeString(directory.resolve("A.scala"), example(TUTORIAL, "scala"));
    String classes = System.getProperty("java.class.path");

    boolean compiled =
        Main.process(new String[] {"-cp", classes, "-d", directory.toString(), source.toString()});

    assertThat(compiled).as("see the messages of the compiler").isTrue();
    assertThat(directory.resolve("ScalaSimulation.class")).exists();
  }

  /** Returns the first block of code of a page in a language. */
  private static String example(String page, String language) throws IOException {
    Matcher example =
        Pattern.compile("(?s)```" + language + "\n(.*?)```")
            .matcher(Files.readString(GUIDE.resolve(page)));
    assertThat(example.find()).isTrue();
    return example.group(1);
  }

  private int javac(String file, String text) throws IOException {
    Path source = Files.writeString(directory.resolve(file), text);
    String classes = System.getProperty("java.class.path");
    return ToolProvider.getSystemJavaCompiler()
        .run(null, null, null, "-cp", classes, "-d", directory.toString(), source.toString());
  }
}
