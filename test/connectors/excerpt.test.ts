import { describe, expect, it } from 'vitest'
import { excerptOf } from '../../connectors/runtime/excerpt.ts'

const html = (text: string, rule: string) =>
  excerptOf({ headers: { 'content-type': 'text/html; charset=utf-8' }, text }, rule)
const json = (value: unknown) =>
  excerptOf({ headers: { 'content-type': 'application/json' }, text: JSON.stringify(value) }, 'x')

const page = `<html><head><title>Ada Prado</title><script>var ada = 'secret'</script></head><body>
<nav class="menu">Hello Ada</nav>
<main id="orders" class="list wide" data-user-ada="Ada Prado" onclick="x('4711')">
  <ul class="rows"><li class="row" data-id="4711">Ada Prado, 12 Elm Street</li><li class="row" data-id="4712">Ben</li><li class="row" data-id="3">Cy</li></ul>
  <p class="total order-4711 by-prado">Sum: 12.50</p>
</main></body></html>`

describe('what stood where a rule did not hold', () => {
  it.each([
    [
      'the place that the rule leads to is shown',
      'no #orders .line',
      '<main#orders.list.wide[data-user-…][onclick]>\n  <ul.rows>\n    <li.row[data-id]>\n    <li.row[data-id]>\n    …\n  <p.total.order-….by-…>',
    ],
    ['the nearest place that is there', 'no #orders > ol > li, nor .none', '<main#orders'],
    ['the body where nothing of the rule is there', 'no #gone .x', '<body>\n  <nav.menu>\n  <main#orders'],
    ['the body for other rules', 'the output is no object', '<body>\n  <nav.menu>'],
    ['the body for a selector that is none', 'no [[[ .x', '<body>'],
  ])('%s', (_what, rule, begins) => {
    const shown = html(page, rule) ?? ''
    expect(shown.startsWith(begins), shown).toBe(true)
    expect(shown).not.toMatch(/ada\b|prado|4711|elm|secret|12/i)
  })

  it('is bounded, and nothing where there is no structure', () => {
    expect(html(`<div>${'<p class="a"><b></b></p><i></i>'.repeat(5_000)}</div>`, 'no .x')!.length).toBeLessThan(2_100)
    expect(html('<div>'.repeat(5_000), 'no .x')).toBeNull()
    expect(html('x'.repeat(2 << 20), 'no .x')).toBeNull()
    expect(excerptOf({ headers: { 'content-type': 'application/json' }, text: '{"a":' }, 'x')).toBeNull()
    expect(excerptOf({ headers: {}, text: 'hello' }, 'x')).toBeNull()
  })

  it('of JSON has names of fields and kinds of values', () => {
    const value = { orders: [{ id: 4711, who: 'Ada', tags: [], paid: true }], 'ada@example.org': { x: null } }
    expect(json(value)).toBe(
      'orders:\n  [\n    id: number\n    who: string\n    tags:\n      [] empty\n    paid: boolean\n…:\n  x: null',
    )
  })
})
