import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeOf, started, type Started, type Visitor } from './visitor.ts'

let run: Started
let me: Visitor & { account: string }
beforeAll(async () => {
  run = await started()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await run.control.newcomer()
})

interface Ad {
  ref: string
  phase: string
  asking: { cents: string; currency: string }
  facts: { built_m2: number; bedrooms: number; baths: number }
  perks: string[]
  blurb: string
  score: number
  changed: string
  closed_with_account: boolean
}

const ad = (ref: string): Promise<Ad> => me.json<Ad>(`/api/ads/${ref}`)

/** The first ad in that phase which was, or was not, closed with its account. */
async function adIn(phase: string, closed = false): Promise<string> {
  const { ads } = await me.json<{ ads: Ad[] }>(`/api/ads?phase=${phase}&per_page=100`)
  for (const { ref } of ads.toReversed()) if ((await ad(ref)).closed_with_account === closed) return ref
  throw new Error(`No ad is ${phase}.`)
}

const myEffects = async (): Promise<unknown[]> =>
  (await run.control.effects())
    .filter(({ account }) => account === me.account)
    .map(({ action, body }) => ({ action, body }))

test.each([
  ['offline', 'online', 303, 'offline'],
  ['offline', 'offline', 409, 'AD_NOT_ONLINE'],
  ['offline', 'lapsed', 409, 'AD_NOT_ONLINE'],
  ['online', 'offline', 303, 'online'],
  ['online', 'lapsed', 303, 'online'],
  ['online', 'online', 409, 'AD_ALREADY_ONLINE'],
])('taking %s an ad that is %s answers %i %s', async (move, phase, status, outcome) => {
  const ref = await adIn(phase)
  const answer = await me.form(`/my/ads/${ref}/${move}`)
  expect(answer.status).toBe(status)
  if (status === 303) {
    expect(answer.headers.get('location')).toBe(`/property-advertising/my/ads/${ref}?done=${outcome}`)
    expect((await ad(ref)).phase).toBe(outcome)
    expect(await myEffects()).toEqual([{ action: `ad.${move}`, body: { ref } }])
    expect((await fetch(`${me.base}/ad/${ref}`)).status).toBe(outcome === 'online' ? 200 : 404)
  } else {
    expect(await codeOf(answer)).toBe(outcome)
    expect((await ad(ref)).phase).toBe(phase)
    expect(await myEffects()).toEqual([])
  }
})

test.each(['offline', 'lapsed'])('an ad that was closed with its account stays %s and as it is', async (phase) => {
  const ref = await adIn(phase, true)
  const back = await me.form(`/my/ads/${ref}/online`)
  expect([back.status, await codeOf(back)]).toEqual([409, 'AD_CLOSED_WITH_ACCOUNT'])
  const edit = await me.write('PATCH', `/api/ads/${ref}`, { blurb: 'x' })
  expect([edit.status, await codeOf(edit)]).toEqual([409, 'AD_CLOSED_WITH_ACCOUNT'])
  expect(await myEffects()).toEqual([])
})

test.each(['online', 'offline', 'lapsed'])(
  'an ad that is %s can be changed; what is not named stays',
  async (phase) => {
    const ref = await adIn(phase)
    const before = await ad(ref)
    const change = {
      asking: { cents: '1' },
      facts: { bedrooms: 7 },
      perks: ['أرضية خشبية', 'Keller'],
      blurb: 'ő'.repeat(5000),
    }
    const answer = await me.write('PATCH', `/api/ads/${ref}`, change)
    expect(answer.status).toBe(200)
    const after = (await answer.json()) as Ad
    expect(after).toEqual(await ad(ref))
    expect(after).toEqual({
      ...before,
      asking: { ...before.asking, cents: '1' },
      facts: { ...before.facts, bedrooms: 7 },
      perks: change.perks,
      blurb: change.blurb,
      score: after.score,
      changed: after.changed,
    })
    expect(after.changed).not.toBe(before.changed)
    const emptied = (await (await me.write('PATCH', `/api/ads/${ref}`, { blurb: '', perks: [] })).json()) as Ad
    expect(emptied.score).toBeLessThan(after.score)
    expect(await myEffects()).toHaveLength(2)
  },
)

test.each([
  [{}, 'NOTHING_TO_CHANGE'],
  [{ facts: {} }, 'NOTHING_TO_CHANGE'],
  [{ headline: 'New' }, 'FIELD_UNKNOWN'],
  [{ facts: { cellars: 1 } }, 'FIELD_UNKNOWN'],
  [{ asking: { cents: '-1' } }, 'ASKING_NEGATIVE'],
  [{ asking: { cents: '100000000001' } }, 'ASKING_TOO_HIGH'],
  [{ asking: { cents: '1.5' } }, 'ASKING_INVALID'],
  [{ asking: { cents: '1', currency: 'USD' } }, 'ASKING_INVALID'],
  [{ asking: 5 }, 'ASKING_INVALID'],
  [{ blurb: 'x'.repeat(5001) }, 'BLURB_TOO_LONG'],
  [{ blurb: null }, 'BLURB_INVALID'],
  [{ perks: Array.from({ length: 31 }, (_, index) => `perk ${index}`) }, 'TOO_MANY_PERKS'],
  [{ perks: ['x'.repeat(61)] }, 'PERK_INVALID'],
  [{ perks: [' '] }, 'PERK_INVALID'],
  [{ perks: ['a', 'a'] }, 'PERK_TWICE'],
  [{ facts: { built_m2: -1 } }, 'NUMBER_INVALID'],
  [{ facts: { bedrooms: 1.5 } }, 'NUMBER_INVALID'],
  [{ facts: { baths: 101 } }, 'NUMBER_INVALID'],
  [{ facts: { baths: '2' } }, 'NUMBER_INVALID'],
  [{ facts: [] }, 'FACTS_INVALID'],
])('a change such as %j is refused with %s and changes nothing', async (change, code) => {
  const ref = await adIn('lapsed')
  const before = await ad(ref)
  const answer = await me.write('PATCH', `/api/ads/${ref}`, { ...change })
  expect([answer.status, await codeOf(answer)]).toEqual([422, code])
  expect(await ad(ref)).toEqual(before)
  expect(await myEffects()).toEqual([])
})

test('the edit form and the JSON route obey the same rules', async () => {
  const ref = await adIn('lapsed')
  expect(
    (await me.form(`/my/ads/${ref}/edit`, { asking: '1234,5', perks: 'lift\r\n\r\ngarden', baths: '2' })).status,
  ).toBe(303)
  const changed = await ad(ref)
  expect([changed.asking.cents, changed.perks, changed.facts.baths]).toEqual(['123450', ['lift', 'garden'], 2])
  const refused = await me.form(`/my/ads/${ref}/edit`, { asking: '-5' })
  expect([refused.status, await codeOf(refused)]).toEqual([422, 'ASKING_NEGATIVE'])
  const broken = await me.send(
    'PATCH',
    `/api/ads/${ref}`,
    { 'content-type': 'application/json', 'x-casavia-token': await me.token() },
    '{',
  )
  expect([broken.status, await codeOf(broken)]).toEqual([400, 'BODY_INVALID'])
})

test('figures are the same twice, grow with the span, and count enquiries', async () => {
  const { ads } = await me.json<{ ads: Ad[] }>('/api/ads?phase=online&per_page=1')
  const ref = ads[0]?.ref
  const figures = (span: string): Promise<Record<string, number>> => me.json(`/api/ads/${ref}/figures?span=${span}`)
  const [week, month, quarter] = [await figures('week'), await figures('month'), await figures('quarter')]
  for (const name of ['seen', 'leads', 'saves']) {
    expect(month[name]).toBeGreaterThanOrEqual(week[name] ?? NaN)
    expect(quarter[name]).toBeGreaterThanOrEqual(month[name] ?? NaN)
  }
  expect(await figures('week')).toEqual(week)
  const body = new URLSearchParams({ name: 'Ada', email: 'ada@mail.example', text: 'Hello' })
  await fetch(`${me.base}/ad/${ref}/enquiry`, { method: 'POST', body })
  expect(await figures('week')).toEqual({ ...week, leads: (week['leads'] ?? NaN) + 1 })
  const wrong = await me.get(`/api/ads/${ref}/figures?span=year`)
  expect([wrong.status, await codeOf(wrong)]).toEqual([400, 'PARAMETER_INVALID'])
})

test('pages show everything escaped', async () => {
  const placed = await me.form('/my/ads/new', {
    headline: '<script>alert(1)</script>',
    deal: 'to_let',
    asking: '900.00',
  })
  const location = placed.headers.get('location') ?? ''
  const page = await (await me.get(location.replace('/property-advertising', ''))).text()
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page).not.toContain('<script>')
})

test('routes that do not exist, and methods that a route does not have, are told apart', async () => {
  expect((await me.get('/api/nothing')).status).toBe(404)
  const answer = await me.write('DELETE', '/api/ads/CV-1', {})
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, PATCH'])
})
