// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.tools.nsc.Main;

/** Compiles the Scala of the tutorial, against Gatling's DSL for Scala. */
class ScalaExampleTest {
  private static final Path PAGE =
      Path.of(System.getProperty("quorate.home", ".."))
          .resolve("src/site/markdown/tutorials/gatling-simulation.md");

  @TempDir private Path directory;

  @Test
  void the_simulation_of_the_tutorial_compiles() throws IOException {
    Matcher example = Pattern.compile("(?s)```scala\n(.*?)```").matcher(Files.readString(PAGE));
    assertThat(example.find()).isTrue();
    Path source = Files.writeString(directory.resolve("Example.scala"), example.group(1));
    String classes = System.getProperty("java.class.path");

    boolean compiled =
        Main.process(new String[] {"-cp", classes, "-d", directory.toString(), source.toString()});

    assertThat(compiled).as("see the messages of the compiler").isTrue();
    assertThat(directory.resolve("ScalaSimulation.class")).exists();
  }
}
