<#-- All runs in a directory of results, as one HTML file. -->
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Quorate list">
<title>Benchmark runs</title>
<style>
<#include "page.css">
td, th { white-space: nowrap; }
td:nth-child(-n+4), th:nth-child(-n+4) { text-align: left; }
</style>
</head>
<body>
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
<tr><td><#if each?is_first>${run.time()}</#if></td><th scope="row" align="left"><#if each?is_first><#if run.page()><a href="${run.name()?url_path('UTF-8')}/index.html">${run.title()?has_content?then(run.title(), run.name())}</a><#else>${run.title()?has_content?then(run.title(), run.name())}</#if></#if></th><td>${each.tag()}</td><td>${each.status()}</td><td align="right">${each.throughput()}</td><td align="right">${each.p50()}</td><td align="right">${each.p99()}</td><td align="right">${each.errors()}</td></tr>
</#list>
</#list>
</tbody>
</table>
</div>
</section>
</main>
</body>
</html>
