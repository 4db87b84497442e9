import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { day, lustra, type Lustra, type Person, type Visit } from './salon-booking-salon.ts'

let run: Lustra
let person: Person
beforeAll(async () => {
  run = await lustra()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  person = await run.newcomer()
})

interface Profile {
  guest: string
  full_name: string
  mail: string | null
  mobile: string | null
  branch: string
  ads: { mail: boolean; text: boolean }
  sensitivities: string[]
  jottings: { text: string; by: string; written_local: string; tz: string }[]
  ahead: { visit: string; begin_local: string }[]
  behind: { visit: string; begin_local: string; state: { code: string } }[]
}

test('a guest is added as told, may have no address, and is in the book once', async () => {
  const { branches } = await person.read<{ branches: { branch: string }[] }>('/setup')
  const body = {
    full_name: 'Нина Óskarsdóttir',
    mail: 'Nina@Post.example',
    mobile: '+354 555 0199',
    branch: branches[2]!.branch,
    mail_ads: true,
    sensitivities: ['latex', 'פורמלדהיד'],
  }
  const added_ = await person.write('/guests', body)
  expect(added_.status).toBe(201)
  const profile = (await added_.json()) as Profile
  const { mail_ads: _, ...shown } = body
  const empty = { jottings: [], ahead: [], behind: [] }
  const ads = { mail: true, text: false }
  expect(profile).toEqual({ ...shown, mail: 'nina@post.example', ads, ...empty, guest: profile.guest })
  expect(await person.read(`/guests/${profile.guest}`)).toEqual(profile)
  expect(await person.read('/guests?q=oskarsdottir')).toMatchObject({ total: 1, rows: [{ last_seen: null }] })
  expect(await person.refused('/guests', { ...body, mail: 'nina@POST.example' })).toEqual([422, 'GUEST_EXISTS'])
  const bare = (await (await person.write('/guests', { full_name: 'Bo' })).json()) as Profile
  expect(bare).toMatchObject({ mail: null, mobile: null, branch: branches[0]!.branch, ads: { mail: false } })
  const cases: [Record<string, unknown>, string][] = [
    [{}, 'TEXT_REQUIRED'],
    [{ full_name: '  ' }, 'TEXT_INVALID'],
    [{ full_name: 'x'.repeat(121) }, 'TEXT_TOO_LONG'],
    [{ full_name: 'x', mail: 'x@y' }, 'MAIL_INVALID'],
    [{ full_name: 'x', mobile: 'call me' }, 'MOBILE_INVALID'],
    [{ full_name: 'x', branch: 'x' }, 'BRANCH_UNKNOWN'],
    [{ full_name: 'x', text_ads: 1 }, 'FLAG_INVALID'],
    [{ full_name: 'x', sensitivities: 'latex' }, 'LIST_INVALID'],
    [{ full_name: 'x', sensitivities: Array.from({ length: 21 }, () => 'x') }, 'LIST_TOO_LONG'],
    [{ full_name: 'x', card: '4111' }, 'FIELD_UNKNOWN'],
  ]
  for (const [wrong, code] of cases)
    expect([code, ...(await person.refused('/guests', wrong))]).toEqual([code, 422, code])
  const [first, second] = await run.effects(person)
  expect([first?.action, second?.action]).toEqual(['guest.add', 'guest.add'])
  expect(first?.body).toMatchObject({ full_name: body.full_name, mail: 'nina@post.example', text_ads: false })
  expect(await run.effects(person)).toHaveLength(2)
})

test('a jotting is stored as written, newest first, with who and when', async () => {
  const [{ guest }] = (await person.read<{ rows: [Profile] }>('/guests?q=guest.&limit=1')).rows
  const text = `Uses <b>oil</b>\nשמן\n${'x'.repeat(1980)}`
  const made = await person.write(`/guests/${guest}/jottings`, { text })
  expect(made.status).toBe(201)
  const { jottings } = await person.read<Profile>(`/guests/${guest}`)
  expect(jottings[0]).toEqual(await made.json())
  expect(jottings[0]).toMatchObject({ text, by: expect.stringMatching(/^Person/) })
  expect(jottings[0]?.written_local).toMatch(/^\d{4}\/\d\d\/\d\d \d\d:\d\d$/)
  expect(await person.refused(`/guests/${guest}/jottings`, { text: 'x'.repeat(2001) })).toEqual([422, 'TEXT_TOO_LONG'])
  expect(await person.refused(`/guests/${guest}/jottings`, { text: '' })).toEqual([422, 'TEXT_REQUIRED'])
  expect(await person.refused('/guests/x/jottings', { text: 'x' })).toEqual([404, 'GUEST_NOT_FOUND'])
  expect(await run.effects(person)).toMatchObject([{ action: 'guest.jot', body: { guest, text } }])
})

test('a profile has every visit of the guest, latest first: what is ahead apart from what is behind', async () => {
  const all = await person.readOn<Visit>(`/visits?first_day=${day(-500)}&last_day=${day(60)}`, 200)
  const counts = new Map<string, number>()
  for (const { guest } of all) counts.set(guest.guest, (counts.get(guest.guest) ?? 0) + 1)
  const [[busiest, size]] = [...counts].toSorted((a, b) => b[1] - a[1]) as [[string, number]]
  expect(size).toBeGreaterThan(30)
  const { ahead, behind } = await person.read<Profile>(`/guests/${busiest}`)
  const mine = all.filter(({ guest }) => guest.guest === busiest).map(({ visit }) => visit)
  expect([...ahead, ...behind].map(({ visit }) => visit).toSorted()).toEqual(mine.toSorted())
  for (const list of [ahead, behind]) {
    const days = list.map(({ begin_local }) => begin_local.slice(0, 10))
    expect(days).toEqual(days.toSorted().toReversed())
    expect(days.length).toBeGreaterThan(3)
  }
  expect(ahead.every(({ begin_local }) => begin_local.slice(0, 10) >= day(-1))).toBe(true)
  const [next] = ahead
  await person.write(`/visits/${next!.visit}/call-off`, { reason: 'Salon closed' })
  const after = await person.read<Profile>(`/guests/${busiest}`)
  expect(after.ahead).toEqual(ahead.slice(1))
  expect(after.behind.find(({ visit }) => visit === next!.visit)?.state.code).toBe('called_off')
})
