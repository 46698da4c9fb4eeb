// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import com.pngencoder.PngEncoder;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.DataBufferByte;
import java.awt.image.DataBufferInt;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A plot as PNG with a palette: half the bytes, and a quarter of the time, of one with three bytes
 * for each pixel.
 */
final class PngFile {
  private static final int PALETTE = 256;

  private PngFile() {}

  /**
   * Returns the file. The 256 most frequent colors stay what they are; a pixel of another one,
   * which is a shade at the edge of a line, gets the nearest of them.
   *
   * @param image of {@link BufferedImage#TYPE_INT_RGB}
   */
  static byte[] of(BufferedImage image) {
    return new PngEncoder()
        .withBufferedImage(indexed(image))
        .withCompressionLevel(3)
        .withMultiThreadedCompressionEnabled(false)
        .toBytes();
  }

  private static BufferedImage indexed(BufferedImage image) {
    int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
    Map<Integer, Integer> counts = new LinkedHashMap<>();
    forEachRun(pixels, (color, from, to) -> counts.merge(color, to - from, Integer::sum));
    int[] palette =
        counts.entrySet().stream()
            .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
            .limit(PALETTE)
            .mapToInt(Map.Entry::getKey)
            .toArray();
    Map<Integer, Byte> indexOf = new HashMap<>();
    counts.keySet().forEach(color -> indexOf.put(color, nearest(palette, color)));
    byte[] indices = new byte[pixels.length];
    forEachRun(
        pixels,
        (color, from, to) -> {
          byte index = indexOf.getOrDefault(color, (byte) 0);
          if (index != 0) { // which the indices are already, and which is the background
            Arrays.fill(indices, from, to, index);
          }
        });
    int width = image.getWidth();
    return new BufferedImage(
        new IndexColorModel(8, palette.length, palette, 0, false, -1, DataBuffer.TYPE_BYTE),
        Raster.createInterleavedRaster(
            new DataBufferByte(indices, indices.length),
            width,
            image.getHeight(),
            width,
            1,
            new int[] {0},
            null),
        false,
        null);
  }

  /** Passes neighboring pixels of one color on. */
  private static void forEachRun(int[] pixels, Run run) {
    int from = 0;
    while (from < pixels.length) {
      int equal = Arrays.mismatch(pixels, from, pixels.length - 1, pixels, from + 1, pixels.length);
      int to = equal < 0 ? pixels.length : from + 1 + equal;
      // what is drawn may leave its opacity in the unused byte
      run.accept(pixels[from] & 0xffffff, from, to);
      from = to;
    }
  }

  private interface Run {
    void accept(int color, int from, int to);
  }

  /** Returns the index of the nearest color of the palette. */
  private static byte nearest(int[] palette, int color) {
    int nearest = 0;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < palette.length && least > 0; i++) {
      int distance = distance(palette[i], color);
      if (distance < least) {
        least = distance;
        nearest = i;
      }
    }
    return (byte) nearest;
  }

  private static int distance(int one, int other) {
    int red = (one >> 16) - (other >> 16);
    int green = (one >> 8 & 0xff) - (other >> 8 & 0xff);
    int blue = (one & 0xff) - (other & 0xff);
    return red * red + green * green + blue * blue;
  }
}
