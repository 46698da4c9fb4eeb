package io.quorate.report.plot;

/**
 * A drawn plot.
 *
 * @param name name of its files, without ending, such as {@code AVG-LATENCY-MS}
 * @param section section of the page
 * @param title title with the unit
 * @param description one or two computed sentences about its content, for readers who cannot see it
 * @param svg whole SVG file, which is also an element of an HTML page. It has title and
 *     description, ids that begin with the name, but no size, script, style attribute or external
 *     reference
 */
public record Plot(
    String name, PlotSection section, String title, String description, String svg) {}
