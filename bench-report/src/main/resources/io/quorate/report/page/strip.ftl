<#-- Small pictures in the rows of a table, which are as wide as their column. -->
<#macro axis strip>
<svg width="100%" height="16" role="presentation"><#list strip.marks as mark><text x="${mark.place?c}%" y="12" text-anchor="middle" font-size="11" fill="currentColor">${mark.label}</text></#list></svg></#macro>
<#macro row strip words height>
<svg width="100%" height="${height?c}" role="img" aria-label="${words}"><#list strip.marks as mark><line x1="${mark.place?c}%" x2="${mark.place?c}%" y1="0" y2="${height?c}" stroke="currentColor" stroke-opacity=".15"/></#list><#nested></svg></#macro>
