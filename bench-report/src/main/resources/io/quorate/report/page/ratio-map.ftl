<#-- Heat maps of the ratios of two sides of a grid. -->
<#macro map map>
<p class="legend">${map.sentence} Blue: faster, orange: slower; the color is full from 30% on. Gray: the runs do not show a difference, whatever the ratio is.</p>
<div class="maps">
<#list map.panels as panel>
<div class="wide" role="region" aria-label="${panel.name?has_content?then(panel.name, map.title)}" tabindex="0">
<table class="map">
<caption>${panel.name}</caption>
<thead><tr><td></td><#list panel.columns as column><th scope="col">${column}</th></#list></tr></thead>
<tbody>
<#list panel.lines as line>
<tr><th scope="row">${line.name}</th><#list line.cells as cell><td class="${cell.color()}" style="--o:${cell.opacity()?c}" title="${cell.words}">${cell.ratio}</td></#list></tr>
</#list>
</tbody>
</table>
</div>
</#list>
</div>
<#if map.differing?has_content>
<h3>Cells that differ</h3>
<ul class="findings">
<#list map.differing as cell>
<li>${cell}</li>
</#list>
</ul>
</#if>
</#macro>
