import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchEndpoints } from '../../core/search/search.ts'
import { loadApps } from '../../connectors/registry.ts'
import { setConfirm, setScope } from '../../core/accounts/settings.ts'
import { createKey } from '../../core/keys/rows.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { Agent } from './agent.ts'

interface Question {
  readonly q: string
  /** Full sentences of people; a few words, as agents type them; with the app or its kind named. */
  readonly kind: 'sentence' | 'words' | 'named'
  /** All endpoints that are right. */
  readonly ok: readonly string[]
}

/** Written by somebody who had seen what each action does, and neither names, aliases nor the search. */
const questions = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'questions.json'), 'utf8'),
) as readonly Question[]
const apps = loadApps({ sandboxUrl: 'http://localhost:8090' }).all

/** Every other one of a kind was there to tune with: only the others are counted here. */
function measured(kind: Question['kind']): readonly Question[] {
  return questions.filter((one) => one.kind === kind).filter((_, at) => at % 2 === 1)
}

describe('the search finds what is meant', () => {
  it('its questions are many, and name what there is', () => {
    const names = new Set(apps.flatMap((app) => [...app.endpoints.keys()].map((name) => `${app.slug}/${name}`)))
    expect(questions.length).toBeGreaterThanOrEqual(300)
    expect(questions.flatMap(({ ok }) => ok).filter((name) => !names.has(name))).toEqual([])
    expect(questions.filter(({ ok }) => ok.length === 0)).toEqual([])
  })

  it.each([
    ['sentence', 70, 90],
    ['words', 85, 97],
    ['named', 85, 97],
  ] as const)('%s: at first place in %i of 100, within five in %i, in less than 20 ms', (kind, first, five) => {
    const { user, system } = process.cpuUsage()
    const places = measured(kind).map(({ q, ok }) =>
      searchEndpoints(apps, q)
        .slice(0, 5)
        .findIndex(({ endpoint }) => ok.includes(`${endpoint.app}/${endpoint.name}`)),
    )
    const used = process.cpuUsage({ user, system })
    expect((used.user + used.system) / 1000 / places.length).toBeLessThan(20)
    const share = (count: number): number => (100 * count) / places.length
    const found = [share(places.filter((at) => at === 0).length), share(places.filter((at) => at >= 0).length)]
    expect(found[0], String(found)).toBeGreaterThanOrEqual(first)
    expect(found[1], String(found)).toBeGreaterThanOrEqual(five)
  })

  it.each([
    ['a mistyped word', 'reschedle the appointment', 'reschedule_appointment'],
    ['the plural', 'list orders', 'list_orders'],
    ['one of several', 'read one order', 'get_order'],
  ])('%s', (_what, words, name) => {
    expect(searchEndpoints(apps, words)[0]?.endpoint.name).toBe(name)
  })

  it('an app of which there is an account comes first where others have the same', () => {
    const first = (connected: readonly string[]) =>
      searchEndpoints(apps, 'list reviews', { connected: new Set(connected) })[0]?.endpoint.app
    for (const app of ['camping-host', 'salon', 'tour-supplier']) expect(first([app])).toBe(app)
  })
})

describe('a hit', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ worker: false })
  })
  afterAll(() => stack.stop())

  it('says how to connect, what is not allowed and who asks first, and has its schema where it is clear', async () => {
    const user = await stack.user()
    const agent = await Agent.connect(stack.publicUrl, user.key)
    const find = async (words: string, more = {}) =>
      (await agent.use('search_actions', { words, ...more })).body['actions'] as readonly Record<string, unknown>[]
    const [own] = await find('reply to a contact who asked about my flat')
    expect(own).toMatchObject({ app: 'property-advertising', action: 'reply_to_contact', confirm: true })
    expect(own).not.toHaveProperty('connect_url')
    expect(own?.['input_schema']).toMatchObject({ type: 'object', required: ['contact_id', 'message'] })
    const [salon] = await find('block lunch break in the salon calendar', { app: 'salon-booking' })
    expect(salon).toMatchObject({
      action: 'add_blocked_time',
      connect_url: `${stack.publicUrl}/connect/salon-booking`,
    })
    const many = await find('list', { limit: 20 })
    expect(many.filter((one) => 'input_schema' in one)).toEqual([])
    const app = 'property-advertising'
    await setConfirm(stack.ctx, user.id, app, 'reply_to_contact', { confirm: false })
    await setScope(stack.ctx, user.id, app, 'read')
    const [now] = await find('reply to a contact who asked about my flat')
    expect(now).toMatchObject({ confirm: false, not_allowed: expect.stringContaining('/apps/property-advertising') })
    await agent.close()
    const { key } = await createKey(stack.ctx, { owner: user.id, name: 'narrow', apps: ['crm'] })
    const narrow = await Agent.connect(stack.publicUrl, key)
    const { body } = await narrow.use('search_actions', { words: 'list my listings', app })
    const described = await narrow.use('get_action', { app, action: 'list_listings' })
    const request_access_url = expect.stringContaining(`${stack.publicUrl}/access/${app}?key=`) as string
    for (const told of [(body['actions'] as object[])[0], described.body])
      expect(told).toMatchObject({ not_allowed: expect.stringContaining('request_access_url'), request_access_url })
    await narrow.close()
  })

  it('the words that people use find the action', async () => {
    const { key } = await stack.user({ accounts: [] })
    const agent = await Agent.connect(stack.publicUrl, key)
    const wanted: readonly [words: string, action: string][] = [
      ['book an appointment in the salon', 'create_appointment'],
      ['send invoice', 'send_invoice'],
      ['list my listings', 'list_listings'],
      ['answer someone who asked about a flat: reply', 'reply_to_contact'],
    ]
    for (const [words, action] of wanted) {
      const { body } = await agent.use('search_actions', { words, limit: 3 })
      expect([words, (body['actions'] as { action: string }[]).map((one) => one.action)]).toEqual([
        words,
        expect.arrayContaining([action]),
      ])
    }
    const all = await agent.use('search_actions', { words: '', app: 'crm', access: 'write', limit: 100 })
    expect(all.body['total']).toBe((all.body['actions'] as unknown[]).length)
    expect(new Set((all.body['actions'] as { access: string }[]).map(({ access }) => access))).toEqual(
      new Set(['write']),
    )
    await agent.close()
  })
})
