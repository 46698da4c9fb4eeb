// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.tools.nsc.Main;

/** Compiles the simulations of the guide and the sample; those in Scala against its own DSL. */
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

  /** With a stand-in for Gatling's HTTP DSL, which Quorate itself does not need. */
  @Test
  void the_simulations_of_the_sample_compile() throws IOException {
    String http =
        """
        package io.gatling.javaapi.http;
        import io.gatling.javaapi.core.*;
        public abstract class HttpDsl {
          public interface Protocol extends ProtocolBuilder { Protocol baseUrl(String url); }
          public interface Request extends ActionBuilder {
            Request get(String path);
            Request check(CheckBuilder... checks);
          }
          public static Protocol http;
          public static Request http(String name) { return null; }
          public static CheckBuilder.Find<Integer> status() { return null; }
        }
        """;
    List<Path> sources = new ArrayList<>();
    sources.add(Files.writeString(directory.resolve("HttpDsl.java"), http));
    try (Stream<Path> files = Files.walk(GUIDE.resolve("../../samples/gatling/src"))) {
      files.filter(each -> each.toString().endsWith(".java")).forEach(sources::add);
    }
    assertThat(sources).hasSizeGreaterThan(4);
    assertThat(javac(sources)).isZero();
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
    return javac(List.of(Files.writeString(directory.resolve(file), text)));
  }

  private int javac(List<Path> sources) {
    List<String> arguments =
        new ArrayList<>(List.of("-cp", System.getProperty("java.class.path"), "-d"));
    arguments.add(directory.toString());
    sources.forEach(each -> arguments.add(each.toString()));
    return ToolProvider.getSystemJavaCompiler()
        .run(null, null, null, arguments.toArray(String[]::new));
  }
}
