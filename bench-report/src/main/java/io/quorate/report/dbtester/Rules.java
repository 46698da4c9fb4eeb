package io.quorate.report.dbtester;

/**
 * The rules by which files of the reference are analysed. {@code src/site/markdown/method.md} lists
 * what each of them does differently.
 */
public enum Rules {
  /** By the reference's definitions but without its defects. */
  REFERENCE,
  /** As the reference published it, byte for byte. */
  AS_PUBLISHED
}
