import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { noteNetwork } from '../../core/oauth/networks.ts'
import { isRefusal } from '../../core/oauth/refusal.ts'
import { secretHashes } from '../../core/oauth/secrets.ts'
import { giveTokens } from '../../core/oauth/token-request.ts'
import { startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import { check, timeout } from '../properties/check.ts'
import { Visitor } from '../web/visitor.ts'
import { Program } from './flow.ts'

let gateway: Gateway
let person: Visitor
let program: Program
beforeAll(async () => {
  gateway = await startGateway({ SMTP_URL: 'smtp://127.0.0.1:1', SMTP_FROM: 'gate@example.com' })
  person = new Visitor({ url: gateway.publicUrl })
  await person.signIn({ email: 'owner@example.com', password: 'a long password' })
  program = await Program.register(gateway.publicUrl)
})
afterAll(() => gateway.stop())

const home = '192.0.2.1'
const elsewhere = '198.51.100.7'
const query = (text: string, values: unknown[] = []) => gateway.ctx.db.query(text, values)

/** Undefined: refused. */
async function refresh(token: string, ip: string): Promise<string | undefined> {
  const fields = new Map([
    ['grant_type', 'refresh_token'],
    ['refresh_token', token],
  ])
  const client = { id: program.id, secret: undefined }
  try {
    return String((await giveTokens(gateway.ctx, { client, fields, resource: undefined, ip }))['refresh_token'])
  } catch (error) {
    if (!isRefusal(error)) throw error
    expect(error.name).toBe('invalid_grant')
    return undefined
  }
}

/** One grant of its own, and its first token. */
async function begin(): Promise<{ readonly key: string; readonly token: string }> {
  // A slow machine leaves a run behind that goes on: it keeps its grant.
  await query(`UPDATE api_keys SET revoked_at = clock_timestamp() WHERE id IN (
    SELECT id FROM api_keys WHERE revoked_at IS NULL ORDER BY id DESC OFFSET 5)`)
  await query('DELETE FROM rate_limits')
  const { body } = await program.granted(person)
  const hashes = secretHashes(gateway.ctx, 'refresh', String(body['refresh_token']))
  const { rows } = await query('SELECT key FROM oauth_tokens WHERE hash = ANY ($1)', [hashes])
  const { key } = rows[0] as { key: string }
  await query('DELETE FROM oauth_networks WHERE key = $1', [key])
  return { key, token: String(body['refresh_token']) }
}

/** As if so much time had passed for the grant. */
async function pass(key: string, seconds: number): Promise<void> {
  await query('UPDATE oauth_tokens SET used_at = used_at - make_interval(secs => $2) WHERE key = $1', [key, seconds])
  await query('UPDATE oauth_networks SET seen_at = seen_at - make_interval(secs => $2) WHERE key = $1', [key, seconds])
}

async function isOpen(key: string): Promise<boolean> {
  return (await query('SELECT FROM api_keys WHERE id = $1 AND revoked_at IS NULL', [key])).rowCount === 1
}

async function liveTokens(key: string): Promise<number> {
  const { rowCount } = await query(`SELECT FROM oauth_tokens WHERE key = $1 AND kind = 'refresh' AND used_at IS NULL`, [
    key,
  ])
  return rowCount ?? 0
}

const who = fc.constantFrom(0, 1, 2)
const honestStep = fc.oneof(
  fc.record({ do: fc.constant('refresh' as const), who, stores: fc.boolean(), lost: fc.boolean() }),
  fc.record({ do: fc.constant('read' as const), who }),
  fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 20, 45, 70, 700) }),
)
type HonestStep = typeof honestStep extends fc.Arbitrary<infer T> ? T : never

/** Three processes, each with the token that it read last, and the store that they share. */
class Machine {
  readonly key: string
  store: string
  readonly held: string[]
  constructor({ key, token }: { readonly key: string; readonly token: string }) {
    this.key = key
    this.store = token
    this.held = [token, token, token]
  }

  protected present(token: string, ip: string): Promise<string | undefined> {
    return refresh(token, ip)
  }

  async step(step: HonestStep): Promise<void> {
    if (step.do === 'pass') return pass(this.key, step.seconds)
    if (step.do === 'read') {
      this.held[step.who] = this.store
      return
    }
    const next = await this.present(this.held[step.who] ?? '', home)
    if (step.lost || next === undefined) return
    this.held[step.who] = next
    if (step.stores) this.store = next
  }
}

/** The rules again, by a clock of their own. */
class Rules {
  now = 0
  ended = false
  letters = 0
  readonly used = new Map<string, number>()
  readonly seen = new Map<string, number>()

  /** Whether the token is answered with its successors. */
  allow(token: string, ip: string): boolean {
    const used = this.used.get(token)
    const isLate = used !== undefined && this.now - used >= 60
    const isElsewhere = [...this.seen].some(([other, at]) => other !== ip && this.now - at < 600)
    if (isLate && isElsewhere) {
      this.ended = true
      this.letters += 1
      this.seen.clear()
    }
    if (this.ended) return false
    this.seen.set(ip, this.now)
    if (!isLate) this.used.set(token, used ?? this.now)
    return !isLate
  }
}

const anyStep = fc.oneof(
  { weight: 6, arbitrary: honestStep },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('steal' as const), who }) },
  { weight: 3, arbitrary: fc.constant({ do: 'thief' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'revoke' as const }) },
)
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** The machine, a thief who copies what one of its processes holds, and a person who revokes. */
class World extends Machine {
  readonly rules = new Rules()
  readonly next = new Map<string, string>()
  stolen: string

  constructor(grant: { readonly key: string; readonly token: string }) {
    super(grant)
    this.stolen = grant.token
  }

  protected override async present(token: string, ip: string): Promise<string | undefined> {
    const got = await super.present(token, ip)
    expect(got !== undefined).toBe(this.rules.allow(token, ip))
    if (got !== undefined) expect(got, 'the same each time').toBe(this.next.get(token) ?? got)
    if (got !== undefined) this.next.set(token, got)
    return got
  }

  async happen(step: Step): Promise<void> {
    if (step.do === 'steal') this.stolen = this.held[step.who] ?? ''
    else if (step.do === 'thief') this.stolen = (await this.present(this.stolen, elsewhere)) ?? this.stolen
    else if (step.do === 'revoke') {
      await query('UPDATE api_keys SET revoked_at = coalesce(revoked_at, clock_timestamp()) WHERE id = $1', [this.key])
      this.rules.ended = true
    } else {
      if (step.do === 'pass') this.rules.now += step.seconds
      await this.step(step)
    }
  }
}

it('a thief and a revocation at any time: what is refused, ends the grant and is told', { timeout }, () =>
  check(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 20 }), async (steps) => {
      await query('DELETE FROM mails')
      const world = new World(await begin())
      for (const step of steps) {
        await world.happen(step)
        expect(await isOpen(world.key)).toBe(!world.rules.ended)
        expect(await liveTokens(world.key)).toBeLessThanOrEqual(1)
      }
      const { rows } = await query('SELECT kind, address FROM mails')
      const letter = { kind: 'grant.ended', address: 'owner@example.com' }
      expect(rows).toEqual(Array.from({ length: world.rules.letters }, () => letter))
    }),
    40,
  ),
)

it('processes of one machine never end their grant, whatever they lose, and one token of it is live', { timeout }, () =>
  check(
    fc.asyncProperty(fc.array(honestStep, { maxLength: 14 }), async (steps) => {
      const machine = new Machine(await begin())
      for (const step of steps) {
        await machine.step(step)
        expect(await isOpen(machine.key)).toBe(true)
        expect(await liveTokens(machine.key)).toBe(1)
      }
    }),
    40,
  ),
)

it('a thief who replays while the machine is active ends the grant, and nobody gets a token after', { timeout }, () =>
  check(
    fc.asyncProperty(fc.array(honestStep, { maxLength: 8 }), fc.constantFrom(61, 300, 590), async (steps, seconds) => {
      const first = await begin()
      const machine = new Machine(first)
      expect(await refresh(first.token, home)).toBeDefined()
      for (const step of steps) await machine.step(step)
      await pass(first.key, seconds)
      // The machine goes on calling with its access token.
      await noteNetwork(gateway.ctx.db, first.key, home)
      expect(await refresh(first.token, elsewhere)).toBeUndefined()
      expect(await isOpen(first.key)).toBe(false)
      for (const token of [machine.store, ...machine.held]) expect(await refresh(token, home)).toBeUndefined()
    }),
    25,
  ),
)

it(
  'a thief within the minute gets no second family, and is found out by the next late replay',
  { timeout },
  async () => {
    const { key, token } = await begin()
    const own = await refresh(token, home)
    expect(await refresh(token, elsewhere)).toBe(own)
    expect(await liveTokens(key)).toBe(1)
    await refresh(own ?? '', elsewhere)
    await pass(key, 61)
    expect(await refresh(own ?? '', home)).toBeUndefined()
    expect(await isOpen(key)).toBe(false)
  },
)
