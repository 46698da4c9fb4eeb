<#-- What published results are, and what must not be compared with them. -->
<#macro example incomparable>
<details class="example">
<summary>Example from one machine, not a reference. What not to compare</summary>
<ul>
<#list incomparable as what>
<li>${what}</li>
</#list>
<li>How much runs of the same scenario differ: <a href="../index.html">all runs of this day</a>, with their A/A bands.</li>
</ul>
</details>
</#macro>
