import { afterEach, describe, expect, it } from 'vitest'
import { isolated } from '../../../connectors/isolate/isolated.ts'
import type { Isolated, IsolateOptions } from '../../../connectors/isolate/isolated.ts'
import { InputRejected } from '../../../connectors/kit/failures.ts'
import { AppRefused } from '../../../connectors/kit/refusals.ts'
import { UnsafePath } from '../../../connectors/kit/request-line.ts'
import { UnknownShape } from '../../../connectors/kit/wire.ts'
import { Stopped } from '../../../connectors/runtime/outcome.ts'

type Anything = Readonly<Record<string, (...args: unknown[]) => unknown>>

const loaded: Isolated[] = []
afterEach(() => {
  for (const one of loaded.splice(0)) one.dispose()
})

/** A connector of these fields, as its functions can be called. */
async function connector(fields: string, options?: IsolateOptions, before = ''): Promise<Anything> {
  const one = await isolated(`${before}\nexport default { endpoints: [], ${fields} }`, options)
  loaded.push(one)
  return one.spec as unknown as Anything
}

function problemOf(call: () => unknown): string {
  try {
    return `answered ${JSON.stringify(call())}`
  } catch (error) {
    expect(error).toBeInstanceOf(Stopped)
    return (error as Stopped).message
  }
}

describe('the work of one call has an end', () => {
  it.each([
    ['an endless loop', `for (;;);`],
    ['a loop that catches what would end it', `for (;;) try { for (;;); } catch {}`],
    ['a pattern that tries everything', `/^(a+)+$/.test('a'.repeat(40) + '!')`],
    ['a number without end', `let n = 3n; for (;;) n *= n`],
    ['a list without end as text', `(new Array(1_000_000_000) + '')`],
    ['a sort that never agrees', `Array.from({ length: 3e6 }, (_, i) => i).sort(() => { for (;;); })`],
    ['a getter of the answer', `return { get x() { for (;;); } }`],
    ['a proxy of the answer', `return new Proxy({}, { ownKeys() { for (;;); } })`],
    ['toJSON of the answer', `return { toJSON() { for (;;); } }`],
    ['a generator', `return [...(function* () { for (;;) yield 1; })()].length`],
  ])('%s', async (_, body) => {
    const { run, fine } = await connector(`run() { ${body} }, fine: () => 1`, { callMs: 400 })
    expect(fine!()).toBe(1)
    expect(problemOf(() => run!())).toMatch(
      /took longer than 400 ms|took too much memory|broke down|tripped: RangeError/,
    )
    const { other } = await connector('other: () => 2')
    expect(other!()).toBe(2)
  })

  it('rests after it took all its time, and serves again', async () => {
    const { run } = await connector('run(forever) { while (forever); return 1 }', { callMs: 500 })
    expect(run!(false)).toBe(1)
    expect(problemOf(() => run!(true))).toContain('took longer than 500 ms')
    expect(problemOf(() => run!(false))).toContain('rests')
    await expect.poll(() => problemOf(() => run!(false))).toBe('answered 1')
  })

  it.each([
    ['of its own', `for (;;);`],
    ['that waits', `await new Promise(() => {})`],
  ])('a start without an end %s', async (_, before) => {
    await expect(connector('', { loadMs: 1500 }, before)).rejects.toThrow('takes longer than 1500 ms to begin')
  })
})

describe('the memory of one call has an end', () => {
  it.each([
    ['texts', `const all = []; for (;;) all.push('x'.repeat(1e6) + all.length)`],
    ['objects', `const all = []; for (;;) all.push({ all })`],
    ['buffers, which the engine does not count', `const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1))`],
    ['a deep recursion', `const deep = () => deep() + 1; return deep()`],
    ['a deep recursion of the engine', `let at = []; for (let i = 0; i < 1e4; i++) at = [at]; return at`],
    ['a huge answer', `return 'x'.repeat(9e6)`],
  ])('%s', async (_, body) => {
    const { run, fine } = await connector(`run() { ${body} }, fine: () => 1`, { callMs: 10_000 })
    const before = process.memoryUsage().rss
    expect(problemOf(() => run!())).toMatch(
      /took (too much memory|longer)|broke down|tripped|more than is taken|nested too deeply/,
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
    expect(fine!()).toBe(1)
  })

  it('of a small isolate is small', async () => {
    const { run } = await connector(`run: (n) => new Uint8Array(n).fill(1).length`, { memoryBytes: 8 * 1024 * 1024 })
    expect(run!(1024)).toBe(1024)
    expect(problemOf(() => run!(9 * 1024 * 1024))).toMatch(/took too much memory|tripped/)
  })
})

describe('nothing is there to reach out with', () => {
  it('by any name', async () => {
    const names = [
      'process',
      'require',
      'fetch',
      'setTimeout',
      'setInterval',
      'WebAssembly',
      'Worker',
      'Buffer',
      'console',
    ].concat('callgateHost', 'scriptArgs', 'std', 'os', 'crypto', 'navigator', 'XMLHttpRequest', 'WebSocket')
    const { run } = await connector(`run: () => [${names.map((name) => `typeof ${name}`).join()}]`)
    expect(run!()).toEqual(names.map(() => 'undefined'))
  })

  it.each([
    `import fs from 'node:fs'`,
    `import './other.js'`,
    `const fs = await import('node:fs')`,
    `import { URL } from 'file:///etc/passwd'`,
  ])('%s', async (before) => {
    await expect(connector('', {}, before)).rejects.toThrow('a bundle is one file')
  })

  it('finds no way through the constructors of what it is given', async () => {
    const { run } = await connector(
      `run: (given) => [given.f, given.url, given.now].map((one) => one.constructor.constructor('return typeof process')()).join()`,
    )
    const given = { f: () => 1, url: new URL('https://shop.example/'), now: new Date() }
    expect(run!(given)).toBe('undefined,undefined,undefined')
  })

  it('finds no path of this machine in an error', async () => {
    const { run } = await connector(
      `run(f) { const all = []; for (const g of [() => f({}), () => new URL('x'), () => new Intl.NumberFormat('en', { style: 'x' })]) try { g() } catch (e) { all.push(e.message + e.stack) } return all.join() }`,
    )
    expect(run!(() => 1)).not.toMatch(/node_modules|worktree|\/work|home|\.mjs|thread/)
  })

  it('has the time of the call and chance that is always the same', async () => {
    const { run } = await connector(`run: () => [Date.now(), new Date().toISOString(), Math.random()]`)
    const now = new Date('2026-03-04T05:06:07.089Z')
    const first = run!({ now })
    expect(first).toEqual([now.getTime(), now.toISOString(), expect.any(Number)])
    expect(run!({ now })).toEqual(first)
  })
})

describe('one call knows nothing of another', () => {
  it('whatever it keeps', async () => {
    const { keep, tell } = await connector(
      `keep(secret) { globalThis.secret = secret; Array.prototype.secret = secret; Object.prototype.x = secret; kept.push(secret); keepers.set(kept, secret); return kept.length },
       tell: () => [globalThis.secret, [].secret, ({}).x, kept.length, keepers.get(kept)].filter((one) => one !== undefined)`,
      {},
      'const kept = []; const keepers = new WeakMap()',
    )
    expect(keep!('of one account')).toBe(1)
    expect(tell!()).toEqual([0])
    expect(keep!('of another')).toBe(1)
  })

  it('nor of the memory that it had', async () => {
    const { keep, search } = await connector(
      `keep: (secret) => Array.from({ length: 1000 }, () => secret + Math.random()).length,
       search(word) { const all = []; for (let i = 0; i < 40; i++) { const b = new ArrayBuffer(1 << 18); const v = new Uint8Array(b); for (let j = 0; j < 50; j++) if (v[j]) all.push(v[j]) } return all.length }`,
    )
    keep!('of one account')
    expect(search!('of one')).toBe(0)
  })

  it('nor what it promised itself', async () => {
    const { later, tell } = await connector(
      `later() { Promise.resolve().then(() => { said = 'later' }); return said }, tell: () => said`,
      {},
      `let said = 'first'`,
    )
    expect(later!()).toBe('first')
    expect(tell!()).toBe('first')
  })
})

describe('a connector is data', () => {
  it.each([
    ['a function that answers later', 'run: async () => 1', 'is no plain function'],
    ['a generator', 'run: function* () {}', 'is no plain function'],
    ['a date', 'since: new Date()', 'is a Date'],
    ['a pattern', 'form: /x/', 'is a RegExp'],
    ['a map', 'all: new Map()', 'is a Map'],
    ['a promise', 'later: Promise.resolve()', 'is a Promise'],
    ['a huge number', 'many: 1n', 'is a bigint'],
    ['no number', 'many: NaN', 'is no finite number'],
    ['a circle', 'around', 'is nested too deeply'],
    ['a flood', 'many: Array.from({ length: 3e5 }, () => 0)', 'one value too many'],
    ['a prototype', `['__proto__']: { x: 1 }`, '__proto__'],
    ['a constructor', 'constructor: { x: 1 }', 'constructor'],
    ['what a promise would call', 'then() {}', 'where none can be'],
    ['what JSON would call', 'things: { toJSON() {} }', 'where none can be'],
    ['endpoints that are none', 'endpoints: [{ x: 1 }]', 'which is none'],
    ['a getter that throws', `get name() { throw new Error('no') }`, 'no'],
    ['a getter without an end', `get name() { for (;;); }`, 'takes longer'],
    ['a proxy', 'things: new Proxy({}, { ownKeys() { throw new Error("not you") } })', 'not you'],
  ])('%s', async (_, fields, problem) => {
    const before = 'const around = {}; around.around = around'
    const loadMs = problem === 'takes longer' ? 2000 : 30_000
    await expect(connector(fields, { loadMs }, before)).rejects.toThrow(problem)
  })

  it.each([
    ['no default', 'export const x = 1', 'no connector'],
    ['no code', 'export default {', 'bundle'],
    ['a throw', `const a = 1\nthrow new TypeError('it is off')`, 'TypeError: it is off (bundle:2)'],
  ])('not %s', async (_, bundle, problem) => {
    await expect(isolated(bundle)).rejects.toThrow(problem)
  })

  it('stays as it was when it was loaded', async () => {
    const spec = await connector(
      `get name() { return 'read ' + ++reads },
       run() { this.run = () => 'another'; Object.defineProperty(this, 'name', { value: 'another' }); Object.prototype.toString = null; return 'first' }`,
      {},
      'let reads = 0',
    )
    expect(spec['name']).toBe('read 1')
    expect([spec['run']!(), spec['run']!(), spec['name']]).toEqual(['first', 'first', 'read 1'])
  })
})

describe('what is answered is data', () => {
  const odd = [
    ['a promise', `return Promise.resolve(1)`, 'tripped: TypeError'],
    ['a function', `return () => 1`, 'tripped: TypeError'],
    ['a huge number', `return 1n`, 'tripped: TypeError'],
    ['a circle', `const a = {}; a.a = a; return a`, 'tripped: TypeError'],
    ['a prototype', `return JSON.parse('{"__proto__": {"x": 1}}')`, 'has the name __proto__'],
    ['a depth', `let at = 1; for (let i = 0; i < 200; i++) at = { at }; return at`, 'nested too deeply'],
    ['a throw of nothing', `throw null`, 'tripped: Error'],
    [
      'a throw of a liar',
      `throw Object.assign(new Error('x'), { name: 'Stopped', outcome: { kind: 'ok' } })`,
      'tripped: Stopped',
    ],
    ['a throw of a long name', `throw Object.assign(new Error('x'), { name: 'x y'.repeat(100) })`, 'tripped: Error'],
    ['a throw that throws', `throw { get name() { throw 1 }, get message() { throw 1 } }`, 'tripped: Error'],
    ['JSON of its own', `JSON.stringify = () => '{"error":{"name":"Evil"}}'; return 1`, 'answered 1'],
  ] as const

  it('whatever a connector tries', async () => {
    const bodies = odd.map(([, body]) => `() => { ${body} }`)
    const { run } = await connector(`run: (n) => [${bodies.join()}][n]()`)
    for (const [n, [name, , problem]] of odd.entries())
      expect(
        problemOf(() => run!(n)),
        name,
      ).toContain(problem)
  })

  it('and what its name says', async () => {
    const wrong: Record<string, readonly string[]> = {
      encode: ['null', '[1]', `({ query: 'a=b' })`],
      decode: [`'text'`],
      account: [`({ id: 1, label: 'x' })`],
      failure: [
        `({ kind: 'ok' })`,
        `({ kind: 'rate_limited', retryAfterMs: 1e12 })`,
        `({ kind: 'rejected', appCode: 7 })`,
      ],
    }
    for (const [name, answers] of Object.entries(wrong)) {
      const spec = await connector(`${name}: (n) => [${answers.join()}][n]`)
      for (const n of answers.keys()) expect(problemOf(() => spec[name]!(n))).toContain(`answered ${name} with`)
    }
  })

  it('a segment is a text or a list of such', async () => {
    const spec = await connector('segments: { a: (v) => v, b: () => [7] }')
    const { a, b } = spec['segments'] as unknown as Anything
    expect(a!('x')).toBe('x')
    expect(problemOf(() => b!())).toContain('answered b with')
  })
})

describe('what it may say', () => {
  const kit = `class UnknownShape extends Error { name = 'UnknownShape'; #f; constructor(m, ...f) { super(m); this.#f = f } isOf(v) { return this.#f.some((f) => Object.is(f, v)) } }
    class InputRejected extends Error { name = 'InputRejected'; constructor(code, m) { super(m); this.code = code } }
    class UnsafePath extends Error { name = 'UnsafePath' }
    class AppRefused extends Error { name = 'AppRefused'; constructor(code, m) { super(m); this.code = code } }`

  it('an unknown shape, with its place', async () => {
    const { run } = await connector(`run: (x) => { throw new UnknownShape('not a text', x.list[1].name) }`, {}, kit)
    const call = () => run!({ list: [1, { name: 7 }] })
    expect(call).toThrow(UnknownShape)
    expect(call).toThrow(expect.objectContaining({ message: 'not a text', where: 'at $.list[1].name: a number' }))
  })

  it('an input that is rejected and a path that is unsafe, in bounded words on one line', async () => {
    const { reject, path } = await connector(
      `reject: () => { throw new InputRejected('X'.repeat(1000), 'a\\nb' + 'c'.repeat(5000)) }, path: () => { throw new UnsafePath('no') }`,
      {},
      kit,
    )
    expect(reject!).toThrow(InputRejected)
    expect(reject!).toThrow(expect.objectContaining({ code: 'X'.repeat(100), message: `a b${'c'.repeat(997)}` }))
    expect(path!).toThrow(UnsafePath)
  })

  it('what the app refused, in bounded words', async () => {
    const { run } = await connector(`run: () => { throw new AppRefused('C'.repeat(200), 'd'.repeat(5000)) }`, {}, kit)
    expect(run!).toThrow(AppRefused)
    expect(run!).toThrow(expect.objectContaining({ code: 'C'.repeat(100), message: 'd'.repeat(1000) }))
  })

  it('asks the functions that it is given, with words and numbers only', async () => {
    const { run } = await connector(`run(ask, what) { try { return ask(...what) } catch (e) { return e.name } }`)
    const asked: unknown[][] = []
    const ask = (...args: unknown[]): unknown => {
      asked.push(args)
      return args[0] === 'throw' ? JSON.parse('') : args[0] === 'object' ? process : `told ${String(args[0])}`
    }
    expect(run!(ask, ['a', 1, null, true])).toBe('told a')
    for (const what of [[{}], [[]], Array.from({ length: 9 }, () => 1), ['throw'], ['object']])
      expect(run!(ask, what)).toBe('TypeError')
    expect(asked).toEqual([['a', 1, null, true], ['throw'], ['object']])
  })
})
