// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import com.pngencoder.PngEncoder;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.DataBufferByte;
import java.awt.image.DataBufferInt;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
        .withCompressionLevel(3)
        .withMultiThreadedCompressionEnabled(false)
        .toBytes();
  }

  private static BufferedImage indexed(BufferedImage image) {
    int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
    Map<Integer, Integer> pixelsOf = new LinkedHashMap<>();
    forEachRun(pixels, (color, from, to) -> pixelsOf.merge(color, to - from, Integer::sum));
    List<Integer> byPixels = new ArrayList<>(pixelsOf.keySet());
    byPixels.sort(Comparator.comparing(color -> -pixelsOf.getOrDefault(color, 0)));
    int[] palette =
        byPixels.stream().limit(PALETTE).mapToInt(color -> Integer.reverseBytes(color)).toArray();
    Map<Integer, Byte> indexOf = new HashMap<>();
    for (int i = 0; i < byPixels.size(); i++) {
      int color = byPixels.get(i);
      indexOf.put(color, (byte) (i < PALETTE ? i : nearest(palette, Integer.reverseBytes(color))));
    }
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

  /**
   * Passes neighboring pixels of one color on. The bytes of the color are reversed, so that shades
   * of gray have different hashes.
   */
  private static void forEachRun(int[] pixels, Run run) {
    int from = 0;
    while (from < pixels.length) {
      int equal = Arrays.mismatch(pixels, from, pixels.length - 1, pixels, from + 1, pixels.length);
      int to = equal < 0 ? pixels.length : from + 1 + equal;
      // what is drawn may leave its opacity in the unused byte
      run.accept(Integer.reverseBytes(pixels[from] & 0xffffff), from, to);
      from = to;
    }
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

  private interface Run {
    void accept(int color, int from, int to);
  }
}
