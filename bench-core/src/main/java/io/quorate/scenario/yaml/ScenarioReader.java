// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.network.Topology;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import io.quorate.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads scenario files strictly: it refuses unknown keys, values out of bounds, and contradicting
 * values. All problems are reported together, before any load is sent. The format is described in
 * {@code src/site/markdown/reference/scenario-keys.md} and {@code scenarios/scenario.schema.json}.
 */
public final class ScenarioReader {
  private static final int MAX_FILE_SIZE = 65_536;
  private static final Pattern EXTENSION = Pattern.compile("\\.ya?ml$", Pattern.CASE_INSENSITIVE);
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,99}");
  private static final Pattern SCALE = Pattern.compile("[0-9]{0,9}\\.?[0-9]{1,30}");

  private final String name;
  private final String yaml;
  private final double scale;
  private final ScenarioProblems problems;
  private final Node root;

  private ScenarioReader(String fileName, String text, double scale) {
    requireScale(scale, String.valueOf(scale));
    this.scale = scale;
    this.problems = new ScenarioProblems(fileName);
    this.name = name(fileName, problems);
    if (text.length() > MAX_FILE_SIZE) {
      problems.add(1, 1, "more than 65_536 characters", "a smaller file");
      problems.throwIfAny();
    }
    this.yaml = text.startsWith("\uFEFF") ? text.substring(1) : text;
    this.root =
        YamlDocument.root(yaml, problems)
            .map(given -> problems.count() > 0 ? given : OlderNames.renamed(given, problems))
            .orElseThrow(problems::failure);
  }

  /** Returns the text of a file; fails if it does not exist or cannot be read. */
  public static String text(ScenarioFile file) {
    ScenarioFiles.requireRegular(file.path(), file.shown());
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file.path())) {
      bytes = in.readNBytes(MAX_FILE_SIZE + 1);
    } catch (IOException e) {
      if (Files.notExists(file.path())) {
        throw ScenarioFiles.missing(file.path());
      }
      throw new QuorateException(
          "The scenario file "
              + VisibleText.of(file.shown(), 1000)
              + " cannot be read: "
              + FileFailure.reason(e),
          e);
    }
    ScenarioProblems problems = new ScenarioProblems(file.shown());
    if (bytes.length > MAX_FILE_SIZE) {
      problems.add(1, 1, "more than 65_536 bytes", "a smaller file");
      problems.throwIfAny();
    }
    CharBuffer text = CharBuffer.allocate(bytes.length + 1);
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(rest, text, true);
    String decoded = text.flip().toString();
    if (result.isError()) {
      String line = decoded.substring(decoded.lastIndexOf('\n') + 1);
      problems.add(
          (int) decoded.chars().filter(character -> character == '\n').count() + 1,
          line.codePointCount(0, line.length()) + 1,
          String.format(Locale.ROOT, "the byte 0x%02X, which is not UTF-8", rest.get()),
          "UTF-8 text");
      problems.throwIfAny();
    }
    return decoded;
  }

  /**
   * Reads the text of a file.
   *
   * @param fileName name of the file; its last part without {@code .yaml} is the name of the
   *     scenario
   * @param scale part of the requests, or of the duration, to run, above 0 and at most 1. There is
   *     at least one request for each client, and at least a second
   * @throws InvalidScenarioException if the scenario cannot be run
   * @throws QuorateException if the scale is wrong
   */
  public static Scenario read(String fileName, String text, double scale) {
    ScenarioReader file = new ScenarioReader(fileName, text, scale);
    if (MatrixParser.isMatrix(file.root)) {
      file.matrix(List.of(), OptionalInt.empty()); // reports its own problems first
      String expected = "a scenario of one run, such as one of its cells: 'quorate run' runs all";
      file.problems.add(file.root, "a matrix of runs", expected);
      file.problems.throwIfAny();
    }
    return ScenarioParser.parse(file.root, file.name, file.yaml, scale, file.problems);
  }

  /**
   * Reads the text of a file that may describe several runs of each database.
   *
   * @param databases databases of a file without a {@code matrix}; empty for those of the file
   * @param repeats how often each run is repeated; empty for the number in the file
   * @return the matrix, whose only axis is the databases if the file has none; empty if each
   *     database is run once
   * @throws InvalidScenarioException if it has a matrix, and one of its cells cannot be run
   * @throws QuorateException if the scale is wrong
   */
  public static Optional<Matrix> readMatrix(
      String fileName, String text, double scale, List<Store> databases, OptionalInt repeats) {
    ScenarioReader file = new ScenarioReader(fileName, text, scale);
    return MatrixParser.isMatrix(file.root) || MatrixParser.isRepeated(file.root, repeats)
        ? file.matrix(databases, repeats)
        : Optional.empty();
  }

  /**
   * Returns the text of a file with other numbers, which all of its databases have.
   *
   * @param options values by names in {@link ScenarioOptions#OF_FILES}
   * @throws InvalidScenarioException if the file itself cannot be run
   * @throws QuorateException if it has no place for an option, or cannot be run with it
   */
  public static String with(String fileName, String text, Map<String, String> options) {
    readAll(fileName, text);
    return new OtherNumbers(options)
        .text(fileName, (MappingNode) new ScenarioReader(fileName, text, 1).root);
  }

  /** Reads a file with or without a matrix, to find its problems. */
  static void readAll(String fileName, String text) {
    if (readMatrix(fileName, text, 1, List.of(), OptionalInt.empty()).isEmpty()) {
      read(fileName, text, 1);
    }
  }

  private Optional<Matrix> matrix(List<Store> databases, OptionalInt repeats) {
    return root instanceof MappingNode map
        ? Optional.of(MatrixParser.parse(map, name, yaml, scale, databases, repeats, problems))
        : Optional.empty();
  }

  /**
   * Returns the requests of a file that servers with its settings refuse as too large; empty if
   * there are none.
   *
   * @param databases databases that are to be measured
   */
  public static Optional<InvalidScenarioException> tooLarge(
      String fileName, String text, Scenario read, List<Store> databases) {
    ScenarioReader file = new ScenarioReader(fileName, text, 1);
    new RequestSizes(read, file.root, file.problems).check(databases);
    return Optional.of(file.problems).filter(all -> all.count() > 0).map(ScenarioProblems::failure);
  }

  /** Returns a hint for each key and value that a file calls by its older name. */
  public static List<String> hints(String fileName, String text) {
    return new ScenarioReader(fileName, text, 1).problems.hints();
  }

  /** The title and the description of a scenario. */
  public record Heading(String title, String description) {}

  /**
   * Reads the title and the description of a scenario, or of a matrix, without checking the rest.
   *
   * @throws InvalidScenarioException if the file is not YAML
   */
  public static Heading heading(ScenarioFile file) {
    ScenarioReader reader = new ScenarioReader(file.shown(), text(file), 1);
    return new Heading(reader.text("title"), reader.text("description"));
  }

  /**
   * Reads a file with the zones of a cluster: the key {@code topology} of a scenario, alone.
   *
   * @throws InvalidScenarioException with all problems of its content
   * @throws QuorateException if it cannot be read
   */
  public static Topology topology(Path file) {
    String text = text(new ScenarioFile(file, file.toString()));
    ScenarioProblems problems = new ScenarioProblems(file.toString());
    Optional<Topology> topology =
        YamlDocument.root(text, problems).flatMap(root -> topology(root, problems));
    problems.throwIfAny();
    return topology.orElseThrow();
  }

  private static Optional<Topology> topology(Node root, ScenarioProblems problems) {
    if (root instanceof MappingNode map) {
      ScenarioSchema only = ScenarioSchema.SCENARIO.only(TopologyParser.KEY);
      return TopologyParser.read(new Section(map, only, problems)).value();
    }
    problems.add(root, Messages.of(root), "a map with the key 'topology'");
    return Optional.empty();
  }

  private String text(String key) {
    return Optional.ofNullable(DerivedNodes.tuples(root).get(key))
        .map(entry -> Messages.text(entry.getValueNode()).strip())
        .orElse("");
  }

  /** Parses a scale from the command line: a decimal number above 0 and at most 1. */
  public static double scale(String text) {
    double scale = SCALE.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
    requireScale(scale, VisibleText.quoted(text));
    return scale;
  }

  private static void requireScale(double scale, String found) {
    if (!(scale > 0 && scale <= 1)) {
      throw new QuorateException(
          "The scale is "
              + found
              + ", but it must be a number above 0 and at most 1, such as 0.01 for a hundredth of"
              + " the requests.");
    }
  }

  private static String name(String fileName, ScenarioProblems problems) {
    String last =
        fileName.substring(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
    String name = EXTENSION.matcher(last).replaceFirst("");
    if (!NAME.matcher(name).matches() || !name.codePoints().allMatch(VisibleText::isVisible)) {
      problems.add(
          1,
          1,
          "the file name " + VisibleText.quoted(last),
          "a name of at most 100 letters, digits, '.', '_' and '-' that starts with a letter or"
              + " digit (it names the results)");
    }
    return name;
  }
}
