import { afterAll, beforeEach, beforeAll, expect, test } from 'vitest'
import {
  allClients,
  client,
  clientWith,
  dayAhead,
  iso,
  markOf,
  onSlot,
  openStudio,
  roster,
  slots,
  submitted,
  type Roster,
} from './fitness-studio-studio.ts'
import type { AppPerson, OpenApp } from './open-app.ts'

let app: OpenApp
let me: AppPerson
beforeAll(async () => {
  app = await openStudio()
})
beforeEach(async () => {
  me = await app.newcomer('admin')
})
afterAll(() => app[Symbol.asyncDispose]())

async function slotWith(fits: (roster: Roster) => boolean, from: number, to: number): Promise<Roster> {
  for (const { Slot } of await slots(me, from, to)) {
    const found = await roster(me, Slot)
    if (fits(found)) return found
  }
  throw new Error('No class is like that.')
}

const roomy = (topic = 'YOGA') =>
  slotWith(({ Booked, Places, Topic, Roster }) => Topic === topic && Booked + 2 < Places && Roster.length > 2, 2, 20)
const full = () => slotWith(({ Waiting }) => Waiting > 1, 2, 20)
const past = () =>
  slotWith(({ Roster }) => ['IN', 'NS', 'LC'].every((st) => Roster.some(({ St }) => St === st)), -9, -3)
const cidOf = ({ Roster }: Roster, st: string): string => Roster.find(({ St }) => St === st)?.Cid ?? ''
const actions = async () => (await app.effects(me)).map(({ action }) => action)
const sent = async () => (await me.get('/staff/desk/sent')).text()

test('a booking reserves a spot once, and the roster, the class and the client show it', async () => {
  const { Slot, Booked } = await roomy()
  const { Cid } = await clientWith(me, 'OK', 'Unlimited', Slot)
  expect(await onSlot(me, Slot, 'book', { Cid })).toEqual([303, `slots/${Slot}?done=book&cid=${Cid}&st=RSV`])
  expect(await markOf(me, Slot, Cid)).toBe('RSV')
  expect((await roster(me, Slot)).Booked).toBe(Booked + 1)
  expect((await client(me, Cid)).Visits).toContainEqual(expect.objectContaining({ Slot, St: 'RSV' }))
  expect(await onSlot(me, Slot, 'book', { Cid })).toEqual([409, 'ALREADY_LISTED'])
  expect(await actions()).toEqual(['slot.book'])
})

test('a pass that does not allow the class blocks a booking, and so do full and past classes', async () => {
  const { Slot } = await roomy()
  const tries: [string, string, string, string][] = [
    ['DUE', 'اشتراك', Slot, 'PASS_DUE'],
    ['HOLD', '', Slot, 'NO_PASS'],
    ['ENDED', '', Slot, 'NO_PASS'],
    ['USED', '', Slot, 'NO_PASS'],
    ['OK', 'strength', Slot, 'PASS_EXCLUDES'],
    ['OK', 'Unlimited', (await full()).Slot, 'SLOT_FULL'],
    ['OK', 'Unlimited', (await past()).Slot, 'SLOT_STARTED'],
  ]
  for (const [standing, label, slot, code] of tries) {
    const { Cid } = await clientWith(me, standing, label, slot)
    expect([code, ...(await onSlot(me, slot, 'book', { Cid }))]).toEqual([code, 409, code])
    expect(await markOf(me, slot, Cid)).toBeUndefined()
  }
  expect(await onSlot(me, Slot, 'book', {})).toEqual([422, 'FIELD_REQUIRED'])
  expect(await onSlot(me, Slot, 'book', { Cid: 'C1', Extra: '1' })).toEqual([422, 'FIELD_UNKNOWN'])
  expect(await actions()).toEqual([])
})

/** Clients whose only running pass is counted, each with the visits that are left. */
async function counted(slot: string): Promise<{ Cid: string; Pid: string; left: number }[]> {
  const there = (await roster(me, slot)).Roster.map(({ Cid }) => Cid)
  const only = (await allClients(me, 'Standing=OK')).filter(
    ({ Cid, Passes }) =>
      !there.includes(Cid) &&
      Passes.every(({ St, Label }) => Label === '10 visits' || !['OK', 'ENDING', 'DUE'].includes(St)),
  )
  const details = await Promise.all(only.map(({ Cid }) => client(me, Cid)))
  return details.flatMap(({ Cid, Passes }) =>
    Passes.flatMap(({ Pid, VisitsLeft }) => (VisitsLeft === null ? [] : [{ Cid, Pid, left: VisitsLeft }])),
  )
}

test('a counted pass loses a visit with each booking, is used up by the last, and only call-off gives it back', async () => {
  const { Slot } = await roomy()
  const found = await counted(Slot)
  const passOf = async (cid: string, pid: string) => (await client(me, cid)).Passes.find(({ Pid }) => Pid === pid)
  const last = found.find(({ left }) => left === 1)
  const more = found.find(({ left }) => left > 1)
  if (!last || !more) throw new Error('Nobody has such a pass.')
  for (const { Cid } of [last, more]) expect((await onSlot(me, Slot, 'book', { Cid }))[0]).toBe(303)
  expect(await passOf(last.Cid, last.Pid)).toMatchObject({ St: 'USED', VisitsLeft: 0 })
  expect(await passOf(more.Cid, more.Pid)).toMatchObject({ St: 'OK', VisitsLeft: more.left - 1 })
  expect((await onSlot(me, Slot, 'strike', { Cid: more.Cid }))[0]).toBe(303)
  expect(await passOf(more.Cid, more.Pid)).toMatchObject({ St: 'OK', VisitsLeft: more.left - 1 })
  expect((await onSlot(me, Slot, 'call-off', { Scope: 'ONE' }))[0]).toBe(303)
  expect(await passOf(last.Cid, last.Pid)).toMatchObject({ St: 'OK', VisitsLeft: 1 })
})

test('who has a reservation is checked in, and who has none needs a pass, or to be let in anyway', async () => {
  const there = await roomy()
  const Cid = cidOf(there, 'RSV')
  expect(await onSlot(me, there.Slot, 'arrive', { Cid })).toEqual([303, expect.stringContaining('st=IN')])
  expect(await markOf(me, there.Slot, Cid)).toBe('IN')
  expect(await onSlot(me, there.Slot, 'arrive', { Cid })).toEqual([409, 'ALREADY_LISTED'])
  const walkIn = await clientWith(me, 'OK', 'Unlimited', there.Slot)
  expect((await onSlot(me, there.Slot, 'arrive', { Cid: walkIn.Cid }))[0]).toBe(303)
  const held = await clientWith(me, 'HOLD', '', there.Slot)
  expect(await onSlot(me, there.Slot, 'arrive', { Cid: held.Cid })).toEqual([409, 'NO_PASS'])
  expect((await onSlot(me, there.Slot, 'arrive', { Cid: held.Cid, Anyway: '1' }))[0]).toBe(303)
  const crowded = await full()
  const other = await clientWith(me, 'OK', 'Unlimited', crowded.Slot)
  expect(await onSlot(me, crowded.Slot, 'arrive', { Cid: other.Cid })).toEqual([409, 'SLOT_FULL'])
  expect((await onSlot(me, crowded.Slot, 'arrive', { Cid: other.Cid, Anyway: '1' }))[0]).toBe(303)
  const over = await past()
  expect(await onSlot(me, over.Slot, 'arrive', { Cid: cidOf(over, 'NS') })).toEqual([409, 'SLOT_CLOSED'])
  expect(await actions()).toEqual(Array(4).fill('slot.arrive'))
})

test('a reservation or check-in is taken off, and the first who waits gets the spot and a message', async () => {
  const crowded = await full()
  const [first, second] = crowded.Roster.filter(({ St }) => St === 'WL').map(({ Cid }) => Cid)
  const Cid = cidOf(crowded, 'RSV')
  expect(await onSlot(me, crowded.Slot, 'strike', { Cid: first ?? '' })).toEqual([409, 'NOT_STRIKABLE'])
  const [, where] = await onSlot(me, crowded.Slot, 'strike', { Cid })
  expect(where).toBe(`slots/${crowded.Slot}?done=strike&cid=${Cid}&was=RSV&moved=${first}`)
  expect(await markOf(me, crowded.Slot, Cid)).toBeUndefined()
  expect(await markOf(me, crowded.Slot, first ?? '')).toBe('RSV')
  expect(await markOf(me, crowded.Slot, second ?? '')).toBe('WL')
  expect(await sent()).toContain('a spot opened')
  expect(await onSlot(me, crowded.Slot, 'strike', { Cid })).toEqual([404, 'NOT_LISTED'])
  const over = await past()
  expect((await onSlot(me, over.Slot, 'strike', { Cid: cidOf(over, 'IN') }))[0]).toBe(303)
  for (const st of ['NS', 'LC']) {
    expect(await onSlot(me, over.Slot, 'strike', { Cid: cidOf(over, st) })).toEqual([409, 'NOT_STRIKABLE'])
  }
  const { Cid: queued } = await clientWith(me, 'OK', 'Unlimited', crowded.Slot)
  expect((await onSlot(me, crowded.Slot, 'queue', { Cid: queued }))[0]).toBe(303)
  expect(await markOf(me, crowded.Slot, queued)).toBe('WL')
  expect(await actions()).toEqual(['slot.strike', 'slot.strike', 'slot.queue'])
})

const change = (cid: string, pid: string | undefined, act: string, fields = {}) =>
  submitted(me, `clients/${cid}/passes/${pid}/${act}`, fields)

test('a running pass is put on hold, and no other', async () => {
  const { Cid, Passes } = await clientWith(me, 'OK', 'Unlimited')
  expect(await change(Cid, Passes[0]?.Pid, 'hold')).toEqual([
    303,
    `clients/${Cid}?done=hold&pid=${Passes[0]?.Pid}&st=HOLD`,
  ])
  expect((await client(me, Cid)).Passes[0]).toMatchObject({ St: 'HOLD', Renews: null })
  for (const standing of ['DUE', 'SOON', 'ENDING', 'ENDED', 'HOLD', 'USED']) {
    const other = await clientWith(me, standing)
    expect(await change(other.Cid, other.Passes[0]?.Pid, 'hold')).toEqual([409, 'PASS_STANDING'])
  }
  expect(await actions()).toEqual(['pass.hold'])
})

test('a pass ends at once from all that is not over, later only where it runs', async () => {
  for (const standing of ['OK', 'DUE', 'SOON', 'ENDING', 'HOLD', 'ENDED', 'USED']) {
    const { Cid, Passes } = await clientWith(me, standing)
    const [pass] = Passes
    const later = await change(Cid, pass?.Pid, 'end', { On: dayAhead(9) })
    const over = standing === 'ENDED' || standing === 'USED'
    expect(later[0]).toBe(standing === 'OK' ? 303 : 409)
    if (standing === 'OK') {
      expect((await client(me, Cid)).Passes[0]).toMatchObject({ St: 'ENDING', Turn: dayAhead(9), Renews: null })
    }
    expect((await change(Cid, pass?.Pid, 'end'))[0]).toBe(over ? 409 : 303)
    if (!over) expect((await client(me, Cid)).Passes[0]).toMatchObject({ St: 'ENDED', Turn: null })
  }
  const { Cid, Passes } = await clientWith(me, 'OK')
  expect(await change(Cid, Passes[0]?.Pid, 'end', { On: dayAhead(-2) })).toEqual([422, 'DAY_PASSED'])
  expect(await change(Cid, Passes[0]?.Pid, 'end', { On: '2026-12-01' })).toEqual([422, 'DAY_INVALID'])
  expect((await actions()).length).toBe(6)
})

test('a pass that renews is swapped for another that does, now or at its next bill', async () => {
  const offer = (nr: number, cid: string) => `O${Math.floor(Number(cid.slice(1)) / 100_000) * 100_000 + nr}`
  const { Cid, Passes } = await clientWith(me, 'OK', 'Unlimited')
  const pid = Passes[0]?.Pid
  expect(await change(Cid, pid, 'swap', { Offer: offer(6, Cid) })).toEqual([409, 'OFFER_NOT_AUTO'])
  expect(await change(Cid, pid, 'swap', { Offer: offer(1, Cid) })).toEqual([409, 'OFFER_SAME'])
  expect(await change(Cid, pid, 'swap', { Offer: 'O7' })).toEqual([404, 'OFFER_NOT_FOUND'])
  expect(await change(Cid, pid, 'swap', { Offer: offer(2, Cid), When: 'SOON' })).toEqual([422, 'CHOICE_INVALID'])
  const [, done] = await change(Cid, pid, 'swap', { Offer: offer(2, Cid) })
  expect(done).toContain('st=ENDED&into=P')
  const on = new URLSearchParams(done?.split('?')[1]).get('on') ?? ''
  const [was, is] = (await client(me, Cid)).Passes.slice(-2)
  expect([was?.St, is?.St, is?.Offer]).toEqual(['ENDED', 'OK', offer(2, Cid)])
  expect(Date.parse(iso(is?.Renews ?? '')) - Date.parse(iso(on))).toBe(7 * 86_400_000)
  const later = await clientWith(me, 'OK', 'Unlimited')
  const renews = later.Passes[0]?.Renews
  const [, where] = await change(later.Cid, later.Passes[0]?.Pid, 'swap', { Offer: offer(5, Cid), When: 'RENEWAL' })
  expect(where).toContain('intost=SOON')
  const after = (await client(me, later.Cid)).Passes
  expect(after.at(0)).toMatchObject({ St: 'ENDING', Turn: renews, Renews: null })
  expect(after.at(-1)).toMatchObject({ St: 'SOON', Turn: renews, Renews: renews })
  const due = await clientWith(me, 'DUE')
  expect(await change(due.Cid, due.Passes[0]?.Pid, 'swap', { Offer: offer(4, Cid) })).toEqual([409, expect.any(String)])
  const used = await clientWith(me, 'USED')
  expect(await change(used.Cid, used.Passes[0]?.Pid, 'swap', { Offer: offer(1, Cid) })).toEqual([409, 'PASS_NOT_AUTO'])
  expect(await actions()).toEqual(['pass.swap', 'pass.swap'])
})

test('a message goes to all who have a spot and can be reached, as it was written', async () => {
  const { Slot, Roster } = await roomy()
  const spots = Roster.filter(({ St }) => St === 'RSV' || St === 'IN')
  const path = `/staff/svc/slots/${Slot}/blast`
  const Words = '  Bring a <towel> & water,\nשלום'
  const { Result } = await me.wrote<{ Result: { Sent: number; Skipped: string[] } }>('POST', path, {
    Via: 'TEXT',
    Words,
  })
  expect(Result.Sent + Result.Skipped.length).toBe(spots.length)
  expect(Result.Skipped.length).toBeGreaterThan(0)
  for (const cid of Result.Skipped) expect((await client(me, cid)).Tel).toBe('')
  expect((await sent()).split('Bring a &lt;towel&gt; &amp; water,\nשלום').length - 1).toBe(Result.Sent)
  const empty = await slotWith((found) => found.Roster.length === 0, -20, 20)
  const nobody = `/staff/svc/slots/${empty.Slot}/blast`
  expect(await me.refused('POST', nobody, { Via: 'MAIL', Words })).toEqual([409, 'NOBODY_BOOKED'])
  expect(await me.refused('POST', path, { Via: 'TEXT', Words, Subject: 'x' })).toEqual([422, 'FIELD_UNKNOWN'])
  expect(await me.refused('POST', path, { Via: 'MAIL', Words: ' ' })).toEqual([422, 'FIELD_REQUIRED'])
  expect(await me.refused('POST', path, { Via: 'TEXT', Words: 'x'.repeat(481) })).toEqual([422, 'TEXT_TOO_LONG'])
  expect(await me.refused('POST', path, [])).toEqual([400, 'BODY_INVALID'])
  expect(await actions()).toEqual(['slot.blast'])
})

test('one class is called off, or it and the later ones of its series', async () => {
  const one = await roomy()
  expect((await onSlot(me, one.Slot, 'call-off', { Scope: 'ONE' }))[1]).toContain(`&slot=${one.Slot}`)
  expect((await slots(me, 0, 30)).map(({ Slot }) => Slot)).not.toContain(one.Slot)
  expect(await roster(me, one.Slot)).toMatchObject({ Off: true, Roster: [] })
  expect(await sent()).toContain('this class was called off')
  const Cid = cidOf(one, 'RSV')
  for (const act of ['book', 'arrive', 'strike']) {
    expect(await onSlot(me, one.Slot, act, { Cid })).toEqual([409, 'SLOT_OFF'])
  }
  expect(await onSlot(me, one.Slot, 'call-off', { Scope: 'ONE' })).toEqual([409, 'SLOT_OFF'])
  const rest = (await slots(me, 8, 30)).filter(({ Title }) => Title === 'HIIT 45')
  const [first] = rest
  const [, where] = await onSlot(me, first?.Slot ?? '', 'call-off', { Scope: 'ONWARD' })
  expect(new URLSearchParams(where?.split('?')[1]).getAll('slot')).toEqual(rest.map(({ Slot }) => Slot))
  const left = (await slots(me, 0, 30)).filter(({ Title }) => Title === 'HIIT 45')
  expect(left.length).toBe(8)
  expect(await onSlot(me, (await past()).Slot, 'call-off', { Scope: 'ONE' })).toEqual([409, 'SLOT_STARTED'])
  expect(await actions()).toEqual(['slot.call-off', 'slot.call-off'])
})

test('staff runs classes, but changes no passes and reads no missed classes', async () => {
  me = await app.newcomer('staff')
  const { Slot } = await roomy()
  const { Cid, Passes } = await clientWith(me, 'OK', 'Unlimited', Slot)
  expect((await onSlot(me, Slot, 'book', { Cid }))[0]).toBe(303)
  for (const act of ['swap', 'hold', 'end']) {
    expect(await change(Cid, Passes[0]?.Pid, act)).toEqual([403, 'ADMIN_ONLY'])
  }
  const misses = `misses?From=${dayAhead(-9)}&To=${dayAhead(0)}`
  expect(await me.denied(`/staff/svc/${misses}`)).toEqual([403, 'ADMIN_ONLY'])
  expect((await me.get('/staff/desk/misses')).status).toBe(403)
  expect(await actions()).toEqual(['slot.book'])
})

test('every page shows', async () => {
  const { Slot, Roster } = await roomy()
  const pages = [
    '',
    '/clients',
    '/clients?Standing=&Find=',
    `/clients/${cidOf({ Roster } as Roster, 'RSV')}`,
    `/slots/${Slot}`,
  ]
  for (const path of [...pages, '/offers', '/misses', '/sent']) {
    expect([path, (await me.get(`/staff/desk${path}`)).status]).toEqual([path, 200])
  }
})
