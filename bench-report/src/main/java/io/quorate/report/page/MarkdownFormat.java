package io.quorate.report.page;

import freemarker.core.CommonMarkupOutputFormat;
import freemarker.core.CommonTemplateMarkupOutputModel;
import java.io.IOException;
import java.io.Writer;

/** Escapes text so that Markdown (CommonMark and that of GitHub) shows it as it is. */
final class MarkdownFormat extends CommonMarkupOutputFormat<MarkdownFormat.Output> {
  static final MarkdownFormat INSTANCE = new MarkdownFormat();

  /** Characters with a meaning anywhere in a line. */
  private static final String ANYWHERE = "\\`*_[]<>&~|$";

  /** Characters with a meaning where a line begins. */
  private static final String AT_THE_BEGINNING = "#+-=:";

  /** Output that is Markdown already, or is to become it. */
  static final class Output extends CommonTemplateMarkupOutputModel<Output> {
    Output(String plain, String markup) {
      super(plain, markup);
    }

    @Override
    public MarkdownFormat getOutputFormat() {
      return INSTANCE;
    }
  }

  private MarkdownFormat() {}

  @Override
  public String getName() {
    return "Markdown";
  }

  @Override
  public String getMimeType() {
    return "text/markdown";
  }

  @Override
  public void output(String text, Writer to) throws IOException {
    to.write(escapePlainText(text));
  }

  /** Escapes text in one line, as a line break would end a heading or a cell. */
  @Override
  public String escapePlainText(String text) {
    String line = text.replaceAll("\\s*\\R\\s*", " ").strip();
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char character = line.charAt(i);
      boolean listNumber =
          (character == '.' || character == ')')
              && (i + 1 == line.length() || line.charAt(i + 1) == ' ')
              && isNumber(line.substring(0, i));
      if (ANYWHERE.indexOf(character) >= 0
          || i == 0 && AT_THE_BEGINNING.indexOf(character) >= 0
          || listNumber) {
        escaped.append('\\');
      }
      escaped.append(character);
    }
    return escaped.toString();
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() < 10
        && text.chars().allMatch(character -> character >= '0' && character <= '9');
  }

  @Override
  public boolean isLegacyBuiltInBypassed(String name) {
    return false;
  }

  @Override
  protected Output newTemplateMarkupOutputModel(String plain, String markup) {
    return new Output(plain, markup);
  }
}
