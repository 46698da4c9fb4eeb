<#-- A picture and a sentence of each scenario that was published on a day. -->
<#import "document.ftl" as document>
<#assign more>
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 1.5rem; }
.run img { width: 100%; height: auto; border: 1px solid var(--line); }
.run p { margin-top: .4rem; }
</#assign>
<@document.start title=page.title more=more/>
<header>
<h1>${page.title}</h1>
<p>Each picture leads to the page of a run. These are examples from one machine and not a reference. The <a href="index.html">index</a> has all runs, with their differences.</p>
</header>
<main>
<#list page.loads as load>
<div class="run">
<a href="${load.runs[0].href?url_path('UTF-8')}"><#if load.picture?has_content><img src="${load.picture?url_path('UTF-8')}" alt="Results of ${load.title}" loading="lazy"><#else>${load.title}</#if></a>
<p><#list load.remarks?filter(each -> each.text == "withdrawn")[0..*1] as remark><b><a href="${remark.href?url_path('UTF-8')}">withdrawn</a></b>: </#list>${load.sentence}</p>
</div>
</#list>
</main>
<@document.end/>
