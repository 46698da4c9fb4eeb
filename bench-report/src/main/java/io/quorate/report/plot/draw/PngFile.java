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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
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
        .withCompressionLevel(6)
        .withMultiThreadedCompressionEnabled(false)
        .toBytes();
  }

  private static BufferedImage indexed(BufferedImage image) {
    int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] &= 0xffffff; // what is drawn may leave its opacity in the unused byte
    }
    Map<Integer, Integer> pixelsOf = new HashMap<>();
    for (int i = 0, next; i < pixels.length; i = next) {
      next = endOfColor(pixels, i);
      pixelsOf.merge(pixels[i], next - i, Integer::sum);
    }
    List<Integer> colors =
        pixelsOf.entrySet().stream()
            .sorted(
                Map.Entry.<Integer, Integer>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .toList();
    int[] palette = colors.stream().limit(PALETTE).mapToInt(Integer::intValue).toArray();
    Map<Integer, Byte> index = new HashMap<>();
    for (int i = 0; i < colors.size(); i++) {
      index.put(colors.get(i), (byte) (i < PALETTE ? i : nearest(palette, colors.get(i))));
    }
    byte[] indices = new byte[pixels.length];
    for (int i = 0, next; i < pixels.length; i = next) {
      next = endOfColor(pixels, i);
      Arrays.fill(indices, i, next, index.get(pixels[i]));
    }
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

  /** Returns the index after a pixel and those of its color that follow it. */
  private static int endOfColor(int[] pixels, int start) {
    int end = start + 1;
    while (end < pixels.length && pixels[end] == pixels[start]) {
      end++;
    }
    return end;
  }

  private static int nearest(int[] palette, int color) {
    int nearest = 0;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < palette.length; i++) {
      int distance = 0;
      for (int shift = 0; shift <= 16; shift += 8) {
        int difference = (palette[i] >> shift & 0xff) - (color >> shift & 0xff);
        distance += difference * difference;
      }
      if (distance < least) {
        least = distance;
        nearest = i;
      }
    }
    return nearest;
  }
}
