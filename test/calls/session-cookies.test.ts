import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { talkAs } from '../../core/accounts/in-session.ts'
import { connect, disconnect, openStoredSession, renewSession } from '../../core/accounts/sessions.ts'
import type { SealedAccount } from '../../core/accounts/sessions.ts'
import { siteOf } from '../../core/accounts/site.ts'
import type { SessionCookie } from '../../schemas/session.ts'
import type { Stack } from '../harness.ts'
import { startStackBehind } from '../support/between.ts'
import type { Between } from '../support/between.ts'
import type { Answer, TestUser } from '../support/user.ts'

const app = 'property-advertising'
const cookie = (name: string, value: string): SessionCookie => ({ name, value, domain: 'localhost', path: '/' })

describe('cookies that the app changes while two calls of an account are under way', () => {
  let between: Between
  let stack: Stack
  let stop: () => Promise<void>
  beforeAll(async () => {
    ;({ between, stack, stop } = await startStackBehind())
  })
  afterAll(() => stop())
  afterEach(() => {
    between.instead = () => Promise.resolve(false)
  })

  /** The person signs in, and the app gives these cookies beside those that the sandbox goes by. */
  async function signIn(user: TestUser, ...cookies: SessionCookie[]): Promise<void> {
    const { account: externalId, label, session } = user.account.seeded
    const more = { ...session, cookies: [...session.cookies, ...cookies] }
    expect(await connect(stack.ctx, { owner: user.id, app, externalId, label, session: more })).toBe(user.account.id)
  }

  async function signedIn(): Promise<TestUser> {
    const user = await stack.user()
    await signIn(user, cookie('sid', 'old'), cookie('flash', '1'))
    return user
  }

  /**
   * Two reads begin with the same session. The first is over before the app answers the second; what each answer sets is given. Returns
   * what the callers were told, the first one's first.
   */
  async function twoAtOnce(
    user: TestUser,
    sets: { readonly first: string[]; readonly second: string[]; readonly status?: number },
    meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<readonly Answer[]> {
    const [both, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let count = 0
    between.instead = async (_request, response) => {
      count += 1
      const isFirst = count === 1
      if (count === 2) both.resolve()
      await (isFirst ? both : goOn).promise
      for (const line of isFirst ? sets.first : sets.second) response.appendHeader('Set-Cookie', line)
      if (isFirst || sets.status === undefined) return false
      response.writeHead(sets.status, { Location: `/${app}/sign-in` }).end()
      return true
    }
    const calls = [user.call('list_listings', { limit: 1 }), user.call('list_listings', { limit: 1 })]
    const first = await Promise.race(calls)
    await meanwhile()
    goOn.resolve()
    const answers = await Promise.all(calls)
    expect(count).toBe(2)
    return [first, ...answers.filter((answer) => answer !== first)]
  }

  /** The cookies that are kept, without the sandbox's own. */
  async function kept(user: TestUser): Promise<Record<string, string> | null> {
    const session = await openStoredSession(stack.ctx, user.id, user.account.id)
    const own = user.account.seeded.session.cookies.map(({ name }) => name)
    return (
      session && Object.fromEntries(session.cookies.flatMap((c) => (own.includes(c.name) ? [] : [[c.name, c.value]])))
    )
  }

  const rowOf = async (user: TestUser) => {
    const { rows } = await stack.ctx.db.query<{
      id: string
      owner: string
      origin: string
      data_key: Buffer
      session_version: number
      state: string
    }>('SELECT id, owner, origin, data_key, session_version, state FROM accounts WHERE id = $1', [user.account.id])
    return rows[0]!
  }

  async function placeOf(user: TestUser) {
    const { rows } = await stack.ctx.db.query<SealedAccount & { session: Buffer }>(
      'SELECT id, owner, origin, data_key, session_version, session FROM accounts WHERE id = $1',
      [user.account.id],
    )
    const [account] = rows
    const known = stack.ctx.apps.get(app)
    const site = known && siteOf(stack.ctx, known, '')
    if (account === undefined || known === undefined || site === undefined) throw new Error('no account')
    return { app: known, site, account }
  }

  /** The connection breaks at this write of a session. */
  async function breaking(write: number): Promise<AsyncDisposable> {
    await stack.ctx.db.query(`
      CREATE SEQUENCE session_writes;
      CREATE FUNCTION break_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('session_writes') = ${write} THEN PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(5); END IF; RETURN NEW; END $$;
      CREATE TRIGGER break_one BEFORE UPDATE OF session ON accounts FOR EACH ROW EXECUTE FUNCTION break_one()`)
    return {
      [Symbol.asyncDispose]: async () => {
        await stack.ctx.db.query('DROP FUNCTION break_one CASCADE; DROP SEQUENCE session_writes')
      },
    }
  }

  it.each([
    ['each sets one: both are kept', ['seen=1'], ['sid=new'], { sid: 'new', flash: '1', seen: '1' }],
    ['the second deletes one: it is gone', ['seen=1'], ['flash=; Max-Age=0'], { sid: 'old', seen: '1' }],
    [
      'the second deletes what the first set anew: it stays',
      ['flash=2'],
      ['flash=; Max-Age=0'],
      { sid: 'old', flash: '2' },
    ],
    ['both set the same one: the later answer counts', ['sid=first'], ['sid=second'], { sid: 'second', flash: '1' }],
  ])('%s, and the next call sends it so', async (_, first, second, expected) => {
    const user = await signedIn()
    const everywhere = (lines: string[]) => lines.map((line) => `${line}; Path=/`)
    const answers = await twoAtOnce(user, { first: everywhere(first), second: everywhere(second) })
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await kept(user)).toEqual(expected)
    let sent: string[] = []
    between.instead = (request) => {
      sent = request.headers.cookie?.split('; ') ?? []
      return Promise.resolve(false)
    }
    expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
    const own = user.account.seeded.session.cookies.map(({ name, value }) => `${name}=${value}`)
    const others = Object.entries(expected).map(([name, value]) => `${name}=${value}`)
    expect(sent.toSorted()).toEqual([...own, ...others].toSorted())
  })

  it('an answer that says that the session is over takes nothing from the one that came of the other call', async () => {
    const user = await signedIn()
    const [first, second] = await twoAtOnce(user, {
      first: ['sid=new; Path=/'],
      second: ['sid=nobody; Path=/', 'flash=; Max-Age=0; Path=/'],
      status: 302,
    })
    expect([first?.status, second?.body['error']]).toEqual([200, 'AUTH_EXPIRED'])
    expect(await kept(user)).toEqual({ sid: 'new', flash: '1' })
    expect((await rowOf(user)).state).toBe('connected')
  })

  it('who signs in again meanwhile has the session of that sign-in, and nothing of the older one', async () => {
    const user = await signedIn()
    await twoAtOnce(user, { first: ['seen=1; Path=/'], second: ['sid=new; Path=/'] }, () =>
      signIn(user, cookie('sid', 'signed in again')),
    )
    expect(await kept(user)).toEqual({ sid: 'signed in again' })
  })

  it('who disconnects meanwhile has no session any more', async () => {
    const user = await signedIn()
    await twoAtOnce(user, { first: [], second: ['sid=new; Path=/'] }, () =>
      disconnect(stack.ctx, user.id, user.account.id),
    )
    expect(await kept(user)).toBeNull()
    expect((await rowOf(user)).state).toBe('disconnected')
  })

  it('a database connection that breaks between reading and writing loses no cookie', async () => {
    const user = await signedIn()
    await using _broken = await breaking(2)
    const answers = await twoAtOnce(user, { first: ['seen=1; Path=/'], second: ['sid=new; Path=/'] })
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { rows } = await stack.ctx.db.query<{ n: string }>('SELECT last_value AS n FROM session_writes')
    expect(rows).toEqual([{ n: '3' }])
    expect(await kept(user)).toEqual({ sid: 'new', flash: '1', seen: '1' })
  })

  it('nor does what Callgate asks for itself: a check, a preview, a request that the app helps to make', async () => {
    const user = await signedIn()
    await using _broken = await breaking(1)
    const place = await placeOf(user)
    const talked = await talkAs(stack.ctx, place, (session) =>
      Promise.resolve({
        outcome: { kind: 'ok' },
        session: { ...session, cookies: [...session.cookies, cookie('seen', '1')] },
      }),
    )
    expect(talked?.account.session_version).toBe(place.account.session_version + 1)
    expect(await kept(user)).toEqual({ sid: 'old', flash: '1', seen: '1' })
  })

  it('what was kept, although the answer that it was got lost, may be kept once more', async () => {
    const user = await signedIn()
    const [row, before] = [await rowOf(user), await openStoredSession(stack.ctx, user.id, user.account.id)]
    if (before === null) throw new Error('no session')
    const after = { ...before, cookies: before.cookies.filter(({ name }) => name !== 'flash') }
    const change = { before, after: { ...after, cookies: [...after.cookies, cookie('seen', '1')] }, over: false }
    for (let time = 0; time < 2; time++) {
      const version = await renewSession(stack.ctx, row, change)
      expect(version).toBe((await rowOf(user)).session_version)
      expect(version).toBeGreaterThan(row.session_version)
      expect(await kept(user)).toEqual({ sid: 'old', seen: '1' })
    }
  })
})
