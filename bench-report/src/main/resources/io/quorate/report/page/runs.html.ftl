<#-- All runs in a directory of results, as one HTML file. -->
<#import "document.ftl" as document>
<#assign scripts = page.scripts()>
<#assign more>
td, th { white-space: nowrap; }
td:nth-child(-n+4), th:nth-child(-n+4) { text-align: left; }
@media (max-width: 40rem) {
  td, th { padding: .3rem .35rem .3rem 0; white-space: normal; font-size: .8rem; }
  tr > :nth-child(4), tr > :nth-child(6), tr > :nth-child(8) { display: none; }
}
</#assign>
<@document.start title="Benchmark runs" scripts=scripts more=more generator="Quorate list"/>
<header>
<h1>Benchmark runs</h1>
</header>
<main>
<section aria-label="Runs">
<div class="wide" tabindex="0" role="region" aria-label="Table of runs">
<table>
<thead>
<tr><th scope="col">Start (UTC)</th><th scope="col">Run</th><th scope="col">Database</th><th scope="col">Status</th><th scope="col">Throughput</th><th scope="col">p50</th><th scope="col">p99</th><th scope="col">Errors</th></tr>
</thead>
<tbody>
<#list page.entries() as run>
<#list run.databases() as each>
<tr><td>${run.time()}</td><th scope="row" align="left"><#if run.page()><a href="${run.name()?url_path('UTF-8')}/index.html">${run.title()?has_content?then(run.title(), run.name())}</a><#else>${run.title()?has_content?then(run.title(), run.name())}</#if></th><td>${each.tag()}</td><td>${each.status()}</td><td align="right">${each.throughput()}</td><td align="right">${each.p50()}</td><td align="right">${each.p99()}</td><td align="right">${each.errors()}</td></tr>
</#list>
</#list>
</tbody>
</table>
</div>
</section>
</main>
<@document.end scripts/>
