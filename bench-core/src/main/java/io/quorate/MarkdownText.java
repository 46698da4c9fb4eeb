// SPDX-License-Identifier: Apache-2.0
package io.quorate;

/** Escapes text from files, servers and the command line for Markdown of GitHub and GitLab. */
public final class MarkdownText {
  private MarkdownText() {}

  /**
   * Returns the text on one line, without anything that Markdown or HTML would interpret. An
   * invisible blank keeps {@code @name} and {@code #12} from notifying people and issues.
   */
  public static String of(String text) {
    return VisibleText.of(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replaceAll("([\\\\`*_{}\\[\\]|~#])", "\\\\$1")
        .replaceAll("(?<!\\w)@(?=\\w)|#(?=\\d)", "$0&#8203;");
  }
}
