import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AppPerson, OpenApp } from './open-app.ts'
import { accepted, client, dayAhead, idAt, openSalon, submitted, ticket, tickets, whole } from './pet-salon-salon.ts'
import type { Alert, Detail, Ticket, Wait } from './pet-salon-salon.ts'

let app: OpenApp
let demo: AppPerson
beforeAll(async () => {
  app = await openSalon()
  demo = await app.person()
})
beforeEach(() => app.reset())
afterAll(() => app[Symbol.asyncDispose]())

/** What a write adds to the account's effects. */
async function effectsOf(person: AppPerson, work: () => Promise<unknown>): Promise<string[]> {
  const before = (await app.effects(person)).length
  await work()
  return (await app.effects(person)).slice(before).map(({ action }) => action)
}

const ofState = async (st: string, from: number, to: number): Promise<Ticket[]> =>
  (await tickets(demo, from, to)).filter((row) => row.st.c === st)

/** A booking that works, by the first client and pet. */
const booking = (days: number, fields = {}): Record<string, string | string[]> => ({
  cl: idAt(demo, 'C', 1),
  pet: idAt(demo, 'P', 1),
  svc: [idAt(demo, 'S', 12), idAt(demo, 'S', 15)],
  d: dayAhead(days),
  t: '18:00',
  ...fields,
})

const noEffect = async (path: string, cases: [object, number, string][]): Promise<void> => {
  const effects = await effectsOf(demo, async () => {
    for (const [fields, ...problem] of cases) {
      expect([fields, ...(await submitted(demo, path, fields))]).toEqual([fields, ...problem])
    }
  })
  expect(effects).toEqual([])
}

test('a booking stands in the book, the log and the client’s messages', async () => {
  let booked: Record<string, string> = {}
  const effects = await effectsOf(demo, async () => {
    booked = await accepted(demo, '/cloud/book', booking(12, { nts: ' שלום\n<i> ' }))
  })
  expect(effects).toEqual(['ticket.book'])
  const detail = await ticket(demo, booked['tkt'] ?? '')
  const seen = {
    d: dayAhead(12),
    t: '18:00',
    t_end: '18:20',
    mins: 20,
    appt_nts: ' שלום\n<i> ',
    emp: { emp: idAt(demo, 'E', 1) },
  }
  expect(detail).toMatchObject({
    ...seen,
    st: { c: 'SCH' },
    cnf: { c: 'TXT' },
    log: [{ by: 'Désirée Yon', st: { c: 'SCH' } }],
  })
  const { mob, ahead } = await client(demo, idAt(demo, 'C', 1))
  expect(detail.msgs).toMatchObject([{ msg: booked['msg'], kind: 'SCHEDULED', way: 'TXT', to: mob }])
  expect(ahead.map(({ tkt }) => tkt)).toContain(booked['tkt'])
  const quiet = await accepted(demo, '/cloud/book', booking(12, { cl: idAt(demo, 'C', 6), pet: idAt(demo, 'P', 7) }))
  expect(quiet).not.toHaveProperty('msg')
  expect((await ticket(demo, quiet['tkt'] ?? '')).emp.emp).not.toBe(detail.emp.emp)
})

test('a booking from the waiting list takes what the entry says and ends it', async () => {
  const waits = await whole<Wait>(demo, '/cloud/data/waits')
  const [plain, special] = [waits.find(({ emp }) => emp === null), waits.find(({ emp }) => emp !== null)] as [
    Wait,
    Wait,
  ]
  for (const { wl, cl, pet, emp, svcs, nts } of [plain, special]) {
    await noEffect('/cloud/book', [
      [{ wl, cl: idAt(demo, 'C', 30), d: dayAhead(13), t: '16:30' }, 409, 'WAIT_OF_OTHER'],
      [{ wl, d: dayAhead(-1), t: '16:30' }, 422, 'TIME_PASSED'],
    ])
    const { tkt } = await accepted(demo, '/cloud/book', { wl, d: dayAhead(70), t: '16:00' })
    const detail = await ticket(demo, tkt ?? '')
    expect(detail).toMatchObject({ cl, pet, appt_nts: nts, svcs, ...(emp ? { emp } : {}) })
    await noEffect('/cloud/book', [[{ wl, d: dayAhead(71), t: '16:00' }, 404, 'WAIT_NOT_FOUND']])
  }
  const left = (await whole<Wait>(demo, '/cloud/data/waits')).map(({ wl }) => wl)
  expect(left).toEqual(waits.map(({ wl }) => wl).filter((wl) => ![plain.wl, special.wl].includes(wl)))
})

test('a booking that cannot be is refused and leaves nothing', async () => {
  await noEffect('/cloud/book', [
    [booking(14, { cl: '' }), 422, 'FIELD_REQUIRED'],
    [booking(14, { pet: '' }), 422, 'FIELD_REQUIRED'],
    [booking(14, { svc: [] }), 422, 'FIELD_REQUIRED'],
    [booking(14, { pet: idAt(demo, 'P', 2) }), 409, 'PET_OF_OTHER'],
    [booking(14, { svc: [idAt(demo, 'S', 1), idAt(demo, 'S', 1)] }), 422, 'SVC_TWICE'],
    [booking(14, { svc: idAt(demo, 'S', 99) }), 404, 'SVC_NOT_FOUND'],
    [booking(14, { emp: idAt(demo, 'E', 6) }), 409, 'EMP_LEFT'],
    [booking(14, { emp: idAt(demo, 'E', 2), svc: idAt(demo, 'S', 10) }), 409, 'EMP_CANNOT'],
    [booking(14, { t: '07:55' }), 422, 'CLOSED_THEN'],
    [booking(14, { t: '18:41' }), 422, 'CLOSED_THEN'],
    [booking(14, { t: '24:00' }), 422, 'TIME_INVALID'],
    [booking(14, { d: '2026-12-31' }), 422, 'DAY_INVALID'],
    [booking(731), 422, 'TOO_FAR'],
    [booking(14, { nts: 'x'.repeat(2001) }), 422, 'TEXT_TOO_LONG'],
    [booking(14, { price: '1' }), 422, 'FIELD_UNKNOWN'],
  ])
  const taken = (await ofState('SCH', 14, 30))[0] as Ticket
  const { svcs } = await ticket(demo, taken.tkt)
  const same = { svc: svcs.map(({ svc }) => svc), d: taken.d, t: taken.t, emp: taken.emp.emp }
  await noEffect('/cloud/book', [[booking(14, same), 409, 'TIME_TAKEN']])
  const team = await demo.read<{ rows: { here: boolean; does: { ttl: string }[] }[] }>('/cloud/data/emps')
  const able = team.rows.filter(({ here, does }) => here && does.some(({ ttl }) => ttl === 'Ear Cleaning'))
  expect(able.length).toBeGreaterThan(2)
  for (const _ of able) await accepted(demo, '/cloud/book', booking(15, { svc: idAt(demo, 'S', 12) }))
  await noEffect('/cloud/book', [[booking(15, { svc: idAt(demo, 'S', 12) }), 409, 'NOBODY_FREE']])
})

test('a ticket that is ahead changes in day, time, length, employee, price and notes, and the client is told', async () => {
  const { tkt = '', msg = '' } = await accepted(demo, '/cloud/book', booking(16))
  const path = `/cloud/tkt/${tkt}/edit`
  const effects = await effectsOf(demo, async () => {
    const first = await accepted(demo, path, { d: dayAhead(17), t: '17:55', mins: '65', emp: idAt(demo, 'E', 4) })
    expect(first).toMatchObject({ done: 'changed', msg: expect.stringMatching(/^M\d+$/) })
    await accepted(demo, path, { prc: '1234', svc: idAt(demo, 'S', 15), nts: 'Now shorter' })
    await accepted(demo, path, { nts: '' })
  })
  expect(effects).toEqual(['ticket.edit', 'ticket.edit', 'ticket.edit'])
  const detail = await ticket(demo, tkt)
  expect(detail).toMatchObject({
    d: dayAhead(17),
    t: '17:55',
    t_end: '19:00',
    mins: 65,
    emp: { emp: idAt(demo, 'E', 4) },
  })
  expect(detail).toMatchObject({ svcs: [{ pence: 800 }, { pence: 1234 }], appt_nts: '', st: { c: 'SCH' } })
  expect(detail.log.map(({ st }) => st.c)).toEqual(['SCH', 'CHG', 'CHG', 'CHG'])
  expect(detail.msgs.map(({ kind }) => kind)).toEqual(['CHANGED', 'CHANGED', 'CHANGED', 'SCHEDULED'])
  expect(detail.msgs.at(-1)?.msg).toBe(msg)
  expect((await tickets(demo, 16)).map((row) => row.tkt)).not.toContain(tkt)
  await noEffect(path, [
    [{}, 422, 'NOTHING_TO_CHANGE'],
    [{ t: '17:55' }, 422, 'NOTHING_TO_CHANGE'],
    [{ prc: '900' }, 422, 'SVC_REQUIRED'],
    [{ prc: '900', svc: idAt(demo, 'S', 1) }, 404, 'SVC_NOT_ON_TICKET'],
    [{ prc: '9.50', svc: idAt(demo, 'S', 15) }, 422, 'NUMBER_INVALID'],
    [{ mins: '66' }, 422, 'CLOSED_THEN'],
    [{ mins: '4' }, 422, 'NUMBER_INVALID'],
    [{ emp: idAt(demo, 'E', 6) }, 409, 'EMP_LEFT'],
    [{ d: dayAhead(-2) }, 422, 'TIME_PASSED'],
  ])
  const other = { emp: idAt(demo, 'E', 4), t: '17:00', d: dayAhead(17), svc: idAt(demo, 'S', 12) }
  await accepted(demo, '/cloud/book', booking(17, other))
  await noEffect(path, [[{ t: '16:10' }, 409, 'TIME_TAKEN']])
  for (const st of ['CNF', 'INN']) {
    const [one] = await ofState(st, 0, 9)
    await accepted(demo, `/cloud/tkt/${one?.tkt}/edit`, { nts: `Changed while ${st}` })
  }
  for (const st of ['RDY', 'OUT', 'NSH', 'VOI']) {
    const [one] = await ofState(st, -9, 9)
    await noEffect(`/cloud/tkt/${one?.tkt}/edit`, [[{ nts: 'x' }, 409, 'TICKET_CLOSED']])
  }
})

test('a ticket in any state but voided is voided, with or without its card payments', async () => {
  for (const st of ['SCH', 'CNF', 'INN', 'RDY', 'OUT', 'NSH']) {
    const [one] = await ofState(st, -9, 20)
    const path = `/cloud/tkt/${one?.tkt}/void`
    const told = (await ticket(demo, one?.tkt ?? '')).msgs.length
    expect(await effectsOf(demo, () => accepted(demo, path, { why: `Was ${st}` }))).toEqual(['ticket.void'])
    const detail = await ticket(demo, one?.tkt ?? '')
    expect(detail).toMatchObject({ st: { c: 'VOI' }, why: `Was ${st}` })
    expect([detail.log.at(-1)?.st.c, detail.msgs.length]).toEqual(['VOI', told])
    await noEffect(path, [[{ why: 'again' }, 409, 'ALREADY_VOID']])
  }
  const paid: Detail[] = []
  for (const { tkt } of await ofState('OUT', -30, -27)) {
    const detail = await ticket(demo, tkt)
    if (detail.pays.length === 1 && detail.pays[0]?.how === 'CARD') paid.push(detail)
  }
  const [kept, gone] = paid as [Detail, Detail]
  await noEffect(`/cloud/tkt/${gone.tkt}/void`, [
    [{}, 422, 'FIELD_REQUIRED'],
    [{ why: ' ' }, 422, 'FIELD_REQUIRED'],
    [{ why: 'x', cards: 'yes' }, 422, 'FLAG_INVALID'],
    [{ why: 'x'.repeat(501) }, 422, 'TEXT_TOO_LONG'],
  ])
  for (const [one, cards] of [
    [kept, '0'],
    [gone, '1'],
  ] as const) {
    const before = (await client(demo, one.cl.cl)).bal
    const done = await accepted(demo, `/cloud/tkt/${one.tkt}/void`, { why: 'Refund', cards })
    expect(done).toMatchObject({ done: 'voided', cards })
    const pence = one.pays[0]?.pence ?? 0
    expect((await client(demo, one.cl.cl)).bal).toBe(before + (cards === '1' ? 0 : pence))
    expect((await ticket(demo, one.tkt)).pays[0]?.st).toBe(cards === '1' ? 'VOIDED' : 'TAKEN')
  }
})

test('a pet that is in the salon is called for once, by text', async () => {
  const here = await ofState('INN', 0, 0)
  const mute = here.find(({ cl }) => cl.cl === idAt(demo, 'C', 75)) as Ticket
  const one = here.find(({ tkt }) => tkt !== mute.tkt) as Ticket
  await noEffect(`/cloud/tkt/${mute.tkt}/ready`, [[{}, 409, 'NO_MOBILE']])
  let msg: string | undefined
  const effects = await effectsOf(demo, async () => ({ msg } = await accepted(demo, `/cloud/tkt/${one.tkt}/ready`)))
  expect(effects).toEqual(['ticket.pickup'])
  const detail = await ticket(demo, one.tkt)
  expect(detail).toMatchObject({ st: { c: 'RDY' }, msgs: [{ msg, kind: 'PICKUP', way: 'TXT' }, {}] })
  expect(await (await demo.get('/cloud/msgs')).text()).toContain(`${one.pet?.nm} is ready to be picked up`)
  await noEffect(`/cloud/tkt/${one.tkt}/ready`, [[{}, 409, 'ALREADY_TOLD']])
  for (const st of ['SCH', 'CNF', 'OUT', 'NSH', 'VOI']) {
    const [other] = await ofState(st, -9, 9)
    await noEffect(`/cloud/tkt/${other?.tkt}/ready`, [[{}, 409, 'PET_NOT_HERE']])
  }
  await accepted(demo, `/cloud/tkt/${one.tkt}/step`, { to: 'OUT' })
  await noEffect(`/cloud/tkt/${one.tkt}/step`, [[{ to: 'INN' }, 409, 'STEP_NOT_POSSIBLE']])
})

test('notes and vaccinations of a pet are kept, and a newer vaccination ends an alert', async () => {
  const [alert] = await whole<Alert>(demo, '/cloud/data/vaxalerts')
  const pet = alert?.pet.pet ?? ''
  const [notes, shots] = [`/cloud/data/pets/${pet}/nts`, `/cloud/data/pets/${pet}/shots`]
  const before = await demo.wrote<{ nts: Record<string, string> }>('PATCH', notes, { gen: ' a\nб ' })
  expect(await demo.wrote('PATCH', notes, { med: '', prs: 'x'.repeat(2000) })).toMatchObject({
    nts: { gen: ' a\nб ', grm: before.nts['grm'], prs: 'x'.repeat(2000), med: '' },
  })
  const vx = alert?.vx.c ?? ''
  const added = { shot: expect.stringMatching(/^V\d+$/), pet, vx: { c: vx }, exp: dayAhead(400) }
  expect(await demo.wrote('POST', shots, { vx, exp: dayAhead(400) })).toMatchObject(added)
  const left = await whole<Alert>(demo, '/cloud/data/vaxalerts')
  expect(left.some((row) => row.pet.pet === pet && row.vx.c === vx)).toBe(false)
  const cases: [string, string, unknown, number, string][] = [
    ['PATCH', notes, {}, 422, 'NOTHING_TO_CHANGE'],
    ['PATCH', notes, { gen: 1 }, 422, 'TEXT_INVALID'],
    ['PATCH', notes, { gen: 'x'.repeat(2001) }, 422, 'TEXT_TOO_LONG'],
    ['PATCH', notes, { gen: 'x', note: 'y' }, 422, 'FIELD_UNKNOWN'],
    ['PATCH', notes, [], 400, 'BODY_INVALID'],
    ['POST', shots, { vx, exp: dayAhead(400) }, 409, 'SHOT_KNOWN'],
    ['POST', shots, { vx: 'Rabies', exp: dayAhead(9) }, 422, 'VAX_UNKNOWN'],
    ['POST', shots, { vx, exp: dayAhead(-1) }, 422, 'EXP_PASSED'],
    ['POST', shots, { vx, exp: dayAhead(3700) }, 422, 'EXP_TOO_FAR'],
    ['POST', shots, { vx }, 422, 'FIELD_REQUIRED'],
  ]
  const effects = await effectsOf(demo, async () => {
    for (const [method, path, body, ...problem] of cases)
      expect(await demo.refused(method, path, body)).toEqual(problem)
  })
  expect(effects).toEqual([])
})

test('roles and editions allow what they say', async () => {
  const [desk, groomer, hair] = [
    await app.newcomer('pet_desk'),
    await app.newcomer('pet_groomer'),
    await app.newcomer('hair_owner'),
  ]
  const sales = `/cloud/data/rpt?nm=Daily Totals&f=${dayAhead(-9)}&t=${dayAhead(0)}`
  const staff = `/cloud/data/rpt?nm=Voided Tickets&f=${dayAhead(-40)}&t=${dayAhead(40)}`
  for (const person of [desk, groomer]) {
    expect(await person.denied(sales)).toEqual([403, 'ROLE_NOT_ALLOWED'])
    expect(await person.read(staff)).toMatchObject({ hid: true, rows: [] })
    const path = `/cloud/tkt/${idAt(person, 'T', 500)}/void`
    expect(await submitted(person, path, { why: 'x' })).toEqual([403, 'ROLE_NOT_ALLOWED'])
  }
  expect(await demo.read(staff)).toMatchObject({ hid: false })
  expect(await desk.denied('/cloud/data/rpt?nm=Client Balances')).toEqual([200, undefined])
  expect(await groomer.denied('/cloud/data/rpt?nm=Client Balances')).toEqual([403, 'ROLE_NOT_ALLOWED'])
  const guest = (person: AppPerson): object =>
    booking(20, { cl: idAt(person, 'C', 1), pet: idAt(person, 'P', 1), svc: idAt(person, 'S', 10) })
  expect(await submitted(groomer, '/cloud/book', guest(groomer))).toEqual([403, 'ROLE_NOT_ALLOWED'])
  expect((await submitted(desk, '/cloud/book', guest(desk)))[0]).toBe(303)
  expect((await groomer.write('PATCH', `/cloud/data/pets/${idAt(groomer, 'P', 1)}/nts`, { gen: 'x' })).status).toBe(200)

  expect(await hair.denied('/cloud/data/vaxalerts')).toEqual([403, 'PET_EDITION_ONLY'])
  expect(await hair.denied('/cloud/data/rpt?nm=Pets By Breed')).toEqual([403, 'PET_EDITION_ONLY'])
  expect(await submitted(hair, '/cloud/book', guest(hair))).toEqual([403, 'PET_EDITION_ONLY'])
  const { tkt = '' } = await accepted(hair, '/cloud/book', { ...guest(hair), pet: '' })
  expect((await ticket(hair, tkt)).pet).toBeNull()
  expect(await submitted(hair, `/cloud/tkt/${tkt}/ready`)).toEqual([403, 'PET_EDITION_ONLY'])
  expect((await client(hair, idAt(hair, 'C', 1))).pets).toEqual([])
})
