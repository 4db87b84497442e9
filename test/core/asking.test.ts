import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { expect, it } from 'vitest'
import { switchProof } from '../../core/approvals/approval.ts'
import { asksFirst, isUnproven } from '../../core/approvals/asking.ts'
import type { Secrets } from '../../config.ts'
import { letterApps } from '../web/letters.ts'

const letters = letterApps.get('letters')
const [write, read] = ['write_letter', 'list_letters'].map((name) => letters?.endpoints.get(name))
if (write === undefined || read === undefined) throw new Error('the letters have changed')

const owner = 'user_1'
const place = { owner, app: 'letters', endpoint: 'write_letter' }
const [first, second] = [randomBytes(32), randomBytes(32)]

/** A process with these approval keys, the last of which signs; `said`: what it logged. */
function processWith(approval: Readonly<Record<string, Buffer>>) {
  const said: unknown[] = []
  const log = pino({ level: 'debug' }, { write: (line) => void said.push(JSON.parse(line)) })
  const secrets: Secrets = {
    kek: new Map(),
    approval: new Map(Object.entries(approval)),
    pepper: new Map(),
    operator: first,
  }
  return {
    log,
    secrets,
    said,
    security: { note: () => undefined, flush: () => Promise.resolve(), counts: () => new Map() },
  }
}

const here = () => processWith({ k1: first })
const off = { confirm: false, proof: switchProof(here(), place) }

it('an endpoint asks as it comes where its owner never said anything, and always where they said so', () => {
  const ctx = here()
  const never = { ...write, confirm: false }
  expect([write, never].map((endpoint) => asksFirst(ctx, owner, endpoint, { confirm: null, proof: null }))).toEqual([
    true,
    false,
  ])
  expect([write, never].map((endpoint) => asksFirst(ctx, owner, endpoint, { confirm: true, proof: null }))).toEqual([
    true,
    true,
  ])
  expect(ctx.said).toEqual([])
})

it('a read never asks, whatever the switch says', () => {
  for (const confirm of [null, true, false])
    expect(asksFirst(here(), owner, read, { confirm, proof: null })).toBe(false)
})

it('asking that its owner switched off is off, and nothing is logged', () => {
  const ctx = here()
  expect(asksFirst(ctx, owner, write, off)).toBe(false)
  expect(ctx.said).toEqual([])
})

it('asking that is off without a valid proof is on, which is logged once with the place and nothing else', () => {
  const ctx = here()
  expect(asksFirst(ctx, owner, write, { confirm: false, proof: null })).toBe(true)
  expect(ctx.said).toEqual([expect.objectContaining({ level: 40, ...place })])
  expect(JSON.stringify(ctx.said)).not.toContain('proof":')
})

it('without a valid proof an endpoint that does not ask by itself goes on not asking', () => {
  expect(asksFirst(here(), owner, { ...write, confirm: false }, { confirm: false, proof: null })).toBe(false)
})

it.each([
  ['another owner', { ...place, owner: 'user_2' }],
  ['another app', { ...place, app: 'notes' }],
  ['another endpoint', { ...place, endpoint: 'write_letters' }],
])('a proof of %s proves nothing', (_, other) => {
  expect(isUnproven(here(), place, { confirm: false, proof: switchProof(here(), other) })).toBe(true)
  expect(isUnproven(here(), other, off)).toBe(true)
})

it.each([
  '',
  '.',
  'k1',
  'k1.',
  `k1.${'A'.repeat(43)}`,
  'k9.AAAA',
  '__proto__.AAAA',
  `${off.proof}A`,
  off.proof.slice(3),
])('the text “%s” proves nothing, and throws nothing', (proof) => {
  expect(isUnproven(here(), place, { confirm: false, proof })).toBe(true)
})

it('a proof holds as long as its key is in the key file, and not with another key of its name', () => {
  expect(isUnproven(processWith({ k1: first, k2: second }), place, off)).toBe(false)
  expect(isUnproven(processWith({ k2: second }), place, off)).toBe(true)
  expect(isUnproven(processWith({ k1: second }), place, off)).toBe(true)
  expect(switchProof(processWith({ k1: first, k2: second }), place)).toMatch(/^k2\./)
})
