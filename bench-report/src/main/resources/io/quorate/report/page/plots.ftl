<#-- Plots of a page. -->
<#macro drawing plot>
<div class="plot" role="group" id="${plot.id}" aria-label="${plot.plot.title}">
<div class="picture">${plot.plot.svg?no_esc}</div>
<p class="caption">${plot.plot.caption()} <a class="anchor" href="#${plot.id}" aria-label="Link to ${plot.plot.title}">#</a><#list plot.files as file> <a href="${file.href}">${file.text?keep_after_last(".")?upper_case}</a></#list></p>
</div>
</#macro>
<#-- The first plots side by side, and the others in a fold. -->
<#macro all plots note>
<section id="plots" aria-labelledby="plots-title">
<h2 id="plots-title">Plots</h2>
<p class="legend">${note}</p>
<div class="tiles">
<#list plots[0..*6] as plot><@drawing plot/></#list>
</div>
</section>
<#if plots?size gt 6>
<details class="fold" id="all-plots">
<summary><h2>More plots (${plots?size - 6})</h2></summary>
<#list plots[6..] as plot><@drawing plot/></#list>
</details>
</#if>
</#macro>
