package io.quorate.report;

/**
 * The rules by which files are analysed. {@code src/site/markdown/method.md} lists what each of
 * them does differently.
 */
enum Rules {
  /** A run of ours: what was not measured is missing. */
  OWN,
  /** A run of the reference, by its definitions but without its defects. */
  REFERENCE,
  /** A run of the reference as it published it, byte for byte. */
  AS_PUBLISHED
}
