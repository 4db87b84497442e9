import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadApps } from '../../../connectors/registry.ts'
import { namesIn, type AppPerson, type OpenApp } from '../open-app.ts'
import { opened } from './lists.ts'
import { comesTo, dotted, fill, fits, idOf, isWrite, read, requestsOf, rowsIn, textsIn, toEnd } from './table.ts'
import type { Row, Table } from './table.ts'

const connectors = loadApps({ sandboxUrl: 'http://localhost:1' })

/** The field names that our connector has for this app, taken from the documents. */
function documented(slug: string): string[] {
  const names = new Set<string>()
  const gather = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [name, value] of Object.entries(schema)) {
      if (name === 'properties') for (const field of Object.keys(value as Row)) names.add(field)
      gather(value)
    }
  }
  for (const { inputSchema, outputSchema } of connectors.get(slug)?.endpoints.values() ?? [])
    gather([inputSchema, outputSchema])
  return [...names]
}

/** What no app's own names are: those of the documents, in whatever case. */
const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()

async function everything(table: Table, person: AppPerson): Promise<string> {
  const found: unknown[] = []
  for (const path of Object.keys(table.lists)) found.push(await toEnd(table, person, await fill(table, path, person)))
  for (const path of textsIn(table.also)) found.push(await read(table, person, await fill(table, path, person)))
  const text = JSON.stringify(found).replaceAll(/localhost:\d+/g, '')
  return table.passing ? text.replaceAll(table.passing, '') : text
}

/** All values of a field: of a list's rows, of an answer, or of one answer for each row (`sales > sales/{no}|sale.sum`). */
async function valuesOf(table: Table, person: AppPerson, at: string): Promise<unknown[]> {
  const [place = '', field = ''] = at.split(/\|(?=[^|]*$)/)
  const [list = '', detail] = place.split(' > ')
  const path = await fill(table, list, person)
  if (field.startsWith('.') && detail === undefined) return [dotted(await read(table, person, path), field)]
  let rows = await toEnd(table, person, path)
  if (detail !== undefined)
    rows = await Promise.all(
      rows.slice(0, 100).map((row) =>
        read(
          table,
          person,
          detail.replaceAll(/\{([^}]+)\}/g, (_, name: string) => String(dotted(row, name))),
        ),
      ),
    )
  const flat = (value: unknown, [name, ...rest]: string[]): unknown[] => {
    if (name === undefined) return Array.isArray(value) && value.length > 0 ? value : [value]
    if (name === '') return flat(value, rest)
    if (Array.isArray(value) && name !== 'length') return value.flatMap((each) => flat(each, [name, ...rest]))
    return flat((value as Row | null | undefined)?.[name], rest)
  }
  return rows.flatMap((row) => flat(row, field.split('.')))
}

/** The tags in what was seeded as plain text, each with what follows it. */
function tagged({ markup }: Table, texts: string): Set<string> {
  const plainly = markup ? texts.replaceAll(new RegExp(`"(?:${markup.source})":"(?:[^"\\\\]|\\\\.)*"`, 'g'), '') : texts
  return new Set(plainly.match(/<[a-z]+>[\p{L}\d]{2}/giu))
}

const sorted = (values: Iterable<unknown>): string[] => [...new Set(values)].map(String).toSorted()

/** Everything that holds for what every app has on the wire, seeded, and on its pages. */
export function checkWire(table: Table): void {
  describe(table.app.slug, () => {
    let app: OpenApp
    let people: AppPerson[]
    let [demo, stranger]: AppPerson[] = []
    let seeded: string | undefined
    const me = (): AppPerson => demo as AppPerson
    beforeAll(async () => {
      app = await opened(table)
      people = await app.people()
      ;[demo, stranger] = people
    })
    afterAll(() => app[Symbol.asyncDispose]())

    test('the names on the wire are mostly the app’s own', async () => {
      const own = new Set<string>()
      for (const path of textsIn(table.names)) {
        const answer = await read(table, me(), await fill(table, path, me()))
        for (const name of namesIn([answer, rowsIn(table, answer)])) own.add(plain(name))
      }
      const theirs = documented(table.app.slug).map(plain)
      const shared = theirs.filter((name) => own.has(name))
      expect(own.size).toBeGreaterThan(30)
      expect([shared, shared.length <= Math.min(theirs.length, own.size) * (table.shared ?? 0.5)]).toEqual([
        shared,
        true,
      ])
    })

    test.each(Object.entries(table.looks))('%s looks as the app writes it', async (path, pattern) => {
      const answer = await read(table, me(), await fill(table, path.replace(/^=/, ''), me()))
      const looked = path.startsWith('=') ? [answer] : rowsIn(table, answer)
      expect(looked.length).toBeGreaterThan(0)
      expect(looked.filter((row) => !fits(row, pattern))).toEqual([])
    })

    test('the named people are there', () => {
      const users = people.filter(({ user }) => user !== 'extra').map(({ user }) => user)
      expect(users).toEqual(['demo', 'stranger', 'poor', 'narrow', 'revoked', 'two_accounts', 'two_accounts'])
    })

    test.each(Object.entries(table.holds))('%s holds what is awkward', async (at, wanted) => {
      const values = await valuesOf(table, me(), at)
      if (typeof wanted === 'number') expect(new Set(values).size).toBeGreaterThanOrEqual(wanted)
      else if (wanted instanceof RegExp || wanted[0] instanceof RegExp) {
        const each = [wanted].flat() as RegExp[]
        expect(each.filter((pattern) => !values.some((value) => pattern.test(String(value))))).toEqual([])
      } else expect(sorted(values)).toEqual(sorted(wanted))
    })

    test.each(Object.entries(table.across ?? {}))('%s differs from account to account', async (at, least) => {
      const values: unknown[] = []
      for (const person of people) values.push(...(await valuesOf(table, person, at)))
      expect(new Set(values).size).toBeGreaterThanOrEqual(least)
    })

    test('seeds hold what is awkward, and are the same after a reset and in another sandbox', async () => {
      await app.reset()
      seeded = await everything(table, me())
      for (const texts of [seeded, await everything(table, stranger as AppPerson)])
        for (const awkward of [/[\u0590-\u06ff]/, /[\u00c0-\u017f]/, /<[a-z]/i])
          expect([awkward, awkward.test(texts)]).toEqual([awkward, true])
      const done = await table.change(me())
      if (done instanceof Response) expect(done.status).toBeLessThan(400)
      expect(await everything(table, me())).not.toBe(seeded)
      await app.reset()
      expect(await everything(table, me())).toBe(seeded)
      await using other = await opened(table)
      expect(await everything(table, await other.person())).toBe(seeded)
    })

    test('no id is in two accounts', async () => {
      for (const [name, list] of Object.entries(table.lists)) {
        if (list.id.startsWith('~')) continue
        const owners = new Map<unknown, string>()
        for (const person of people.filter(({ kind }) => kind === me().kind).slice(0, 3)) {
          for (const row of await toEnd(table, person, await fill(table, name, person))) {
            const id = idOf(row, list)
            expect([name, id, owners.get(id) ?? person.account]).toEqual([name, id, person.account])
            owners.set(id, person.account)
          }
        }
      }
    })

    test.each(requestsOf(table.strangers))('to others, %s comes to %s', async (request, outcome) => {
      expect(await comesTo(table, me(), await fill(table, request, stranger as AppPerson, me()))).toBe(outcome)
    })

    test('what was refused was not done', async () => expect(await app.effects(me())).toEqual([]))

    for (const [kind, outcomes] of Object.entries(table.kinds ?? {}))
      test(`what a ${kind} may do`, async () => {
        const person = await app.newcomer(kind)
        for (const [request, outcome] of requestsOf(outcomes)) {
          const filled = await fill(table, request, person, me())
          expect([request, await comesTo(table, person, filled)]).toEqual([request, outcome])
        }
        const written = requestsOf(outcomes).filter(([request, outcome]) => isWrite(request, outcome))
        expect(await app.effects(person)).toHaveLength(written.length)
      })

    const { shows, paths, older } = table.pages
    test.each(textsIn(paths))('the page %s opens, shows whose it is, and escapes what it shows', async (path) => {
      const raw = tagged(table, (seeded ??= await everything(table, me())))
      const page = await me().get(await fill(table, path, me()))
      const text = await page.text()
      expect(page.status).toBe(200)
      if (path !== '/') expect(text).toContain(shows)
      expect([...raw].filter((snippet) => text.includes(snippet))).toEqual([])
    })

    const [firsts, link = /./, id = /./g] = older ?? ['']
    if (firsts !== '')
      test.each(textsIn(firsts))('the page %s leads on to what is older', async (path) => {
        const first = await (await me().get(await fill(table, path, me()))).text()
        const second = await me().get(link.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '/none')
        const shown = (page: string): unknown[] => [...page.matchAll(id)].map(([, each]) => each)
        const ids = shown(await second.text())
        expect([second.status, ids.length > 0]).toEqual([200, true])
        expect(ids.filter((each) => shown(first).includes(each))).toEqual([])
      })
  })
}
