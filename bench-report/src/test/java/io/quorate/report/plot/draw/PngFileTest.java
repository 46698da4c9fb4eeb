// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  private static BufferedImage read(byte[] file) throws IOException {
    return ImageIO.read(new ByteArrayInputStream(file));
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 1000})
  void colors_stay_as_they_are(int colors) throws Exception {
    BufferedImage read = read(PngFile.of(columns(colors)));
    assertThat(read.getWidth()).isEqualTo(colors);
    assertThat(read.getHeight()).isEqualTo(3);
    assertThat(read.getColorModel() instanceof IndexColorModel).isEqualTo(colors == 256);
    for (int x = 0; x < colors; x++) {
      assertThat(read.getRGB(x, 2)).isEqualTo(0xffff0000 + x);
    }
  }

  @Test
  void shades_of_a_plot_become_near_ones_that_fit_into_a_palette() throws Exception {
    BufferedImage image = new BufferedImage(300, 2, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < 300; x++) {
      image.setRGB(x, 0, x * 7919 & 0xff00);
      image.setRGB(x, 1, 0x123456);
    }
    image.setRGB(299, 0, 0x123456);
    int[] drawn = image.getRGB(0, 0, 300, 2, null, 0, 300);
    ((DataBufferInt) image.getRaster().getDataBuffer()).getData()[400] |= 0xff000000;

    BufferedImage read = read(PngFile.ofPlot(image));
    assertThat(read.getColorModel()).isInstanceOf(IndexColorModel.class);
    for (int x = 0; x < 300; x++) {
      assertThat(read.getRGB(x, 0) >> 8 & 0xff).isCloseTo(drawn[x] >> 8 & 0xff, within(15));
      assertThat(read.getRGB(x, 1)).isEqualTo(0xff123456);
    }
  }
}
