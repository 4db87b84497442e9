import { afterAll, beforeAll, expect, test } from 'vitest'
import { chalkara, ever, everything, goodOf, rowsOf, type Row } from './teacher-marketplace-shop.ts'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'

let run: OpenApp
beforeAll(async () => {
  run = await chalkara()
})
afterAll(() => run[Symbol.asyncDispose]())

const lists = ['/dash/goods', `/dash/sold?${ever}`, '/dash/asks', '/dash/markdowns', '/dash/notes', '/dash/mailbox']

const allOf = async (who: AppPerson): Promise<Row[][]> => {
  const found: Row[][] = []
  for (const path of lists) found.push(await everything(who, path, 100))
  return found
}

const documented = `product_id title type price_cents status custom_category description additional_license_price_cents
  grades subjects tags formats files from to buyer_type earnings_cents units_sold carts unique_buyers views conversion
  wish_listed saved_for_later date sales_tax_cents keyword visits conversions keywords products sales questions question
  product_ids limit cursor next_cursor product answer`.split(/\s+/)

test('the names on the wire are the app’s own, days are American and money is text', async () => {
  const demo = await run.person()
  const names = new Set<string>()
  const more = ['/dash/goods/100001', `/dash/goods/100001/figures?${ever}`, `/dash/figures?${ever}`]
  const searches = '/dash/searches?first=01/01/2025&last=01/01/2030'
  for (const path of [...lists, ...more, searches]) namesIn(await demo.read(path), names)
  expect(names.size).toBeGreaterThan(40)
  expect(documented.filter((name) => names.has(name))).toEqual([])
  expect((await rowsOf(demo, `/dash/sold?${ever}`))[0]).toMatchObject({
    no: expect.any(Number),
    day: expect.stringMatching(/^\d\d\/\d\d\/\d{4}$/),
    earned: expect.stringMatching(/^\$\d{1,3}(,\d{3})*\.\d\d$/),
  })
  expect((await rowsOf(demo, '/dash/asks'))[0]?.['asked']).toMatch(/^\d\d\/\d\d\/\d{4} \d{1,2}:\d\d [AP]M -0700$/)
})

test('who is signed in is told with the account’s code, and free of charge', async () => {
  const demo = await run.person()
  expect(await demo.read('/dash/me')).toMatchObject({ shop_no: demo.account, sells: true, zone: 'America/Phoenix' })
  expect(await demo.read('/dash/lists')).toMatchObject({ levels: expect.arrayContaining(['PreK', '12th']) })
})

test('seeds hold what is awkward, every value, and 60 or more of what comes in pages', async () => {
  const demo = await run.person()
  const found = await allOf(demo)
  for (const rows of found) expect(rows.length).toBeGreaterThanOrEqual(60)
  const texts = JSON.stringify(found)
  for (const awkward of [
    /[\u0590-\u05ff]/,
    /[\u0600-\u06ff]/,
    /[\u00c0-\u017f]/,
    /<Bob>/,
    /"asker":""/,
    /"drawer":""/,
  ]) {
    expect([awkward, awkward.test(texts)]).toEqual([awkward, true])
  }
  const [goods = [], , asks = [], markdowns = [], notes = []] = found
  const of = (name: string, rows: Row[]): Set<unknown> => new Set(rows.map((row) => row[name]))
  expect(of('sort', goods)).toEqual(new Set(['download', 'bundle', 'video', 'cloud']))
  expect(of('shelf', goods)).toEqual(new Set(['live', 'hidden']))
  expect(of('stage', markdowns)).toEqual(new Set(['planned', 'running', 'over']))
  expect(of('stage', notes)).toEqual(new Set(['planned', 'sent']))
  expect(goods.map(({ cost }) => cost)).toEqual(expect.arrayContaining(['$0.00', '$1,000.00']))
  expect(Math.max(...goods.map(({ name }) => String(name).length))).toBe(120)
  expect(Math.max(...asks.map(({ words }) => String(words).length))).toBe(2000)
  const full = await Promise.all(goods.slice(0, 40).map(({ no }) => goodOf(demo, no)))
  const abouts = full.map(({ about }) => String(about).length)
  expect([Math.min(...abouts), Math.max(...abouts)]).toEqual([0, 10_000])
  for (const { sort, parts } of full) expect([sort, String(parts) === '']).toEqual([sort, sort === 'bundle'])
  expect(full.some(({ levels }) => String(levels) === '')).toBe(true)
})

test('seeds are the same in another sandbox and after a reset', async () => {
  await using other = await chalkara()
  await run.reset()
  const demo = await run.person()
  const before = await allOf(demo)
  expect(await allOf(await other.person())).toEqual(before)
  await demo.wrote('PATCH', '/dash/goods/100002', { name: 'Gone after the reset' })
  expect(await allOf(demo)).not.toEqual(before)
  await run.reset()
  expect(await allOf(demo)).toEqual(before)
})

test('no number is in two accounts, and what is a stranger’s does not exist', async () => {
  const seen = new Map<number, string>()
  const people = await run.people()
  expect(people.slice(0, 7).map(({ user }) => user)).toEqual([
    'demo',
    'stranger',
    'poor',
    'narrow',
    'revoked',
    'two_accounts',
    'two_accounts',
  ])
  for (const person of people) {
    for (const { no } of (await allOf(person)).flat()) {
      expect(seen.get(no) ?? person.account).toBe(person.account)
      seen.set(no, person.account)
    }
  }
  const [demo, stranger] = people as [AppPerson, AppPerson]
  const [good, ask] = [(await rowsOf(stranger, '/dash/goods'))[0], (await rowsOf(stranger, '/dash/asks?state=open'))[0]]
  const reads = ['', `/figures?${ever}`].map((end) => `/dash/goods/${good?.no}${end}`)
  for (const name of ['sold', 'figures']) reads.push(`/dash/${name}?${ever}&good=${good?.no}`)
  reads.push(`/dash/searches?first=01/01/2025&last=01/01/2030&good=${good?.no}`, `/dash/asks?good=${good?.no}`)
  for (const path of reads) expect(await demo.denied(path)).toEqual([404, 'GOOD_NOT_FOUND'])
  expect(await demo.refused('PATCH', `/dash/goods/${good?.no}`, { name: 'x' })).toEqual([404, 'GOOD_NOT_FOUND'])
  for (const end of [`goods/${good?.no}/shelf`, `goods/${good?.no}/file`, `asks/${ask?.no}/reply`]) {
    expect((await demo.form(`/shop/${end}`, { words: 'x', shelf: 'live', link: 'x' })).status).toBe(404)
  }
  expect(await run.effects(demo)).toEqual([])
})

test('to a buyer the whole desk is closed', async () => {
  const buyer = await run.newcomer('buyer')
  expect(await buyer.read('/dash/me')).toMatchObject({ shop_no: buyer.account, sells: false, zone: null })
  for (const path of lists) expect(await buyer.denied(path)).toEqual([403, 'SELLERS_ONLY'])
  expect(await buyer.refused('POST', '/dash/goods', {})).toEqual([403, 'SELLERS_ONLY'])
  expect((await buyer.form('/shop/notes', { words: 'x' })).status).toBe(403)
  expect(await run.effects(buyer)).toEqual([])
})

test('pages show lists, details and forms', async () => {
  const demo = await run.person()
  const more = /href="\/teacher-marketplace(\/shop\/goods\?[^"]+)"/.exec(await (await demo.get('/shop/goods')).text())
  const desk = ['trade', 'asks', 'markdowns', 'notes', 'mailbox', 'goods/100001'].map((name) => `/shop/${name}`)
  for (const path of ['/', more?.[1]?.replaceAll('&amp;', '&') ?? '', ...desk]) {
    const page = await demo.get(path)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).toContain('Marisol Ruiz')
  }
  const added = {
    name: 'By form',
    cost: '$2.00',
    more_cost: '$1.90',
    about: '',
    shelf: 'hidden',
    drawer: '',
    labels: 'a\r\nb',
  }
  const link = 'https://files.example/form.pdf'
  expect((await demo.form('/shop/goods', { ...added, levels: '', topics: 'Math', link })).status).toBe(303)
  const [newest] = await rowsOf(demo, '/dash/goods?per=1')
  expect(await goodOf(demo, newest?.no ?? 0)).toMatchObject({ name: 'By form', labels: ['a', 'b'], topics: ['Math'] })
  const changed = await demo.form(`/shop/goods/${newest?.no}`, { name: 'Changed by form', labels: 'c' })
  expect(changed.status).toBe(303)
  expect(await goodOf(demo, newest?.no ?? 0)).toMatchObject({ name: 'Changed by form', labels: ['c'], cost: '$2.00' })
})
