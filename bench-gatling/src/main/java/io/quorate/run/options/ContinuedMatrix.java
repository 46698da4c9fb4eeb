package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The options with which a matrix of runs goes on.
 *
 * @param directory of the matrix
 * @param retryFailed whether cells that failed are run again
 */
public record ContinuedMatrix(Path directory, boolean retryFailed) {
  static final String CONTINUE = "continue";
  static final String RETRY = "retry";

  private static final String FAILED = "failed";

  /** Options that are those of the matrix. */
  private static final List<String> OF_THE_MATRIX =
      List.of("scenario", "scale", "database", "endpoints", "agents", "results");

  /**
   * Reads the options; empty if there are none.
   *
   * @param from where paths begin
   * @throws QuorateException with all that is wrong with them
   */
  static Optional<ContinuedMatrix> of(Properties properties, Path from) {
    OptionValues options = new OptionValues(properties);
    Optional<Path> directory = options.read(CONTINUE, text -> path(text, from));
    Optional<Boolean> retry = options.read(RETRY, ContinuedMatrix::isFailed);
    options.throwIfWrong();
    if (directory.isEmpty() && retry.isPresent()) {
      throw new QuorateException(
          "retry: found it without -Dcontinue= (or --continue), expected the directory of a matrix"
              + " of runs there");
    }
    List<String> others =
        OF_THE_MATRIX.stream().filter(name -> properties.getProperty(name) != null).toList();
    if (directory.isPresent() && !others.isEmpty()) {
      throw new QuorateException(
          "continue: found %s beside it, expected none of them: they are those of the matrix"
              .formatted(String.join(", ", others)));
    }
    return directory.map(each -> new ContinuedMatrix(each, retry.orElse(false)));
  }

  private static Path path(String text, Path from) {
    try {
      return from.resolve(text);
    } catch (InvalidPathException wrong) {
      throw new QuorateException(
          "continue: found " + VisibleText.quoted(text) + ", expected a directory", wrong);
    }
  }

  private static boolean isFailed(String text) {
    if (!text.equals(FAILED)) {
      throw new QuorateException(
          "retry: found %s, expected '%s'".formatted(VisibleText.quoted(text), FAILED));
    }
    return true;
  }
}
