package io.quorate.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import org.junit.jupiter.api.Test;

class InlineSvgTest {
  private static final String HEAD = "<svg xmlns='http://www.w3.org/2000/svg'";

  @Test
  void aFileBecomesAnElementWithALabelThatCanBeMadeSmaller() {
    assertThat(
            inline(
                "<?xml version='1.0'?><!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.0//EN' 'x.dtd'>"
                    + HEAD
                    + " width='600' height='300px'><g id='a'/></svg>"))
        .isEqualTo(
            "<svg role=\"img\" aria-label=\"a &lt;title&gt;\" viewBox=\"0 0 600 300\""
                + " width=\"600\" height=\"300\"><g id=\"p1-a\"></g></svg>");
    assertThat(inline(HEAD + " viewBox='0 0 9 9'/>"))
        .isEqualTo(
            "<svg role=\"img\" aria-label=\"a &lt;title&gt;\" viewBox=\"0 0 9 9\" width=\"9\" height=\"9\"></svg>");
  }

  @Test
  void idsAreItsOwnWhereverTheyAreUsed() {
    assertThat(
            inline(
                HEAD
                    + " xmlns:xlink='http://www.w3.org/1999/xlink'><clipPath id='c1'/>"
                    + "<path clip-path='url(#c1)'/><use xlink:href='#c1'/><use href='#c1'/></svg>"))
        .contains(
            "<clipPath id=\"p1-c1\"></clipPath><path clip-path=\"url(#p1-c1)\"></path>"
                + "<use href=\"#p1-c1\"></use><use href=\"#p1-c1\"></use>");
  }

  /** A content security policy may forbid styles, but not attributes. */
  @Test
  void stylesBecomeAttributes() {
    assertThat(
            inline(
                HEAD
                    + "><rect fill='red' width='1' style='fill: rgb(0,0,1); stroke:none;"
                    + "clip-path:url(#c)'/></svg>"))
        .contains(
            "<rect width=\"1\" fill=\"rgb(0,0,1)\" stroke=\"none\" clip-path=\"url(#p1-c)\">");
  }

  @Test
  void nothingThatActsOrLoadsStays() {
    assertThat(
            inline(
                HEAD
                    + " onload='alert(1)'><script>alert(1)</script><style>*{}</style>"
                    + "<foreignObject><b xmlns='http://www.w3.org/1999/xhtml'>x</b></foreignObject>"
                    + "<a href='javascript:alert(1)'><text>lost</text></a>"
                    + "<image href='http://example.com/x.png'/><image href='data:image/png;base64,QQ=='/>"
                    + "<rect ONCLICK='x' fill='url(http://example.com/)'/><text>&lt;script></text></svg>"))
        .endsWith(
            "<image></image><image href=\"data:image/png;base64,QQ==\"></image><rect></rect>"
                + "<text>&lt;script&gt;</text></svg>");
  }

  @Test
  void whatIsNoSvgIsRefused() {
    assertThatThrownBy(() -> inline("<svg"))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith("a <title>: found no readable SVG: ");
    assertThatThrownBy(() -> inline("<html/>"))
        .isInstanceOf(QuorateException.class)
        .hasMessage("a <title>: found no readable SVG: no element svg");
  }

  private static String inline(String svg) {
    return new InlineSvg("p1", "a <title>").text(svg);
  }
}
