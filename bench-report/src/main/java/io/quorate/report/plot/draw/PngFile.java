// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import com.pngencoder.PngEncoder;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.util.stream.IntStream;

/**
 * A picture as PNG: with a palette if it has at most 256 colors, which takes half the bytes of one
 * with three bytes for each pixel.
 */
final class PngFile {
  private PngFile() {}

  /** Returns the file; all colors stay what they are. */
  static byte[] of(BufferedImage image) {
    return new PngEncoder()
        .withBufferedImage(image)
        .withCompressionLevel(3)
        .withTryIndexedEncoding(true)
        .withMultiThreadedCompressionEnabled(false)
        .toBytes();
  }

  /**
   * Returns the file of a plot. Pixels that differ from both neighbors in their row, which are
   * shades at the edges of lines and texts, keep half the bits of their colors, so that a palette
   * is large enough for almost every plot.
   *
   * @param image of {@link BufferedImage#TYPE_INT_RGB}; its pixels are changed
   */
  static byte[] ofPlot(BufferedImage image) {
    int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
    // what is drawn may leave its opacity in the unused byte
    int[] drawn = IntStream.of(pixels).map(pixel -> pixel & 0xffffff).toArray();
    for (int i = 1; i < pixels.length - 1; i++) {
      if (drawn[i] != drawn[i - 1] && drawn[i] != drawn[i + 1]) {
        int half = drawn[i] & 0xf0f0f0;
        pixels[i] = half | half >> 4;
      }
    }
    return of(image);
  }
}
