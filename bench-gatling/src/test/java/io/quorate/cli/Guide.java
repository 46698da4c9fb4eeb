// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Markdown files of the repository: README, the other files of the root, and the guide. */
public final class Guide {
  /** Root of the checkout. */
  public static final Path HOME = Path.of(System.getProperty("quorate.home", "..")).normalize();

  private static final Path PAGES = HOME.resolve("src/site/markdown");

  private Guide() {}

  /** A fenced or indented block of code. */
  public record Block(Path page, int line, String language, String text) {
    @Override
    public String toString() {
      return HOME.relativize(page) + ":" + line;
    }
  }

  /** Returns all Markdown files. */
  public static List<Path> pages() {
    try (Stream<Path> root = Files.list(HOME);
        Stream<Path> sources = Files.walk(HOME.resolve("src"), 2);
        Stream<Path> guide = Files.walk(PAGES)) {
      return Stream.of(root, sources, guide, Stream.of(HOME.resolve("results/README.md")))
          .flatMap(each -> each)
          .filter(each -> each.toString().endsWith(".md"))
          .sorted()
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Returns the text of a page without code. */
  public static String prose(Path page) {
    StringBuilder prose = new StringBuilder();
    boolean fenced = false;
    for (String line : lines(page)) {
      if (line.startsWith("```")) {
        fenced = !fenced;
      } else if (!fenced) {
        prose.append(line.replaceAll("`[^`]*`", "")).append('\n');
      }
    }
    return prose.toString();
  }

  /** Returns the anchors of the headings of a page, as GitHub names them. */
  public static List<String> anchors(Path page) {
    List<String> anchors = new ArrayList<>();
    boolean fenced = false;
    for (String line : lines(page)) {
      fenced ^= line.startsWith("```");
      if (!fenced && line.matches("#+ .*")) {
        anchors.add(
            line.replaceFirst("#+ ", "")
                .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\w\\- ]", "")
                .replace(' ', '-'));
      }
    }
    return anchors;
  }

  /** Returns the blocks of code of all pages. */
  public static List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    pages().forEach(page -> add(page, blocks));
    return blocks;
  }

  private static void add(Path page, List<Block> blocks) {
    StringBuilder text = new StringBuilder();
    String language = null;
    int begin = 0;
    int number = 0;
    for (String line : lines(page)) {
      number++;
      if (line.startsWith("```")) {
        if (language == null) {
          language = line.substring(3).strip();
          begin = number;
        } else {
          blocks.add(new Block(page, begin, language, text.toString()));
          language = null;
          text.setLength(0);
        }
      } else if (language != null) {
        text.append(line).append('\n');
      } else if (line.startsWith("    ")) {
        blocks.add(new Block(page, number, "", line.strip() + "\n"));
      }
    }
  }

  /** Returns the complete scenarios of all pages. */
  public static List<Block> scenarios() {
    Pattern complete =
        Pattern.compile("(?m)\\A(?=[\\s\\S]*^title:)(?=[\\s\\S]*^databases:)[\\s\\S]*");
    return blocks().stream()
        .filter(block -> block.language().equals("yaml"))
        .filter(block -> complete.matcher(block.text()).matches())
        .toList();
  }

  private static List<String> lines(Path page) {
    try {
      return Files.readAllLines(page);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
