import { describe, expect, test } from 'vitest'
import { isSelector } from '../../connectors/kit/css.ts'
import { assigned, jsonScript } from '../../connectors/kit/scripts.ts'
import { having, select } from '../../connectors/kit/select.ts'
import type { Node } from '../../connectors/kit/select.ts'
import { UnknownShape } from '../../connectors/kit/wire.ts'

const page = `<!doctype html><title>Questions</title><style>.x{}</style>
<main><h1> Questions
  &amp; answers </h1>
<ul class="list"><li class="row open" data-id="7"><a href="/q/7?a=1&amp;b=2">First<br>line</a> <span class="tag">c++</span><span class="tag">go</span>
<li class="row" data-id='o&#39;"]x'><a href="/q/8">Second</a><p>one</p><p>two</p><script>var hidden = 1</script></ul>
<textarea>kept
 as it is</textarea><table><tr><td>a<td>b</table><p class=none>Nothing.</p></main>`

const shape = (make: () => unknown): string => {
  try {
    return JSON.stringify(make())
  } catch (error) {
    if (error instanceof UnknownShape) return error.message
    throw error
  }
}

describe('a page is read by its selectors', () => {
  const at: Node = select(page)
  const cases: [string, () => unknown, unknown][] = [
    ['the text of the one', () => select(page, 'h1').text(), 'Questions & answers'],
    ['an attribute, decoded', () => at.select('.open a').attribute('href'), '/q/7?a=1&b=2'],
    ['an attribute that may be missing', () => at.select('.open').attributeOrNull('title'), null],
    [
      'lines where they end on the screen',
      () => at.any('.row').map((row) => row.text()),
      ['First\nline c++go', 'Second\none\ntwo'],
    ],
    ['cells apart', () => at.select('table').text(), 'a b'],
    ['what is not there as null', () => at.optional('.gone'), null],
    ['the first of several', () => at.first('.tag').text(), 'c++'],
    ['nested', () => at.all('.row').map((row) => row.any('.tag').map((tag) => tag.text())), [['c++', 'go'], []]],
    ['by a value with any characters', () => at.select(having('data-id', 'o\'"]x')).select('a').text(), 'Second'],
    ['the content of a field', () => at.select('textarea').content(), 'kept\n as it is'],
    ['an empty list that the page declares', () => at.all('.result', { emptyWhen: '.none' }), []],
  ]
  test.each(cases)('%s', (_what, make, expected) => expect(make()).toEqual(expected))
})

describe('a page is read as browsers read it', () => {
  const texts = (source: string, css: string) =>
    select(source)
      .any(css)
      .map((one) => one.text())
  const cases: [string, () => unknown, unknown][] = [
    [
      'items that the next item ends',
      () => texts('<ul><li class=debt><p>Ann owes 5<li class=debt><p>Ben owes 7</ul>', '.debt'),
      ['Ann owes 5', 'Ben owes 7'],
    ],
    ['cells that the next cell ends', () => texts('<table><tr><td><p>1<td><p>2<tr><td>3</table>', 'tr'), ['1\n2', '3']],
    ['tables as developer tools show them', () => texts('<table><tr><td>1</table>', 'table > tbody > tr > td'), ['1']],
    [
      'rows that a script puts into a table',
      () => texts(' <!-- --><tr><td>1<td>2<tr><td>3', 'tr > td'),
      ['1', '2', '3'],
    ],
    ['misnested tags', () => texts('<p><b>1<i>2</b>3</i>4', 'p > i, p > b'), ['12', '3']],
    [
      'what stands in a table and may not',
      () => texts('<div id=a><table><p>1<tr><td>2</table></div>', '#a > p'),
      ['1'],
    ],
    [
      'nothing within noscript and templates',
      () => texts('<body><noscript><p>1</p></noscript><template><p>2</p></template><p>3', 'p'),
      ['3'],
    ],
    [
      'drawings',
      () => select('<svg viewBox="0 0 9 9"><foreignObject>x</svg>').select('svg').attribute('viewBox'),
      '0 0 9 9',
    ],
  ]
  test.each(cases)('%s', (_what, make, expected) => expect(make()).toEqual(expected))
})

describe('an empty list is told by what the page shows', () => {
  const list = (sign: string, hiddenBy?: string): string =>
    shape(() => select(sign).all('.item', { emptyWhen: '.none', ...(hiddenBy !== undefined && { hiddenBy }) }))
  const changed = 'no .item, nor .none'
  test.each([
    '<p class=none hidden>',
    '<p class=none hidden=until-found>',
    '<div hidden><p class=none></div>',
    '<p class=none style="color:red; DISPLAY : none">',
    '<p class=none style="display:none!important;display:block">',
    '<p class=none style="visibility:hidden">',
    '<dialog><p class=none></dialog>',
    '<div popover><p class=none></div>',
    '<template><p class=none></template>',
    '<body><noscript><p class=none></noscript>',
  ])('not by %s', (sign) => expect(list(sign)).toBe(changed))

  test.each([
    '<p class=none>',
    '<p class=none style="display:none;display:block">',
    '<p class=none hidden style="display:flex">',
    '<p class=none style="/*display:none*/">',
    '<p class=none style="--x:display:none">',
    '<dialog open><p class=none></dialog>',
    '<div style="visibility:hidden"><p class=none style="visibility:visible"></div>',
  ])('but by %s', (sign) => expect(list(sign)).toBe('[]'))

  test('nor by what a class hides that the author names', () => {
    const sign = '<main><div class="d-none"><p class=none></div></main>'
    expect(list(sign)).toBe('[]')
    expect(list(sign, '.d-none')).toBe(changed)
    expect(shape(() => select(sign).select('main').all('.item', { emptyWhen: '.none', hiddenBy: '.d-none' }))).toBe(
      changed,
    )
  })
})

describe('a page that has changed is told by its selector and by nothing that the app said', () => {
  const at = select(page)
  const cases: [string, () => unknown, string][] = [
    ['the one that is gone', () => at.select('.title'), 'no .title'],
    ['one that is several', () => at.select('.tag'), 'more than one .tag'],
    ['an optional one that is several', () => at.optional('.tag'), 'more than one .tag'],
    ['a list that is gone', () => at.all('.result'), 'no .result'],
    [
      'a list that is gone, and its empty sign',
      () => at.all('.result', { emptyWhen: '.nothing' }),
      'no .result, nor .nothing',
    ],
    ['an attribute that is gone', () => at.first('.row').attribute('data-key'), 'no data-key of .row'],
    ['what stands in quotes', () => at.select(`a${having('href', '/q/9?secret')}`), 'no a[href=…]'],
    ['a selector that is none', () => at.select('a['), 'a[ is no selector'],
    ['one that is outside', () => at.first('.row').select('.row'), 'no .row'],
  ]
  test.each(cases)('%s', (_what, make, rule) => expect(shape(make)).toBe(rule))

  test('a selector that takes long to compile is none of a form', () => {
    expect(isSelector(`${'a '.repeat(499)}b`)).toBe(true)
    for (const long of [`${':not('.repeat(2_000)}b${')'.repeat(2_000)}`, 'a,'.repeat(600)])
      expect(isSelector(long)).toBe(false)
  })

  test('a page that is nested too deeply', () => {
    expect(shape(() => select('<div>'.repeat(499)))).toBe('nested too deeply')
    expect(shape(() => select('<div>'.repeat(498)).text())).toBe('""')
  })
})

describe('JSON within a page', () => {
  const scripts = `<script id="data" type="application/json">{"a":"</b>&amp;"}</script>
    <script>var other = 1; window.__STATE__ = {"list":[1,{"t":"};,"}],
      "b":true};run()</script><script type=module>let x={"y":"z"}</script>
    <script>start(function(){app.user={"id":7}});n = 5
      twice = 1; twice = 2; called = f({"a":1}); text = '{"a":1}'; half = {"a":[1}</script>
    <script type="text/template">window.__FAKE__ = {"a":1}</script><script>"window.__TOLD__ = {}"; a.b === 1; open = {"a":</script>`
  const cases: [string, () => unknown, string][] = [
    ['in a script', () => jsonScript(scripts, '#data'), '{"a":"</b>&amp;"}'],
    ['in a script that is none', () => jsonScript(scripts, 'script[type=module]'), 'a script that is not JSON'],
    ['assigned', () => assigned(scripts, 'window.__STATE__'), '{"list":[1,{"t":"};,"}],"b":true}'],
    ['declared', () => assigned(scripts, 'x'), '{"y":"z"}'],
    ['within a function', () => assigned(scripts, 'app.user'), '{"id":7}'],
    ['a number', () => assigned(scripts, 'n'), '5'],
    ['of a name that is assigned twice', () => assigned(scripts, 'twice'), 'scripts assign twice more than once'],
    ['of a call', () => assigned(scripts, 'called'), 'called is not JSON'],
    ['in single quotes', () => assigned(scripts, 'text'), 'text is not JSON'],
    ['with brackets that do not fit', () => assigned(scripts, 'half'), 'what is assigned to half does not end'],
    ['that never ends', () => assigned(scripts, 'open'), 'what is assigned to open does not end'],
    ['in what is no script', () => assigned(scripts, 'window.__FAKE__'), 'no script assigns window.__FAKE__'],
    ['in a text', () => assigned(scripts, 'window.__TOLD__'), 'no script assigns window.__TOLD__'],
    ['that is only compared', () => assigned(scripts, 'a.b'), 'no script assigns a.b'],
  ]
  test.each(cases)('%s', (_where, make, expected) => expect(shape(make)).toBe(expected))
})
