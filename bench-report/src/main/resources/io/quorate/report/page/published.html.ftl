<#-- All published runs of a machine and a day, as one HTML file. -->
<#import "document.ftl" as document>
<#assign scripts = page.scripts()>
<#assign more>
#filters dd { display: flex; flex-wrap: wrap; gap: .35rem; }
#filters button { padding: .05rem .6rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft); background: none; font: inherit; font-size: .88rem; cursor: pointer; }
#filters button[aria-pressed="true"] { border-color: var(--link); color: var(--back); background: var(--link); }
#overview th small { display: block; padding: 0; color: var(--soft); font-weight: 400; }
#overview tbody th { width: 20rem; max-width: 20rem; padding-right: 1rem; white-space: normal; }
#overview .group th { max-width: none; }
#overview td:nth-of-type(1) { min-width: 11rem; }
.bar { background: linear-gradient(to right, color-mix(in srgb, var(--soft) 22%, transparent) calc(var(--part) * 1%), transparent 0) content-box; }
.bar.compared { background-image: linear-gradient(to right, color-mix(in srgb, var(--link) 35%, transparent) calc(var(--part) * 1%), transparent 0); }
#overview .text { text-align: left; white-space: normal; }
.absolute .ratio { display: none !important; }
.relative .compared .value { display: none; }
.relative td:nth-of-type(-n+3):not(.compared) .value { visibility: hidden; }
@media (max-width: 40rem) {
  #overview tr > :nth-child(3):not(:last-child), #overview tr > :nth-child(n+5) { display: none; }
  #overview tbody th { width: auto; max-width: 8.5rem; padding-right: .4rem; overflow-wrap: anywhere; }
  #overview .group th { max-width: none; }
  #overview td { white-space: normal; }
  #overview td:nth-of-type(1) { min-width: 7rem; }
}
.relative .ratio { font-size: 1em !important; line-height: inherit !important; }
</#assign>
<@document.start title=page.title scripts=scripts more=more/>
<header>
<h1>${page.title}</h1>
<ul class="chips"><#list page.machines as machine><li>${machine}</li></#list></ul>
<p>These are examples from one machine and not a reference: there is no winner and no score. Compare only databases with the same load of the same run. Do not compare values with those of other machines, other loads or other scenarios, nor databases whose consistency or durability differs. The SHA-256 sums of all files are in <a href="SHA256SUMS">SHA256SUMS</a>.<#if page.hasErrata()> Mistakes and withdrawn runs are in the <a href="../../ERRATA.md">errata</a>.</#if> The <a href="gallery.html">gallery</a> has a picture of each scenario.</p>
</header>
<main>
<section id="filters" aria-label="Filters" hidden>
<dl>
<#list page.chips() as filter, values>
<div><dt>${filter}</dt><dd><#list values as value><button type="button" aria-pressed="false" data-filter="${filter}" data-value="${value}">${value}</button></#list></dd></div>
</#list>
<div><dt>values</dt><dd><button type="button" aria-pressed="false" data-filter="values" data-value="absolute">absolute</button><button type="button" aria-pressed="false" data-filter="values" data-value="relative">relative</button></dd></div>
</dl>
<p class="legend" id="count" role="status"></p>
</section>
<section id="overview" aria-label="Runs">
<div class="wide" role="region" aria-label="Table of runs" tabindex="0">
<table id="runs" border="1" cellpadding="4">
<thead>
<tr><td></td><#list page.columns as column><th scope="col">${column}</th></#list></tr>
</thead>
<#list page.loads as load>
<tbody>
<tr class="group"><th scope="rowgroup" colspan="${page.columns?size + 1}"><a href="${load.runs[0].href?url_path('UTF-8')}">${load.title}</a><#if load.load?has_content>, ${load.load}</#if><#if load.facts?has_content><small>${load.facts}</small></#if><#if load.runs?size gt 1><small><#list load.runs as run><a href="${run.href?url_path('UTF-8')}">${run.text}</a><#sep>, </#sep></#list><#if load.band?has_content>; A/A band: ${load.band}</#if></small></#if><#list load.remarks as remark><small><#if remark.href?has_content><a href="${remark.href?url_path('UTF-8')}">${remark.text}</a><#else>${remark.text}</#if></small></#list></th></tr>
<#list load.rows as row>
<tr data-row<#list row.values as filter, value> data-${filter}="${value}"</#list>><th scope="row" align="left">${row.name}<#if row.settings?has_content><small>${row.settings}</small></#if></th><#if row.outcome?has_content><td colspan="${page.columns?size}" class="text">${row.outcome}</td></#if><#list row.cells as cell><td align="right" class="${cell.shade()}<#if cell.ratio()?has_content> compared</#if><#if cell?is_first> bar" style="--part:${row.part}</#if>"><span class="value">${cell.text}</span><#if cell.ratio()?has_content> <small class="ratio">${cell.ratio()}</small></#if></td></#list></tr>
</#list>
</tbody>
</#list>
</table>
</div>
<p class="legend">Small numbers: ratio to the best value of the same load and run, 1.00 for the best, which may be hidden. Values of several runs are medians, with the lowest and the highest in parentheses; their A/A band is the largest difference between two runs of one database. Differences between databases that the runs do not decide are not colored. Server CPU: mean of the members, 100% is one core. Bars: throughput as a part of the highest of the run; gray, like a value without a ratio, if it is not compared, for which the page of the run has the reason. A search for a capacity shows its outcome: the highest rate that passed, and the lowest that did not. A canary is what the machine could do before or after a series of runs.</p>
<#list page.notes as note>
<p class="legend">${note}</p>
</#list>
</section>
</main>
<@document.end scripts/>
