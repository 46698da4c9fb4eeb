<#-- What a bisection found, as one HTML file that needs no other; it links the pages of its comparisons. -->
<#import "document.ftl" as document>
<@document.start title=page.title styles=["comparison.css"]/>
<header>
<h1>${page.title}</h1>
</header>
<main>
<section aria-labelledby="steps">
<h2 id="steps">Comparisons with ${page.good}</h2>
<div class="wide" role="region" aria-labelledby="steps" tabindex="0">
<table>
<thead>
<tr><th scope="col">step</th><th scope="col" class="text">version</th><th scope="col" class="text">outcome</th><th scope="col" class="text">gate</th></tr>
</thead>
<tbody>
<#list page.rows as row>
<tr><th scope="row"><#if row.link?has_content><a href="${row.link}">${row.step}</a><#else>${row.step}</#if></th><td class="text">${row.version}</td><td class="text">${row.outcome}</td><td class="text"><#list row.gate as line>${line}<#sep><br></#list></td></tr>
</#list>
</tbody>
</table>
</div>
</section>
<section aria-labelledby="repeat">
<h2 id="repeat">Repeat this</h2>
<pre><code>${page.command}</code></pre>
</section>
</main>
<@document.end/>
