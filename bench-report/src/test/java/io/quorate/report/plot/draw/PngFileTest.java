// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class PngFileTest {
  /** An image whose column {@code x} has the color {@code 0xff0000 + x}. */
  private static BufferedImage columns(int width) {
    BufferedImage image = new BufferedImage(width, 3, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < width; x++) {
      for (int y = 0; y < 3; y++) {
        image.setRGB(x, y, 0xff0000 + x);
      }
    }
    return image;
  }

  private static BufferedImage read(BufferedImage image) throws IOException {
    return ImageIO.read(new ByteArrayInputStream(PngFile.of(image)));
  }

  @Test
  void colors_of_an_image_with_256_of_them_stay_as_they_are() throws Exception {
    BufferedImage read = read(columns(256));
    assertThat(read.getWidth()).isEqualTo(256);
    assertThat(read.getHeight()).isEqualTo(3);
    for (int x = 0; x < 256; x++) {
      assertThat(read.getRGB(x, 2)).isEqualTo(0xffff0000 + x);
    }
  }

  @Test
  void each_of_thousands_of_colors_becomes_one_that_is_near() throws Exception {
    BufferedImage image = new BufferedImage(100, 100, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < 10_000; i++) {
      image.setRGB(i % 100, i / 100, i < 256 ? i << 8 : (i * 3 & 0xff) << 8 | i % 97);
    }
    BufferedImage read = read(image);
    for (int i = 0; i < 10_000; i++) {
      int found = read.getRGB(i % 100, i / 100);
      assertThat(found & 0xff00).isEqualTo(image.getRGB(i % 100, i / 100) & 0xff00);
    }
  }

  @Test
  void the_rarest_of_more_colors_become_the_nearest_of_the_others() throws Exception {
    BufferedImage image = columns(258);
    image.setRGB(7, 0, 0xff0008);
    image.setRGB(257, 1, 0xff0102);
    // three of the 259 colors are on less than three pixels: 0xff0007, 0xff0101 and 0xff0102
    BufferedImage read = read(image);
    assertThat(read.getRGB(257, 1)).isEqualTo(0xffff0002);
    assertThat(read.getRGB(7, 1)).isIn(0xffff0006, 0xffff0008);
    assertThat(read.getRGB(7, 0)).isEqualTo(0xffff0008);
    assertThat(read.getRGB(200, 0)).isEqualTo(0xffff00c8);
  }
}
