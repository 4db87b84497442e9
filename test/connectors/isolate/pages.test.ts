import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { isolated } from '../../../connectors/isolate/isolated.ts'
import type { IsolateOptions, Isolated } from '../../../connectors/isolate/isolated.ts'
import * as kit from '../../../connectors/kit/index.ts'
import { hostAnswers } from '../../../connectors/isolate/host-answers.ts'
import { bundle } from '../../../scripts/connector/bundle.ts'
import { generatedPages } from '../generated-pages/pages.ts'
import { reading, used } from './reading.ts'

type Anything = Readonly<Record<string, (...args: unknown[]) => unknown>>

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-pages-'))
  await copyFile(path.join(import.meta.dirname, 'reading.ts'), path.join(folder, 'reading.ts'))
})
afterAll(() => rm(folder, { recursive: true }))

/** As `callgate connector add` bundles it. */
async function bundled(source: string): Promise<string> {
  await writeFile(path.join(folder, 'index.ts'), source)
  return (await bundle({ entry: path.join(folder, 'index.ts'), folder })).code
}

async function loaded(code: string, options?: IsolateOptions): Promise<Anything> {
  const one: Isolated = await isolated(code, options)
  onTestFinished(() => one.dispose())
  return one.spec as unknown as Anything
}

const connector = async (functions: string, options?: IsolateOptions) =>
  loaded(
    await bundled(`import { select } from '@callgate/kit'\nexport default { endpoints: [], ${functions} }`),
    options,
  )

const selectors = [
  ...['*', 'p', 'DIV', 'div > p', 'p ~ *', 'li:not(:has(b))', 'p:has(~ p a)', ':nth-child(2 of p)', '[class~=x i]'],
  ...['.X', '#P1', ':checked', ':disabled', ':read-only', ':any-link', ':empty', ':root > *', 'svg *', 'a[', 'p"x"'],
]

describe('a page is read in an isolate as it is read outside of it', () => {
  const own = reading(kit)
  const sources = [
    ...generatedPages(60),
    '<form id=f action="to "><div><input type=hidden name=h value=1></form><input type=hidden name=h value=2>',
    '<base href="/dir/x"><form id=f action=to%20><input type=hidden name=h value=3><input name=u><input type=password>',
    '<meta name=csrf content=a><tr><td>1<td class="row x" hidden>2',
    '<p title=__proto__ __proto__=x constructor=y>&lt;b&gt;<script>x={"a":1}</script>',
  ]
  const all = (of: Anything): unknown =>
    sources.map((page) => [of['selections']?.(page, selectors), of['others']?.(page)])
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

  it('by the kit of this release', async () => {
    const code = await bundled(
      `import { ${used.join()} } from '@callgate/kit'\nimport { reading } from './reading.ts'\nexport default { endpoints: [], ...reading({ ${used.join()} }) }`,
    )
    // Neither a parser nor selectors are part of it.
    expect(code.length).toBeLessThan(40_000)
    expect(all(await loaded(code, { callMs: 20_000 }))).toEqual(plain(all(own as unknown as Anything)))
  })

  it('by the kit of the release before, which builds the tree itself', async () => {
    const file = new URL('../older-bundles/reading.2.js.br', import.meta.url)
    const code = brotliDecompressSync(readFileSync(file)).toString()
    expect(code).not.toContain('callgateTree')
    expect(all(await loaded(code, { callMs: 20_000 }))).toEqual(plain(all(own as unknown as Anything)))
  })
})

describe('what a page exceeds is told by name', () => {
  it.each([
    ['nested too deeply', '<div>'.repeat(499)],
    ['a page that is too long', ' '.repeat(5 * 1024 * 1024)],
    ['a page of too many elements', '<p>'.repeat(300_001)],
  ])('%s', async (message, page) => {
    const { run } = await connector('run(page) { select(page) }', { callMs: 20_000 })
    expect(() => kit.select(page)).toThrow(message)
    expect(() => run!(page)).toThrow(expect.objectContaining({ name: 'UnknownShape', message }))
  })
})

describe('an isolate asks about pages of its own call only', () => {
  const raw = (functions: string, options?: IsolateOptions) =>
    loaded(
      `const answer = (ask) => { try { return ask() } catch (e) { return e.name } }
       export default { endpoints: [], ${functions} }`,
      options,
    )

  it('the page of another call is none', async () => {
    const { open, ask } = await raw(
      `open: (page) => [callgateTree(page), callgatePage(1, 'text', -1)],
       ask: () => [0, 1, 2].map((tree) => answer(() => callgatePage(tree, 'text', -1)))`,
    )
    expect(open!('<p>of one account')).toEqual([{ tree: 1 }, { is: 'of one account' }])
    expect(ask!()).toEqual([{ gone: true }, { gone: true }, { gone: true }])
    const [one, other] = [hostAnswers(), hostAnswers()]
    expect(one('tree', '<p>of one account')).toBe('{"value":{"tree":1}}')
    expect(other('page', '[1,"text",-1]')).toBe('{"value":{"gone":true}}')
    expect(one('page', '[1,"text",-1]')).toBe('{"value":{"is":"of one account"}}')
  })

  it.each([
    [`1, 'text', 5`],
    [`1, 'text', -2`],
    [`1, 'text', 0.5`],
    [`1, 'text', '0'`],
    [`1, 'text', NaN`],
    [`1, 'text'`],
    [`1, 'text', 0, 0`],
    [`1, 'owner', -1`],
    [`1, 'shown', [0, 99], null`],
    [`1, 'shown', { length: 1 }, null`],
    [`1, 'shown', [0, 0, 0, 0, 0, 0], null`],
    [`1, 'find', 0, ['p']`],
    [`1, 'find', 0`],
    [`1, 'constructor', 0`],
    [`1, '__proto__'`],
    [`1, ['text'], 0`],
    [`1.5, 'text', 0`],
    [`'1', 'text', 0`],
    [`null, 'text', 0`],
  ])('%s is no question', async (question) => {
    const { ask } = await raw(`ask() { callgateTree('<p>x'); return answer(() => callgatePage(${question})) }`)
    expect(ask!()).toBe('TypeError')
  })
})

describe('trees that are asked about by turns', () => {
  it('answer each for itself', async () => {
    const { run } = await connector(`run() {
      const nodes = Array.from({ length: 50 }, (_, n) => select('<ul>' + '<li>'.repeat(n) + '<b id=' + n + '>' + n + '</b></ul>'))
      const read = () => nodes.map((one) => one.select('b').text() + one.any('li').length).join()
      const before = read()
      return [before === read(), nodes.toReversed().map((one) => one.select('b').attribute('id')).join(), before] }`)
    const numbers = Array.from({ length: 50 }, (_, n) => n)
    expect(run!()).toEqual([true, numbers.toReversed().join(), numbers.map((n) => `${n}${n}`).join()])
  })

  it('are opened again where the bundle opened them while it was loaded', async () => {
    const code = `import { select } from '@callgate/kit'
      const page = select('<p>1<b>2')
      export default { endpoints: [], run: (other) => [select(other).select('p').text(), page.select('b').text(), select('<p>1<b>2', 'p').text()] }`
    const { run } = await loaded(await bundled(code))
    expect(run!('<p>of the call')).toEqual(['of the call', '2', '12'])
  })

  it('make room for others, and are opened again where they are asked about', async () => {
    // Of two million characters each: the host holds five of them.
    const { run } = await connector(
      `run() {
        const nodes = Array.from({ length: 7 }, (_, n) => select('<p id=' + n + '>' + n + '<!--' + 'x'.repeat(2e6) + '-->').select('p'))
        return [nodes, nodes, nodes.toReversed()].map((all) => all.map((one) => one.content() + one.attribute('id')).join()) }`,
      { callMs: 20_000 },
    )
    const there = '00,11,22,33,44,55,66'
    expect(run!()).toEqual([there, there, there.split(',').toReversed().join()])
    const answers = hostAnswers()
    for (let n = 1; n <= 7; n++) answers('tree', `${n}<!--${'x'.repeat(2e6)}-->`)
    const asked = [1, 2, 3, 4, 5, 6, 7].map((n) => answers('page', `[${n},"words"]`))
    expect(asked.slice(0, 2)).toEqual(asked.slice(0, 2).map(() => '{"value":{"gone":true}}'))
    expect(asked.slice(2)).toEqual([3, 4, 5, 6, 7].map((n) => `{"value":{"is":"${n}"}}`))
  })

  it('keep nothing of what was read of them', async () => {
    const { run } = await connector(
      `run(text) { const at = select('<p>' + text).select('p'); let read = 0; for (let n = 0; n < 1000; n++) read += at.content().length; return read }`,
      { callMs: 20_000 },
    )
    // More than an isolate's memory, all together.
    expect(run!('x'.repeat(100_000))).toBe(100_000_000)
  })

  it('take a bounded memory, however many and large they are', async () => {
    const before = process.memoryUsage().rss
    const { run, fine } = await connector(
      `run() { for (let n = 0; n < 30; n++) select('<b>'.repeat(400) + '<p>'.repeat(60_000) + n).any('p'); return 1 }, fine: () => select('<p>1').select('p').text()`,
      { callMs: 60_000 },
    )
    try {
      expect(run!()).toBe(1)
    } catch (error) {
      expect((error as Error).message).toMatch(/took (too much memory|longer)|broke down/)
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(500 * 1024 * 1024)
    expect(fine!()).toBe('1')
  })
})

describe('a selector that takes too long is cut off', () => {
  it.each([
    ['that fails in countless ways', '.x div div div div div div'],
    ['that looks ahead again and again', 'div:has(div:has(div:has(div:has(div:has(div:has(.x))))))'],
    ['of many parts', `${':is(div, p) '.repeat(30)}.x`],
  ])('%s', async (_, css) => {
    const { run, fine } = await connector(
      `run: () => select('<div>'.repeat(400)).any(${JSON.stringify(css)}).length, fine: () => select('<p>1').select('p').text()`,
      { callMs: 600 },
    )
    const other = await connector(`fine: () => select('<p>1').select('p').text()`)
    expect(fine!()).toBe('1')
    let found: unknown
    try {
      found = run!()
    } catch (error) {
      found = (error as Error).message
    }
    // One that is found out fast is no harm.
    expect(['the connector took longer than 600 ms', 0]).toContain(found)
    expect(other['fine']!()).toBe('1')
  })
})
