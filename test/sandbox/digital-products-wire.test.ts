import { afterAll, beforeAll, expect, test } from 'vitest'
import { buys, named, openKramora, toEnd, type Sale, type Thing } from './digital-products-shop.ts'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'

let run: OpenApp
beforeAll(async () => {
  run = await openKramora()
})
afterAll(() => run[Symbol.asyncDispose]())

/** What one account can see of each list. */
const everything = (person: AppPerson): Promise<Thing[][]> =>
  Promise.all([
    ...['sales', 'members', 'letters'].map((name) => toEnd(person, `/my/${name}`)),
    ...['wares', 'vouchers', 'shelves', 'barred'].map((name) => named(person, `/my/${name}`, name)),
  ])

/** Addresses name the port that the sandbox happens to listen on. */
const withoutPort = (lists: unknown): string => JSON.stringify(lists).replaceAll(/localhost:\d+/g, 'localhost')

/** The field names of the documents for this app. */
const documented =
  `order_id email items product_id name quantity amount_gross currency status coupon_code date payment_type
  processor_fee platform_fee amount_net checkout_responses notes type price visibility url daily_views views daily_sales
  amount sales_by_product eu_uk_vat processor_fees platform_fees custom_taxes products_sold affiliate_commission
  affiliate_sales subscription_id product_name plan_name started orders next_cursor cursor limit products subscribers
  shipping from to`.split(/\s+/)

test('the names on the wire are the app’s own, money is whole cents and times have no zone mark', async () => {
  const demo = await run.person()
  const [sale] = await named<Sale[]>(demo, '/my/sales', 'sales')
  const paths = [
    'sales',
    `sales/${sale?.sale_no}`,
    'wares',
    'members',
    'vouchers',
    'letters',
    'barred',
    'shop',
    'shelves',
  ]
  const day = sale?.sold.slice(0, 10).replaceAll('-', '') ?? ''
  const names = new Set<string>()
  for (const path of [...paths, `books/${day.slice(0, 6)}`, `figures?first=${day}&last=${day}`]) {
    namesIn(await demo.read(`/my/${path}`), names)
  }
  names.delete('name') // of partners, which the documents do not have
  expect(names.size).toBeGreaterThan(50)
  expect(documented.filter((name) => names.has(name))).toEqual([])
  expect(sale?.sold).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(Number.isInteger(sale?.['total_cents'])).toBe(true)
  expect(await demo.read('/my/shop')).toMatchObject({
    ok: true,
    shop: { shop_no: demo.account, shop_label: 'Atelier Lumière' },
  })
})

test('seeds hold what is awkward, every value of every choice, and 60 or more in each paged list', async () => {
  const lists = await everything(await run.person())
  for (const list of lists.slice(0, 4)) expect(list.length).toBeGreaterThanOrEqual(60)
  const texts = JSON.stringify(lists)
  for (const awkward of [/[\u0590-\u05ff]/, /[\u0600-\u06ff]/, /[\u00c0-\u017f]/, /<b>/, /.{199}/]) {
    expect(texts).toMatch(awkward)
  }
  const [sales, members, , wares, vouchers, shelves] = lists
  const of = (rows: Thing[] | undefined, name: string): string[] =>
    [...new Set(rows?.map((row) => String(row[name])))].toSorted()
  expect(of(sales, 'state')).toEqual(['complete', 'part_returned', 'returned'])
  expect(of(sales, 'parcel')).toEqual(['gone', 'null', 'waiting'])
  expect(of(wares, 'sort')).toEqual(['club', 'coaching', 'course', 'file', 'parcel'])
  expect(of(wares, 'shown')).toEqual(['by_link', 'hidden', 'listed'])
  expect(of(members, 'state')).toHaveLength(8)
  expect(of(vouchers, 'covers')).toEqual(['order', 'shelf', 'ware'])
  expect(vouchers?.find(({ code }) => code === 'Welcome-12')).toMatchObject({ used: 4, use_limit: 4 })
  expect(shelves?.map((shelf) => shelf['wares'])).toContain(0)
})

test('seeds are the same in another sandbox and after a reset', async () => {
  await using other = await openKramora()
  const demo = await run.person()
  const before = withoutPort(await everything(demo))
  expect(withoutPort(await everything(await other.person()))).toBe(before)
  await demo.wrote('POST', '/my/vouchers', { code: 'GONE', off: { bp: 1 } })
  expect(withoutPort(await everything(demo))).not.toBe(before)
  await run.reset()
  expect(withoutPort(await everything(demo))).toBe(before)
})

test('no id is in two accounts, and what is a stranger’s does not exist', async () => {
  const people = await run.people()
  const users = ['demo', 'stranger', 'poor', 'narrow', 'revoked', 'two_accounts', 'two_accounts']
  expect(people.slice(0, 7).map(({ user }) => user)).toEqual(users)
  const owners = new Map<string, string>()
  for (const person of people) {
    for (const row of (await everything(person)).slice(0, 6).flat()) {
      const id = String(Object.values(row)[0])
      expect([id, owners.get(id) ?? person.account]).toEqual([id, person.account])
      owners.set(id, person.account)
    }
  }
  const [demo, stranger] = people as [AppPerson, AppPerson]
  const [[sale], [member], , [ware], , [shelf]] = (await everything(stranger)) as [
    Thing[],
    Thing[],
    unknown,
    Thing[],
    unknown,
    Thing[],
  ]
  const [saleNo, wareNo] = [String(sale?.['sale_no']), String(ware?.['ware_no'])]
  for (const path of [`sales/${saleNo}`, `letters?sale_no=${saleNo}`]) {
    expect(await demo.denied(`/my/${path}`)).toEqual([404, 'SALE_NOT_FOUND'])
  }
  expect(await demo.denied(`/my/wares/${wareNo}`)).toEqual([404, 'WARE_NOT_FOUND'])
  expect(await demo.refused('PATCH', `/my/wares/${wareNo}`, { label: 'Mine' })).toEqual([404, 'WARE_NOT_FOUND'])
  expect(await demo.refused('POST', `/my/sales/${saleNo}/remarks`, { words: 'x' })).toEqual([404, 'SALE_NOT_FOUND'])
  const end = `/my/members/${String(member?.['member_no'])}/end`
  expect(await demo.refused('POST', end, {})).toEqual([404, 'MEMBER_NOT_FOUND'])
  const voucher = { code: 'THEIRS', off: { bp: 100 } }
  const forWare = { ...voucher, covers: 'ware', ware_no: wareNo }
  expect(await demo.refused('POST', '/my/vouchers', forWare)).toEqual([404, 'WARE_NOT_FOUND'])
  const forShelf = { ...voucher, covers: 'shelf', shelf_no: shelf?.['shelf_no'] }
  expect(await demo.refused('POST', '/my/vouchers', forShelf)).toEqual([404, 'SHELF_NOT_FOUND'])
  for (const form of ['refill', 'receipt', 'bar'])
    expect((await demo.form(`/desk/sales/${saleNo}/${form}`)).status).toBe(404)
  expect(await named(demo, `/my/sales?sale_no=${saleNo}`, 'sales')).toEqual([])
  expect(await named(demo, `/my/sales?ware_no=${wareNo}`, 'sales')).toEqual([])
  expect(await run.effects(demo)).toEqual([])
})

test('pages show lists, details and forms, and buyers buy and fetch without a session', async () => {
  const demo = await run.newcomer()
  const [sale] = await named<Sale[]>(demo, '/my/sales', 'sales')
  const wares = await named(demo, '/my/wares?sort=file&shown=listed', 'wares')
  const [ware] = wares
  const lists = ['', '/wares', '/members', '/vouchers', '/figures', '/letters', '/barred', '/sales?state=returned']
  for (const path of [...lists, `/sales/${sale?.sale_no}`, `/wares/${String(ware?.['ware_no'])}`]) {
    const page = await demo.get(`/desk${path}`)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).toContain('meta name="stamp"')
  }
  const link = String(ware?.['link'])
  expect(await (await fetch(`${demo.base}/at/${demo.account}`)).text()).toContain(link.split('/').at(-1))
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const looks = async (): Promise<unknown> =>
    (await named<{ days: Thing[] }>(demo, `/my/figures?first=${today}&last=${today}`, 'figures')).days[0]?.['looks']
  expect(await looks()).toBe(0)
  await demo.get(new URL(link).pathname.replace('/digital-products', ''))
  expect(await looks()).toBe(0)
  await fetch(link)
  expect(await looks()).toBe(1)
  expect((await buys(demo, link, { mail: 'new@mail.example', copies: '2' })).status).toBe(303)
  const [bought] = await named<Sale[]>(demo, '/my/sales', 'sales')
  expect(bought).toMatchObject({ buyer_mail: 'new@mail.example', total_cents: Number(ware?.['price_cents']) * 2 })
  const [letter] = await named(demo, `/my/letters?sale_no=${bought?.sale_no}`, 'letters')
  const files = /\/get\/\S+/.exec(String(letter?.['words']))?.[0] ?? ''
  const body = new URLSearchParams({ ware_no: String(ware?.['ware_no']) })
  await fetch(`${demo.base}${files}`, { method: 'POST', redirect: 'manual', body })
  const { lines } = await named<Sale>(demo, `/my/sales/${bought?.sale_no}`, 'sale')
  const { fetch_limit } = await named<{ fetch_limit: number }>(demo, '/my/shop', 'shop')
  expect(lines[0]?.fetches_left).toBe(fetch_limit - 1)
  const [hidden] = await named(demo, '/my/wares?shown=hidden', 'wares')
  expect((await fetch(String(hidden?.['link']))).status).toBe(404)
})
