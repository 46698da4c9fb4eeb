<#-- What a matrix of runs says, as one HTML file that needs no other. -->
<#import "document.ftl" as document>
<#import "example.ftl" as banner>
<#import "strip.ftl" as strip>
<#import "ratio-map.ftl" as heat>
<#assign published = page.incomparable?has_content scripts = page.scripts()>
<#macro plain table id>
<div class="wide" role="region" aria-labelledby="${id}" tabindex="0">
<table border="1" cellpadding="4" class="stacked">
<caption id="${id}">${table.title}</caption>
<thead>
<tr><#list table.columns as column><th scope="col">${column}</th></#list></tr>
</thead>
<tbody>
<#list table.rows as row>
<tr><#list row as cell><#if cell?is_first><th scope="row" align="left">${cell}</th><#else><td align="right" data-label="${table.columns[cell?index]}">${cell?replace(" ms", "\xA0ms")}</td></#if></#list></tr>
</#list>
</tbody>
</table>
</div>
</#macro>
<#macro folded id title count>
<#if count gt 0>
<details id="${id}">
<summary><h2>${title} (${count})</h2></summary>
<#nested>
</details>
</#if>
</#macro>
<@document.start title=page.title scripts=scripts styles=["matrix.css"]>
<#if page.files?seq_contains("card.png")>
<meta property="og:title" content="${page.title}">
<meta property="og:image" content="card.png">
</#if>
</@document.start>
<nav aria-label="Contents">
<ul>
<li><a href="#top">Results</a></li>
<li><a href="#about">About</a></li>
<#if page.ratios?has_content || page.omitted?has_content><li><a href="#ratios">Ratios</a></li></#if>
<#if page.findings?has_content><li><a href="#findings">Findings</a></li></#if>
<#if page.sizes?has_content || page.plots?has_content><li><a href="#by-size">Sizes</a></li></#if><#t>
<#if page.tables?has_content><li><a href="#tables">Tables</a></li></#if>
<#if page.troubles?has_content><li><a href="#troubles">Not complete</a></li></#if>
<li><a href="#reproduce">Reproduce</a></li>
</ul>
</nav>
<header id="top">
<h1>${page.title}</h1>
<#if published>
<@banner.example page.incomparable/>
</#if>
<#list page.impossible as sentence>
<p class="lost" role="alert"><b>${sentence}</b></p>
</#list>
</header>
<main>
<section id="summary" aria-label="Summary">
<#list page.summary as sentence>
<p class="verdict">${sentence}</p>
</#list>
</section>

<#list page.maps as map>
<section id="map" aria-labelledby="map-title">
<h2 id="map-title">${map.title}</h2>
<@heat.map map/>
</section>

</#list>
<#list page.dots as dots>
<section id="dots" aria-labelledby="dots-title">
<h2 id="dots-title">${dots.title} of all cells</h2>
<p class="keys"><#list dots.keys as key><span><i style="background:${key.color}"></i>${key.text}</span></#list><#if dots.hollow?has_content><span><i></i>leader</span><span><i class="hollow"></i>${dots.hollow}</span></#if><#if dots.pale><span><i class="pale"></i>pale: not compared</span></#if></p>
<table aria-labelledby="dots-title">
<thead><tr><td></td><th scope="col" aria-label="${dots.title}"><@strip.axis dots.strip/></th></tr></thead>
<tbody>
<#list dots.rows as row>
<tr><th scope="row" align="left">${row.name}</th><td><@strip.row strip=dots.strip words=row.words height=(8 * dots.keys?size + 6)><#list row.dots as dot><#assign y = 7 + 8 * dot.lane><g<#if dot.pale> opacity=".4"</#if>><title>${dot.text}</title><#if dot.to gt dot.from><line x1="${dot.from?c}%" x2="${dot.to?c}%" y1="${y}" y2="${y}" stroke="${dot.color}"/></#if><circle cx="${dot.place?c}%" cy="${y}" r="4" stroke="${dot.color}" stroke-width="2" fill="${dot.hollow?then('none', dot.color)}"/></g></#list></@strip.row></td></tr>
</#list>
</tbody>
</table>
<p class="legend">Logarithmic axis<#if dots.repeated>; lines go from the lowest to the highest run</#if>. Point at a dot for its value.</p>
</section>
</#list>

<#if page.notes?has_content>
<section id="notes" aria-label="Notes">
<#list page.notes as note>
<p class="legend">${note}</p>
</#list>
</section>
</#if>

<section id="about" aria-labelledby="about-title">
<h2 id="about-title">About</h2>
<#list page.description as paragraph>
<p class="lead">${paragraph}</p>
</#list>
<p>Files: <#list page.files as file><a href="${file}">${file}</a><#sep>, </#sep></#list>, and the runs in <#if published><a href="run.tar.xz">run.tar.xz</a><#else><a href="cells/">cells/</a></#if>.</p>
</section>

<#if page.ratios?has_content || page.omitted?has_content>
<section id="ratios" aria-labelledby="ratios-title">
<h2 id="ratios-title">Ratios</h2>
<#if page.ratios?has_content><p class="legend">A latency above 1 is slower, a throughput above 1 is faster.</p></#if>
<#list page.ratios as table>
<@plain table "ratios-${table?counter}"/>
</#list>
<#list page.omitted as sentence>
<p class="legend">${sentence}</p>
</#list>
</section>
</#if>

<#if page.findings?has_content>
<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">Findings</h2>
<#list page.findings as findings>
<h3>${findings.title}</h3>
<ul class="findings">
<#list findings.sentences as sentence>
<li>${sentence}</li>
</#list>
</ul>
</#list>
</section>
</#if>

<#if page.sizes?has_content || page.plots?has_content>
<section id="by-size" aria-labelledby="by-size-title">
<h2 id="by-size-title">By size of the data</h2>
<#list page.sizes as table>
<@plain table "size-${table?counter}"/>
</#list>
<#list page.plots as plot>
<div class="plot" role="group" aria-label="${plot.title}">
<div class="picture">${plot.svg?no_esc}</div>
<div class="caption"><p>${plot.description}</p></div>
</div>
</#list>
</section>

</#if>
<#macro tables>
<#list page.tables as table>
<@plain table "table-${table?counter}"/>
</#list>
</#macro>
<#if page.dots?has_content>
<@folded "tables" "Tables" page.tables?size><@tables/></@folded>
<#elseif page.tables?has_content>
<section id="tables" aria-labelledby="tables-title">
<h2 id="tables-title">Tables</h2>
<@tables/>
</section>
</#if>
<@folded "details" "Tables of the published study" page.details?size>
<#list page.details as table>
<@plain table "detail-${table?counter}"/>
</#list>
</@folded>
<@folded "disturbed" "Runs not to be used" page.disturbed?size>
<ul>
<#list page.disturbed as sentence>
<li>${sentence}</li>
</#list>
</ul>
</@folded>

<#if page.troubles?has_content>
<section id="troubles" aria-labelledby="troubles-title">
<h2 id="troubles-title">Not complete</h2>
<ul>
<#list page.troubles as sentence>
<li>${sentence}</li>
</#list>
</ul>
</section>
</#if>

<section id="reproduce" aria-labelledby="reproduce-title">
<h2 id="reproduce-title">Reproduce</h2>
<#if published>
<p>In a checkout of Quorate with <a href="scenario.yaml">scenario.yaml</a> of this directory, and with the same versions of the databases:</p>
<#else>
<p>All of it, what is missing of it, and the page of one of its runs:</p>
</#if>
<pre class="wide" role="region" aria-label="Commands" tabindex="0"><code><#list page.commands as command>${command}
</#list></code></pre>
<#if published>
<p>The files of all runs that this page reads are in <a href="run.tar.xz">run.tar.xz</a>. <code>./quorate report</code> with the directory of this page renders it again.</p>
</#if>
<details>
<summary>Scenario text</summary>
<pre class="wide" role="region" aria-label="Scenario" tabindex="0"><code>${page.scenario}</code></pre>
</details>
</section>
</main>
<@document.end scripts/>
