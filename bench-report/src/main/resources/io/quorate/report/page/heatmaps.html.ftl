<#-- Grids of etcd's tools/rw-heatmaps, as one HTML file that needs no other. -->
<#import "document.ftl" as document>
<#import "ratio-map.ftl" as heat>
<@document.start title=page.title styles=["matrix.css"]/>
<header>
<h1>${page.title}</h1>
</header>
<main>
<section aria-label="Notes">
<#list page.notes as note>
<p class="legend">${note}</p>
</#list>
</section>
<#list page.maps as map>
<section aria-labelledby="map-${map?counter}">
<h2 id="map-${map?counter}">${map.title?cap_first}</h2>
<@heat.map map/>
</section>
</#list>
<section aria-labelledby="repeat">
<h2 id="repeat">Repeat this</h2>
<pre><code>${page.command}</code></pre>
</section>
</main>
<@document.end/>
