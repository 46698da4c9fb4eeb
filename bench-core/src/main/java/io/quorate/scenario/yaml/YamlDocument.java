// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.VisibleText;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import org.snakeyaml.engine.v2.schema.Schema;

/**
 * Parses the plain part of YAML 1.2 that scenarios are written in: one document without anchors,
 * aliases, tags and deep nesting. These features make untrusted YAML dangerous.
 */
final class YamlDocument {
  /** The core schema of YAML 1.2, without the merge key that snakeyaml-engine adds to it. */
  static final Schema SCHEMA =
      new CoreSchema() {
        @Override
        public ScalarResolver getScalarResolver() {
          return new CoreScalarResolver(false);
        }
      };

  private static final int MAX_DEPTH = 10;
  private static final int MAX_REASON_LENGTH = 200;

  /** Matches text that has a meaning in YAML unless it is in quotes. */
  private static final Pattern VALUE =
      Pattern.compile("^[ \t]*+(?:- ++|[\\w-]++:\\s++)(?:[*&!%@`|>].*|[^\"'\\[{#].*:(?:\\s.*|$))");

  private static final String IN_QUOTES = "; text like this has to be put in quotes";

  /** All blanks between two other characters; each run of blanks is matched once. */
  private static final Pattern BLANKS = Pattern.compile("(?<=\\S)[ \t]++");

  private final String text;
  private final LoadSettings settings;
  private final ScenarioProblems problems;
  private Optional<Mark> last = Optional.empty();

  private YamlDocument(String text, ScenarioProblems problems) {
    this.text = BLANKS.matcher(text).replaceAll(blanks -> separating(text, blanks));
    this.problems = problems;
    this.settings =
        LoadSettings.builder()
            .setSchema(SCHEMA)
            .setParseComments(false)
            // one buffer: snakeyaml-engine 3.0.1 fails on a surrogate pair across two buffers
            .setBufferSize(text.length() + 2)
            .setAllowNonScalarKeys(true)
            .build();
  }

  /**
   * Returns separating tabs as spaces, since snakeyaml-engine 3.0.1 takes such tabs for
   * indentation.
   */
  private static String separating(String text, MatchResult blanks) {
    boolean before = ":,[{-".indexOf(text.charAt(blanks.start() - 1)) >= 0;
    boolean after =
        blanks.end() == text.length() || "#\n\r".indexOf(text.charAt(blanks.end())) >= 0;
    return before || after ? " ".repeat(blanks.group().length()) : blanks.group();
  }

  static Optional<Node> root(String text, ScenarioProblems problems) {
    YamlDocument document = new YamlDocument(text, problems);
    try {
      return document.isPrintable() && document.isPlain() ? document.compose() : Optional.empty();
    } catch (MarkedYamlEngineException e) {
      document.broken(e.getProblemMark().or(e::getContextMark), e.getProblem());
    } catch (YamlVersionException e) {
      document.broken(document.last, "version " + e.getSpecVersion().getRepresentation());
    } catch (YamlEngineException e) {
      document.broken(document.last, String.valueOf(e.getMessage()));
    } catch (NumberFormatException e) {
      // snakeyaml-engine 3.0.1 throws this exception for "\\UFFFFFFFF"
      document.broken(document.last, "after this, a number that is too large");
    }
    return Optional.empty();
  }

  private void broken(Optional<Mark> mark, String reason) {
    String readable = reason.replace("\\t(TAB)", "tab");
    String found = "broken YAML (" + VisibleText.of(readable, MAX_REASON_LENGTH) + ")";
    int line = mark.map(Mark::getLine).orElse(0);
    String value =
        text.lines().skip(line).findFirst().map(VALUE::matcher).filter(Matcher::find).isPresent()
            ? IN_QUOTES
            : "";
    problems.add(mark, found, "valid YAML 1.2" + value);
  }

  private boolean isPrintable() {
    int line = 1;
    int column = 1;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int character = text.codePointAt(i);
      if (!StreamReader.isPrintable(character)) {
        String found = String.format(Locale.ROOT, "the character U+%04X", character);
        problems.add(line, column, found, "printable text");
        return false;
      }
      boolean newLine = character == '\n';
      line += newLine ? 1 : 0;
      column = newLine ? 1 : column + 1;
    }
    return true;
  }

  /** Checks the file event by event, without recursion, before anything is built from it. */
  private boolean isPlain() {
    int documents = 0;
    int depth = 0;
    for (Event event : new Parse(settings).parseString(text)) {
      last = event.getStartMark();
      if (event instanceof DocumentStartEvent && ++documents > 1) {
        problems.add(event.getStartMark(), "a second document", "one scenario to a file");
        return true;
      }
      if (event instanceof CollectionStartEvent && ++depth > MAX_DEPTH) {
        String found = "more than " + MAX_DEPTH + " levels of nesting";
        problems.add(event.getStartMark(), found, "at most " + MAX_DEPTH);
        return false;
      }
      if (event instanceof CollectionEndEvent) {
        depth--;
      }
      if (event instanceof NodeEvent node) {
        refuseReferences(node);
      }
    }
    return true;
  }

  private void refuseReferences(NodeEvent event) {
    if (event instanceof AliasEvent alias) {
      String found = "the alias " + VisibleText.quoted("*" + alias.getAlias().getValue());
      problems.add(event.getStartMark(), found, "the value itself" + IN_QUOTES);
      return;
    }
    event
        .getAnchor()
        .map(anchor -> "the anchor " + VisibleText.quoted("&" + anchor.getValue()))
        .ifPresent(found -> problems.add(event.getStartMark(), found, "no anchor" + IN_QUOTES));
    tag(event)
        .map(tag -> "the tag " + VisibleText.quoted(tag.replace(Tag.PREFIX, "!!")))
        .ifPresent(found -> problems.add(event.getStartMark(), found, "no tag" + IN_QUOTES));
  }

  private static Optional<String> tag(NodeEvent event) {
    if (event instanceof ScalarEvent scalar) {
      return scalar.getTag();
    }
    return event instanceof CollectionStartEvent start ? start.getTag() : Optional.empty();
  }

  private Optional<Node> compose() {
    Iterator<Node> documents = new Compose(settings).composeAllFromString(text).iterator();
    if (!documents.hasNext()) {
      problems.add(1, 1, "an empty file", "a map with the keys of a scenario");
    }
    return documents.hasNext() ? Optional.of(documents.next()) : Optional.empty();
  }
}
