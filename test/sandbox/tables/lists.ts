import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApp, type AppPerson, type OpenApp } from '../open-app.ts'
import {
  afterFirst,
  comesTo,
  dotted,
  fill,
  fits,
  idOf,
  onward,
  read,
  requestsOf,
  rowsIn,
  send,
  sized,
  toEnd,
} from './table.ts'
import type { List, Pattern, Row, Table } from './table.ts'

/** The table's app alone. It bans nobody for asking a lot, since that is what its lists are asked here. */
export function opened({ app, token }: Table): Promise<OpenApp> {
  const patient = { ...app, rate: { actions: 100_000, seconds: 1 } }
  if (typeof token === 'function') return openApp(patient, token)
  return openApp(patient, async (person) => String(dotted(await person.read(token[0]), token[1])))
}

/** Everything that holds for the lists of every app. */
export function checkLists(table: Table): void {
  describe(table.app.slug, () => {
    let app: OpenApp
    let me: AppPerson
    beforeAll(async () => {
      app = await opened(table)
      me = await app.newcomer()
    })
    afterAll(() => app[Symbol.asyncDispose]())

    for (const [name, list] of Object.entries(table.lists)) checkList(table, name, list, () => [app, me])

    test.each(Object.entries(table.alike ?? {}))('%s is the same as %s', async (short, full) => {
      const rows = await toEnd(table, me, await fill(table, short, me))
      expect(rows.length).toBeGreaterThan(0)
      expect(rows).toEqual(await toEnd(table, me, await fill(table, full, me)))
    })

    test.each(requestsOf(table.refused))('%s comes to %s', async (request, outcome) => {
      expect(await comesTo(table, me, await fill(table, request, me))).toBe(outcome)
    })

    test('what was refused was not done', async () => expect(await app.effects(me)).toEqual([]))

    if (!table.place) return
    const [list, others, refusal, toOthers = refusal] = table.place
    test(`a place in ${list} is none in another list, with other filters or in another account`, async () => {
      const own = await fill(table, list, me)
      const more = await afterFirst(table, me, own, 5)
      expect((await send(table, me, onward(own, more))).status).toBe(200)
      for (const other of others)
        expect([other, await comesTo(table, me, onward(await fill(table, other, me), more))]).toEqual([other, refusal])
      const other = await app.newcomer()
      expect(await comesTo(table, other, onward(await fill(table, list, other), more))).toBe(toOthers)
    })
  })
}

/** Stable, so that what is in order stays as it is. */
function sortedBy(order: List['order'], rows: Row[]): Row[] {
  if (!order) return rows
  const key = (row: Row): string | number => order(row as never)
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}

function checkList(table: Table, name: string, list: List, given: () => [OpenApp, AppPerson]): void {
  const { least = 60, order, choices, where, same = [], none = [], meanwhile } = list
  const idsOf = (rows: Row[]): unknown[] => rows.map((row) => idOf(row, list))

  test(`${name} is whole and in its order, whatever the size of its pages`, async () => {
    const [, me] = given()
    const path = await fill(table, name, me)
    const all = await toEnd(table, me, path)
    expect(all.length).toBeGreaterThanOrEqual(least)
    expect(new Set(idsOf(all)).size).toBe(all.length)
    const size = Math.min(table.most ?? 100, Math.max(3, Math.ceil(all.length / 11)))
    if (sized(table, path, size) !== '') expect(await toEnd(table, me, path, { size })).toEqual(all)
    const first = await read(table, me, path)
    if (table.page !== undefined && (table.paged ?? /./).test(path))
      expect(rowsIn(table, first)).toEqual(all.slice(0, table.page))
    if (table.total !== undefined && (table.paged ?? /./).test(path))
      expect(dotted(first, table.total)).toBe(all.length)
    expect(sortedBy(order, all)).toEqual(all)
  })

  if (choices ?? where)
    test(`${name} is filtered`, async () => {
      const [, me] = given()
      const path = await fill(table, name, me)
      const all = await toEnd(table, me, path)
      const filters: [string, Pattern][] = Object.entries(
        typeof where === 'function' ? await where(all as never, me) : (where ?? {}),
      )
      for (const [field, values] of Object.entries(choices ?? {}))
        for (const value of values)
          filters.push([`${field}=${encodeURIComponent(value)}`, { [field]: (own: unknown) => String(own) === value }])
      for (const [query, pattern] of filters) {
        const wanted = all.filter((row) => fits(row, pattern))
        expect([query, idsOf(await toEnd(table, me, onward(path, query)))]).toEqual([query, idsOf(wanted)])
        expect([query, wanted.length > 0, wanted.length < all.length]).toEqual([query, true, true])
      }
      for (const query of same)
        expect([query, await toEnd(table, me, onward(path, await fill(table, query, me)))]).toEqual([query, all])
      for (const query of none) expect([query, await toEnd(table, me, onward(path, query))]).toEqual([query, []])
    })

  if (meanwhile)
    test(`${name} is read to its end as it was while things happen: nothing twice, nothing missing`, async () => {
      const [app] = given()
      const who = await app.newcomer(list.kind)
      const path = await fill(table, name, who)
      const before = await toEnd(table, who, path)
      let count = 0
      const between = async (page: number, seen: Row[]): Promise<void> => {
        if ((page & (page - 1)) !== 0) return
        const done = await meanwhile(who, { before: before as never, seen: seen as never, count: count++ })
        if (done instanceof Response && done.status >= 400)
          throw new Error(`${done.url}: ${done.status} ${await done.text()}`)
      }
      const seen = await toEnd(table, who, path, { size: list.by ?? Math.ceil(before.length / 16), between })
      expect(count).toBeGreaterThan(1)
      expect(new Set(idsOf(seen)).size).toBe(seen.length)
      const known = new Set(idsOf(before))
      if (list.keeps === 'all') expect(idsOf(seen).filter((id) => known.has(id))).toEqual([...known])
      else if (list.keeps === 'ids') expect(idsOf(seen)).toEqual(idsOf(before))
      else expect(seen).toEqual(before)
      const after = await toEnd(table, who, path)
      expect(after).not.toEqual(before)
      expect(sortedBy(order, after)).toEqual(after)
      if (list.first !== undefined) expect([after[0], fits(after[0], list.first)]).toEqual([after[0], true])
      const { adds = 1 } = list
      if (adds === 'some') expect(after.length).toBeGreaterThan(before.length)
      else if (adds !== 'any') expect(after.length - before.length).toBe(count * adds)
    })
}
