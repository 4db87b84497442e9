/** Markup as minifiers and careless templates write it. No markup in a `select` but options: see docs/connectors.md. */
const blocks =
  '<p>|</p>|<li>|<ul>|</ul>|<ol><li>|<menu>|<dl>|<dt>|<dd>|<div>|</div>|<div>|</div>|<h1>|</h1>|<section>|</section>|<center>|<pre>|<table>|</table>|<tr>|<td>|</td>|<th>|<tbody>|<caption>|<col>|<table><caption>|<hgroup>|<search>|<dir>|<dialog open>|<details open><summary>s</summary>|<body class=y>|<noscript><p>|</noscript>|<template><p>|</template>|<div class="row X open" lang=en-US data-k=Ab>|<p id=P1 title="a b">|<div dir=rtl>|<bdo dir=rtl>'
const inline =
  '<b>|</b>|<i class=x>|</i>|<nobr>|<br>|</br>|<span hidden>|</span>|<svg><path/>|<svg viewBox="0 0 1 1"><linearGradient/>|</svg>|<math><mi>|</math>|<!-- c -->|word|a &amp b|&notit;| 1&nbsp;2 | \n |<script>1<2</script>|<title>T</title>|<label for=n>|<label>|</label>|<object>'
const links =
  '<a href=/1>|<a href=?2>|</a>|<a href="">|<a href=" x\ty\n?q=\u00FC#z ">|<a href=//h.example/p>|<a href="http://[">|<a href="\\\\w\\v">|<a href="mailto:a@b">|<a href="HTTP:rel">|<a href="https:rel">|<a href="#">|<area href=../../../up>|<link href=l.css>|<base href=" ../b\td/x ">|<base target=_top>|<base href="data:,x">'
const fields =
  '<input name=n value=1>|<input name=h type=hidden value=2>|<input name=o form=f value=3>|<textarea name=t>\nx</textarea>|<textarea name=w>\r\n a\rb&#13;c\n</textarea>|<textarea name=t dirname=t.dir>\u05D0b</textarea>|<input name=dn dirname=dd value=\u05D0>|<input name=da dir=auto dirname=de value=\u05D0>|<input type=checkbox name=c checked>|<input type=checkbox name=c value=d>|<input type=radio name=r value=1 checked>|<input type=radio name=r value=2 checked>|<input type=radio name=r value=3>|<input type=RADIO name=q form=f value=4 checked>|<button name=u>|</button>|<button name=u form=f value=7>x</button>|<input type=submit name=v value=go>|<input type=image name=im>|<input type=file name=fi>|<input type=hidden name=_charset_ value=y>|<input value=unnamed>|<input name=l1 disabled value=1>|<input required name=k readonly value="a\n b">|<output name=out>1</output>'
const lists =
  '<select name=s><option>1<option selected>2</select>|<select name=s><option disabled>0<option>&nbsp; 1 \n 2<option value="">none</select>|<select name=m multiple><option selected>1<option selected value=" x ">2<option disabled selected>3<option label=q>4</select>|<select name=z size=2x><option>1<option>2</select>|<select name=z size=0><option>1<option>2</select>|<select name=g><optgroup disabled><option>1</optgroup><optgroup label=o><option value=2>two<option selected value=3>three</select>|<datalist>|</datalist>'
const groups =
  '<fieldset>|</fieldset>|</fieldset>|<fieldset disabled>|<fieldset disabled><legend>|<legend>|</legend>|</form>|</form>'
const corrected =
  '<input type=number name=nu value="1,5">|<input type=number name=nu value=1e400>|<input type=email name=em value=" a@b.c ">|<input type=range name=ra value=7 max=6>|<input type=color name=co value=#AbC>|<input type=month name=mo value=2026-13>|<input type=date name=dt value=2026-02-30>|<input type=time name=ti value=25:00>|<input type=week name=we value=2025-W53>|<input type=datetime-local name=dl value="2026-11-22 10:30:00.500">'
const pieces = [blocks, inline, links, fields, lists, groups, corrected].flatMap((some) => some.split('|'))

const forms = [
  '<form id=f method=post action="to ">',
  '<form id=f method=post action=?x>',
  '<form id=g method=post action="">',
  '<form id=h method=POST action=" \n">',
]

/** The same pages in each run. */
export function generatedPages(count: number): readonly string[] {
  const below = chance(34)
  const some = (list: readonly string[]): string => list[below(list.length)] ?? ''
  return Array.from({ length: count }, () => {
    const body = Array.from({ length: 4 + below(30) }, () => some(below(8) === 0 ? forms : pieces)).join('')
    return (below(4) === 0 ? 'quirks' : '<!doctype html>') + body
  })
}

/** Numbers below another, the same in each run. */
export function chance(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}
