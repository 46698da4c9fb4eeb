package io.quorate.report.dbtester;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.TextFile;
import java.nio.file.Path;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads a YAML file as a tree that knows its lines. */
final class DbtesterYaml {
  private static final int DEEPEST = 20;
  private static final long MAX_BYTES = 1 << 20;

  private DbtesterYaml() {}

  static Node read(Path file) {
    String text = TextFile.read(file, MAX_BYTES, "a configuration of dbtester");
    LoadSettings settings =
        LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setParseComments(false)
            .setBufferSize(text.length() + 2)
            .build();
    try {
      checkDepth(file, text, settings);
      return new Compose(settings)
          .composeString(text)
          .orElseThrow(
              () ->
                  new QuorateException(file + ":1: found an empty file, expected a configuration"));
    } catch (MarkedYamlEngineException broken) {
      String line =
          broken.getProblemMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("") + ": ";
      throw new QuorateException(
          file + line + "found broken YAML: " + VisibleText.of(broken.getProblem()), broken);
    } catch (YamlEngineException | NumberFormatException broken) {
      String problem = Optional.ofNullable(broken.getMessage()).orElse("unreadable");
      throw new QuorateException(file + ": found broken YAML: " + VisibleText.of(problem), broken);
    }
  }

  /**
   * Checks the depth: composing goes down by recursion, so that a deep file would use up the stack.
   */
  private static void checkDepth(Path file, String text, LoadSettings settings) {
    int depth = 0;
    for (Event event : new Parse(settings).parseString(text)) {
      depth += event instanceof CollectionStartEvent ? 1 : 0;
      depth -= event instanceof CollectionEndEvent ? 1 : 0;
      if (depth > DEEPEST) {
        throw new QuorateException(file + ": found more than " + DEEPEST + " levels of nesting");
      }
    }
  }
}
