import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../core/users/rows.ts'
import { newSecret, secretHash, secretHashes } from '../../core/oauth/secrets.ts'
import { forgetOAuth } from '../../core/oauth/tokens.ts'
import { hidden } from '../../scripts/browsing.ts'
import { startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import { Visitor } from '../web/visitor.ts'
import { answered, decide, ping, pkce, Program, redirect, register } from './flow.ts'
import type { Answer } from './flow.ts'

let gateway: Gateway
let url: string
let mcp: string
let person: Visitor
let program: Program
beforeAll(async () => {
  gateway = await startGateway({ SMTP_URL: 'smtp://127.0.0.1:1', SMTP_FROM: 'gate@example.com' })
  url = gateway.publicUrl
  mcp = `${url}/mcp`
  person = await signedIn('owner@example.com')
  program = await Program.register(url)
})
afterAll(() => gateway.stop())

async function signedIn(email: string): Promise<Visitor> {
  const visitor = new Visitor({ url })
  const answer = await visitor.signIn({ email, password: 'a long password' })
  if (answer.status !== 303) throw new Error(`the sign-in answered ${answer.status}`)
  return visitor
}

/** OAuth's own addresses say a code; /mcp has it within a JSON-RPC error. */
const codeOf = ({ status, body: { error } }: Answer) => [status, dataOf(error)?.error ?? error]
const dataOf = (error: unknown) => (Object(error) as { readonly data?: { readonly error: string } }).data
const query = (text: string, values: unknown[] = []) => gateway.ctx.db.query(text, values)
/** As if so much time had passed since the refresh token was used. */
const usedAgo = (seconds: number) =>
  query('UPDATE oauth_tokens SET used_at = used_at - make_interval(secs => $1) WHERE used_at IS NOT NULL', [seconds])

describe('the way in', () => {
  it('is told to who has no valid credential, by path', async () => {
    const metadata = `${url}/.well-known/oauth-protected-resource/mcp`
    const none = await ping(mcp, undefined)
    expect(codeOf(none)).toEqual([401, 'api_key_required'])
    expect(none.headers.get('WWW-Authenticate')).toBe(`Bearer resource_metadata="${metadata}", scope="read write"`)
    for (const wrong of ['cg_live_nonsense', 'cg_oat_nonsense', 'x']) {
      const refused = await ping(mcp, wrong)
      expect(codeOf(refused)).toEqual([401, 'api_key_invalid'])
      expect(refused.headers.get('WWW-Authenticate')).toContain('error="invalid_token"')
    }
    const ofApp = await ping(`${mcp}/crm`, undefined)
    expect(ofApp.headers.get('WWW-Authenticate')).toContain(`"${metadata}/crm"`)
    const ofNone = await ping(`${mcp}/no-such-app`, undefined)
    expect(ofNone.headers.get('WWW-Authenticate')).toContain(`"${metadata}"`)
  })

  it('is described where clients look', async () => {
    const read = async (path: string) => answered(await fetch(`${url}/.well-known/${path}`))
    for (const path of ['', '/mcp', '/mcp/crm']) {
      const { status, body } = await read(`oauth-protected-resource${path}`)
      expect([status, body['resource'], body['authorization_servers']]).toEqual([200, url + (path || '/mcp'), [url]])
      expect((await read(`oauth-authorization-server${path}`)).body).toMatchObject({
        issuer: url,
        authorization_endpoint: `${url}/oauth/authorize`,
        token_endpoint: `${url}/oauth/token`,
        registration_endpoint: `${url}/oauth/register`,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: expect.arrayContaining(['none']) as unknown,
        grant_types_supported: ['authorization_code', 'refresh_token'],
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
      })
    }
    expect(codeOf(await read('oauth-protected-resource/mcp/no-such-app'))).toEqual([404, 'unknown_app'])
    for (const path of ['oauth-protected-resource/mcp/', 'oauth-authorization-server/mcp/'])
      expect((await read(path)).status).toBe(200)
    // Clients look for others, too, and go on where there is none.
    const others = ['openid-configuration', 'openid-configuration/mcp', '../mcp/.well-known/openid-configuration']
    for (const path of [...others, '../mcp/.well-known/oauth-authorization-server'])
      expect(codeOf(await read(path))).toEqual([404, 'not_found'])
  })

  it('leads to tokens that are good at that path, and nowhere else', async () => {
    const { verifier, challenge } = pkce()
    // Some clients write it with a slash at its end, here or there.
    const back = await decide(person, program.asks(challenge, { resource: `${mcp}/` }))
    expect(back.origin + back.pathname).toBe(redirect)
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['a state', url])
    const { status, headers, body } = await program.exchange(back.searchParams.get('code') ?? '', verifier, {
      resource: mcp,
    })
    expect([status, headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read write' })
    const token = body['access_token']
    for (const path of ['/mcp', '/mcp/', '/mcp?apps=crm']) expect((await ping(url + path, token)).status).toBe(200)
    const elsewhere = await ping(`${mcp}/crm`, token)
    expect(codeOf(elsewhere)).toEqual([401, 'api_key_invalid'])
    expect(elsewhere.body['error']).toMatchObject({ message: 'This token is for /mcp only.' })
    const api = await answered(
      await fetch(`${gateway.url}/calls`, { headers: { Authorization: `Bearer ${String(token)}` } }),
    )
    expect(codeOf(api)).toEqual([403, 'api_key_invalid'])
    expect(api.body['message']).toContain('API keys only')
    expect(codeOf(await ping(mcp, body['refresh_token']))).toEqual([401, 'api_key_invalid'])
  })

  it('of one app gives that app only', async () => {
    const { body } = await program.granted(person, { app: 'salon' }, { resource: `${mcp}/crm/` })
    const token = body['access_token']
    expect((await ping(`${mcp}/crm`, token)).status).toBe(200)
    expect(codeOf(await ping(mcp, token))).toEqual([401, 'api_key_invalid'])
    const { rows } = await query(`SELECT apps FROM api_keys WHERE hash IS NULL ORDER BY created_at DESC LIMIT 1`)
    expect(rows).toEqual([{ apps: ['crm'] }])
  })
})

describe('a request that cannot be granted', () => {
  const cases: readonly (readonly [string, Record<string, string | undefined>, number, string])[] = [
    ['of nobody', { client_id: 'client_nobody' }, 400, 'not registered here'],
    ['without a client', { client_id: undefined }, 400, 'client_id is missing'],
    ['that goes elsewhere', { redirect_uri: 'https://evil.example/callback' }, 400, 'not among its own'],
    ['that goes to another path', { redirect_uri: 'http://127.0.0.1:9/other' }, 400, 'not among its own'],
    ['of another kind', { response_type: 'token' }, 400, 'response_type must be code'],
    ['without PKCE', { code_challenge: undefined }, 400, 'code_challenge is missing'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 400, 'S256'],
    ['for another resource', { resource: 'https://evil.example/mcp' }, 400, 'no such resource'],
    ['for no app', { resource: 'RESOURCE/no-such-app' }, 400, 'no such resource'],
  ]
  it.each(cases)('%s is shown to the person, and sends them nowhere', async (_, other, status, words) => {
    const { resource } = other
    const given = resource === undefined ? other : { ...other, resource: resource.replace('RESOURCE', mcp) }
    const page = await person.get(program.asks(pkce().challenge, given))
    expect([page.status, page.headers.get('Location'), page.headers.get('Refresh')]).toEqual([status, null, null])
    expect(page.text).toContain(words)
    expect(page.text).not.toContain('evil.example/callback')
  })

  it('can be told to the program by the person', async () => {
    const page = await person.get(program.asks(pkce().challenge, { response_type: 'token' }))
    expect(page.text).toContain(`href="${redirect}?error=unsupported_response_type`)
  })

  it.each([
    ['http://127.0.0.1:9/callback', 'http://127.0.0.1:49152/callback'],
    ['http://localhost:8787/callback', 'http://localhost:49152/callback'],
    ['http://127.0.0.1/', 'http://127.0.0.1:59656/'],
    ['http://[::1]/callback', 'http://[::1]:49152/callback'],
  ])('that comes back to %s takes any port there', async (registered, redirect_uri) => {
    const made = await Program.register(url, { redirect_uris: [registered] })
    const back = await decide(person, made.asks(pkce().challenge, { redirect_uri }))
    expect(back.href.startsWith(`${redirect_uri}?code=`)).toBe(true)
  })

  it('may name scopes that there are not, or none; one that only reads is offered as such', async () => {
    const offered = async (scope?: string) => {
      const page = await person.get(program.asks(pkce().challenge, { scope }))
      return [...page.text.matchAll(/name="rights" value="(\w+)"/g)].map(([, rights]) => rights)
    }
    expect(await offered()).toEqual(['write', 'read'])
    expect(await offered('openid profile offline_access read write')).toEqual(['write', 'read'])
    expect(await offered('read offline_access')).toEqual(['read'])
  })

  it('is not granted by who did not sign in just now', async () => {
    const path = program.asks(pkce().challenge)
    const old = await signedIn('owner@example.com')
    const csrf = hidden((await old.get(path)).text, 'csrf')
    await query(`UPDATE web_sessions SET created_at = now() - interval '11 minutes'`)
    const request = path.slice(path.indexOf('?') + 1)
    const form = { csrf, request, decision: 'allow', rights: 'write', all: 'yes' }
    const shown = await old.get(path)
    expect(shown.status).toBe(303)
    expect(shown.headers.get('Location')).toBe(`/login?again=yes&return_to=${encodeURIComponent(path)}`)
    // A page that was open for long keeps what was ticked in it.
    const codes = async () => (await query('SELECT FROM oauth_codes')).rowCount ?? 0
    const before = await codes()
    const asked = await old.post('/oauth/authorize', form)
    expect([asked.status, asked.headers.get('Refresh'), await codes()]).toEqual([403, null, before])
    expect(asked.text).toContain('Is it you?')
    const kept = Object.fromEntries(Object.keys(form).map((name) => [name, hidden(asked.text, name)]))
    expect({ ...kept, request: kept['request']?.replaceAll('&amp;', '&') }).toEqual(form)
    const wrong = await old.post('/oauth/authorize', { ...form, again_password: 'another password' })
    expect([wrong.status, wrong.headers.get('Refresh'), await codes()]).toEqual([422, null, before])
    const granted = await old.post('/oauth/authorize', { ...form, again_password: 'a long password' })
    expect([granted.status, await codes()]).toEqual([200, before + 1])
    expect(granted.headers.get('Refresh')).toContain(`${redirect}?code=`)
    expect((await old.get(path)).status).toBe(200)
    await query(`UPDATE web_sessions SET proved_at = now() - interval '11 minutes'`)
    expect((await old.get(path)).status).toBe(303)
    const login = await old.get(`/login?again=yes&return_to=${encodeURIComponent(path)}`)
    expect(login.status).toBe(200)
    const fields = { email: 'owner@example.com', password: 'a long password', csrf: hidden(login.text, 'csrf') }
    const again = await old.post('/login', { ...fields, return_to: path })
    expect(again.headers.get('Location')).toBe(path)
    expect((await old.get(path)).status).toBe(200)
    person = await signedIn('owner@example.com')
  })

  it('is not granted by another site, or without the page’s token', async () => {
    const path = program.asks(pkce().challenge)
    const csrf = await person.csrf(path)
    const form = { request: path.slice(path.indexOf('?') + 1), decision: 'allow', rights: 'write', all: 'yes' }
    expect((await person.post('/oauth/authorize', form)).status).toBe(403)
    const foreign = await person.post('/oauth/authorize', { ...form, csrf }, { 'Sec-Fetch-Site': 'cross-site' })
    expect(foreign.status).toBe(403)
    expect((await person.post('/oauth/authorize', { ...form, csrf, all: 'no' })).status).toBe(422)
    expect((await person.post('/oauth/authorize', { ...form, csrf, decision: 'perhaps' })).status).toBe(422)
  })

  it('begins with nothing ticked and reading only, behind the guard of the confirm page', async () => {
    const path = program.asks(pkce().challenge)
    const { text } = await person.get(path)
    const checked = [...text.matchAll(/<input[^>]* checked[^>]*>/g)].map(([input]) => input)
    expect(checked).toHaveLength(1)
    expect(checked[0]).toContain('value="read"')
    expect(text).toMatch(/<script src="[^"]*approve/)
    expect(text).toContain('data-guard')
    const form = { csrf: hidden(text, 'csrf'), request: path.slice(path.indexOf('?') + 1), decision: 'allow' }
    const answer = await person.post('/oauth/authorize', form)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('Tick the apps that it may use, or all.')
  })

  it('may be declined', async () => {
    const back = await decide(person, program.asks(pkce().challenge), { decision: 'deny' })
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 'a state', iss: url })
  })
})

describe('a code', () => {
  const code = async (other: Record<string, string> = {}) => {
    const { verifier, challenge } = pkce()
    const back = await decide(person, program.asks(challenge, other))
    return { verifier, code: back.searchParams.get('code') ?? '' }
  }
  const cases: readonly (readonly [string, Record<string, string>, number, string])[] = [
    ['another verifier', { code_verifier: pkce().verifier }, 400, 'invalid_grant'],
    ['another redirect', { redirect_uri: 'http://127.0.0.1:9/other' }, 400, 'invalid_grant'],
    ['another resource', { resource: 'RESOURCE/crm' }, 400, 'invalid_target'],
    ['a resource elsewhere', { resource: 'https://evil.example/mcp' }, 400, 'invalid_target'],
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no grant type', { grant_type: '' }, 400, 'invalid_request'],
    ['no code', { code: '' }, 400, 'invalid_request'],
    ['a verifier that is none', { code_verifier: 'short' }, 400, 'invalid_request'],
    ['no client', { client_id: '' }, 400, 'invalid_request'],
    ['a client that there is not', { client_id: 'client_nobody' }, 401, 'invalid_client'],
    ['a secret that there is not', { client_secret: 'x' }, 401, 'invalid_client'],
    ['another code', { code: 'cg_oac_x' }, 400, 'invalid_grant'],
  ]
  it.each(cases)('is not exchanged with %s', async (_, other, status, error) => {
    const { code: sent, verifier } = await code()
    const { resource } = other
    const given = resource === undefined ? other : { ...other, resource: resource.replace('RESOURCE', mcp) }
    expect(codeOf(await program.exchange(sent, verifier, given))).toEqual([status, error])
  })

  it('is used up by whoever shows another verifier, or none: nobody tries twice', async () => {
    for (const code_verifier of [pkce().verifier, '']) {
      const { code: sent, verifier } = await code()
      expect(codeOf(await program.exchange(sent, verifier, { code_verifier }))).toEqual([400, 'invalid_grant'])
      expect(codeOf(await program.exchange(sent, verifier))).toEqual([400, 'invalid_grant'])
    }
  })

  it('is not exchanged by another client', async () => {
    const { code: sent, verifier } = await code()
    const other = await Program.register(url)
    expect(codeOf(await other.exchange(sent, verifier))).toEqual([400, 'invalid_grant'])
    expect((await program.exchange(sent, verifier)).status).toBe(200)
  })

  it('is good for a minute', async () => {
    const { code: sent, verifier } = await code()
    await query(`UPDATE oauth_codes SET expires_at = expires_at - interval '61 seconds' WHERE used_at IS NULL`)
    expect(codeOf(await program.exchange(sent, verifier))).toEqual([400, 'invalid_grant'])
  })

  it('is good once: sent again, what was granted with it ends', async () => {
    const { code: sent, verifier } = await code()
    const { body } = await program.exchange(sent, verifier)
    expect((await ping(mcp, body['access_token'])).status).toBe(200)
    expect(codeOf(await program.exchange(sent, verifier))).toEqual([400, 'invalid_grant'])
    expect(codeOf(await ping(mcp, body['access_token']))).toEqual([401, 'api_key_invalid'])
    expect(codeOf(await program.refresh(body['refresh_token']))).toEqual([400, 'invalid_grant'])
  })

  it('makes one grant, however many send it at once', async () => {
    const { code: sent, verifier } = await code()
    const answers = await Promise.all([1, 2, 3].map(() => program.exchange(sent, verifier)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('makes no grant beyond the number of keys that a person may have', async () => {
    await createUser(gateway.ctx, { email: 'many@example.com', password: 'a long password', plan: 'small' })
    const many = await signedIn('many@example.com')
    const { verifier, challenge } = pkce()
    const back = await decide(many, program.asks(challenge))
    await query(
      `INSERT INTO api_keys (id, owner, name, hint, line) SELECT 'grant_of_many_' || n, u.id, 'x', 'x', 'grant_of_many_' || n
       FROM users u CROSS JOIN generate_series(1, 50) n WHERE u.email = 'many@example.com'`,
    )
    const code50 = back.searchParams.get('code') ?? ''
    expect(codeOf(await program.exchange(code50, verifier))).toEqual([400, 'invalid_grant'])
    await expect(decide(many, program.asks(challenge))).rejects.toThrow('answered 422')
  })
})

describe('a refresh token', () => {
  /** As if another machine used the grant so many minutes ago. */
  const usedElsewhere = (key: unknown, minutes: number) =>
    query(
      `INSERT INTO oauth_networks SELECT key, '203.0.113.9', now() - make_interval(mins => $2) FROM oauth_tokens
       WHERE hash = ANY ($1)`,
      [secretHashes(gateway.ctx, 'refresh', String(key)), minutes],
    )

  it('gets the same successors for 60 s, from whichever process of a client presents it', async () => {
    const { body: first } = await program.granted(person)
    const all = await Promise.all([1, 2, 3].map(() => program.refresh(first['refresh_token'])))
    expect(
      new Set(all.map(({ status, body }) => [status, body['refresh_token'], body['access_token']].join())).size,
    ).toBe(1)
    const second: Answer['body'] = all[0]?.body ?? {}
    expect((await ping(mcp, second['access_token'])).status).toBe(200)
    const { body: third } = await program.refresh(second['refresh_token'])
    expect((await program.refresh(second['refresh_token'])).body['refresh_token']).toBe(third['refresh_token'])
    await query(`UPDATE oauth_tokens SET used_at = used_at - interval '40 seconds' WHERE used_at IS NOT NULL`)
    const { status, body: late } = await program.refresh(first['refresh_token'])
    expect([status, late['refresh_token']]).toEqual([200, second['refresh_token']])
    expect((await ping(mcp, late['access_token'])).status).toBe(200)
    const live = `SELECT FROM oauth_tokens t WHERE kind = 'refresh' AND used_at IS NULL AND key = (
      SELECT key FROM oauth_tokens WHERE hash = ANY ($1))`
    expect((await query(live, [secretHashes(gateway.ctx, 'refresh', String(first['refresh_token']))])).rowCount).toBe(1)
  })

  it('that comes later than that fails alone, and the grant goes on', async () => {
    const { body: first } = await program.granted(person)
    const { body: second } = await program.refresh(first['refresh_token'])
    await usedElsewhere(first['refresh_token'], 11)
    await usedAgo(61)
    expect(codeOf(await program.refresh(first['refresh_token']))).toEqual([400, 'invalid_grant'])
    expect((await ping(mcp, second['access_token'])).status).toBe(200)
    expect((await program.refresh(second['refresh_token'])).status).toBe(200)
  })

  it('that comes later, while another network uses the grant, ends it, and the user is told', async () => {
    const { body: first } = await program.granted(person)
    const { body: second } = await program.refresh(first['refresh_token'])
    await usedElsewhere(first['refresh_token'], 9)
    const { status } = await program.refresh(first['refresh_token'])
    expect(status, 'two networks alone are no theft').toBe(200)
    await usedAgo(61)
    const noted = gateway.ctx.security.counts().get('grant_ended') ?? 0
    const other = await Program.register(url)
    expect(codeOf(await other.refresh(first['refresh_token']))).toEqual([400, 'invalid_grant'])
    expect((await ping(mcp, second['access_token'])).status, 'another client ends nothing').toBe(200)
    expect(codeOf(await program.refresh(first['refresh_token']))).toEqual([400, 'invalid_grant'])
    expect(gateway.ctx.security.counts().get('grant_ended'), 'as a trace of an attack').toBe(noted + 1)
    expect(codeOf(await ping(mcp, second['access_token']))).toEqual([401, 'api_key_invalid'])
    expect(codeOf(await program.refresh(second['refresh_token']))).toEqual([400, 'invalid_grant'])
    const { rows } = await query(
      `SELECT FROM audit_log WHERE action = 'oauth.ended' AND detail::text LIKE '%another network%'`,
    )
    expect(rows).toHaveLength(1)
    const mails = await query('SELECT kind, address, detail, secret FROM mails')
    const detail = { name: 'A made-up program' }
    expect(mails.rows).toEqual([{ kind: 'grant.ended', address: 'owner@example.com', detail, secret: null }])
  })

  it('of a grant that was revoked: a mail only if it is superseded and used from two networks, and once', async () => {
    await query('DELETE FROM mails')
    const { body: first } = await program.granted(person)
    const { body: second } = await program.refresh(first['refresh_token'])
    await usedElsewhere(first['refresh_token'], 9)
    await usedAgo(61)
    await program.revoke(second['refresh_token'])
    const noted = gateway.ctx.security.counts().get('grant_ended') ?? 0
    const mails = async () => (await query('SELECT FROM mails')).rowCount
    expect(codeOf(await program.refresh(second['refresh_token']))).toEqual([400, 'invalid_grant'])
    expect(await mails()).toBe(0)
    for (let n = 0; n < 2; n++) {
      expect(codeOf(await program.refresh(first['refresh_token']))).toEqual([400, 'invalid_grant'])
      expect(await mails()).toBe(1)
    }
    expect(gateway.ctx.security.counts().get('grant_ended')).toBe(noted + 3)
  })

  it('of the release before goes on: its answers are not repeated, and one of them wins', async () => {
    const { body: first } = await program.granted(person)
    const { body: second } = await program.refresh(first['refresh_token'])
    // The release before answers with tokens that nobody can derive.
    const random = newSecret('refresh')
    const kept = secretHashes(gateway.ctx, 'refresh', String(second['refresh_token']))
    await query('UPDATE oauth_tokens SET hash = $2 WHERE hash = ANY ($1)', [
      kept,
      secretHash(gateway.ctx, 'refresh', random),
    ])
    const { body: again } = await program.refresh(first['refresh_token'])
    expect((await program.refresh(random)).status).toBe(200)
    expect(codeOf(await program.refresh(again['refresh_token']))).toEqual([400, 'invalid_grant'])
    expect((await program.refresh(random)).status).toBe(200)
  })

  it('is good for its own client, resource and time', async () => {
    const other = await Program.register(url)
    const { body } = await program.granted(person)
    const token = body['refresh_token']
    expect(codeOf(await other.refresh(token))).toEqual([400, 'invalid_grant'])
    expect(codeOf(await program.refresh(token, { resource: `${mcp}/crm` }))).toEqual([400, 'invalid_target'])
    expect(codeOf(await program.refresh(body['access_token']))).toEqual([400, 'invalid_grant'])
    await query(`UPDATE oauth_tokens SET expires_at = now() WHERE kind = 'refresh'`)
    expect(codeOf(await program.refresh(token))).toEqual([400, 'invalid_grant'])
  })

  it('refreshes an access token, which is good for an hour', async () => {
    const { body } = await program.granted(person)
    await query(`UPDATE oauth_tokens SET expires_at = now() WHERE kind = 'access'`)
    const over = await ping(mcp, body['access_token'])
    expect(codeOf(over)).toEqual([401, 'api_key_invalid'])
    expect(over.headers.get('WWW-Authenticate')).toMatch(/^Bearer resource_metadata="[^"]+", .*error="invalid_token"/)
    // Some clients say again which scopes they asked for.
    const again = { resource: mcp, scope: 'openid offline_access read write' }
    const { body: next } = await program.refresh(body['refresh_token'], again)
    expect(next).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read write' })
    expect((await ping(mcp, next['access_token'])).status).toBe(200)
  })

  it('can be given back by its client, and by nobody else', async () => {
    const other = await Program.register(url)
    const { body } = await program.granted(person)
    expect((await other.revoke(body['refresh_token'])).status).toBe(200)
    expect((await ping(mcp, body['access_token'])).status).toBe(200)
    expect((await program.revoke(body['refresh_token'])).status).toBe(200)
    expect(codeOf(await ping(mcp, body['access_token']))).toEqual([401, 'api_key_invalid'])
    expect((await program.revoke('nonsense')).status).toBe(200)
  })
})

describe('a grant', () => {
  it('stands among the keys, is revoked like one, and cannot be made a key', async () => {
    await createUser(gateway.ctx, { email: 'lister@example.com', password: 'a long password', plan: 'small' })
    const lister = await signedIn('lister@example.com')
    const named = await Program.register(url, { client_name: 'Desk <b>helper</b>' })
    const { body } = await named.granted(lister, { rights: 'read', app: 'crm' })
    expect(body['scope']).toBe('read')
    const keys = await lister.get('/keys')
    expect(keys.text).toContain('Desk &lt;b>helper&lt;/b>')
    expect(keys.text).toContain('a program on this computer')
    expect(keys.text).toMatch(/CRM · only reads/)
    expect(keys.text).not.toContain('value="rotate"')
    const id = /\/keys\/(grant_\w+)/.exec(keys.text)?.[1] ?? ''
    const csrf = hidden(keys.text, 'csrf')
    expect((await lister.post(`/keys/${id}`, { csrf, action: 'rotate', hours: '24' })).status).toBe(404)
    const csrfOfOther = await person.csrf('/keys')
    expect((await person.post(`/keys/${id}`, { csrf: csrfOfOther, action: 'revoke' })).status).toBe(404)
    expect((await ping(mcp, body['access_token'])).status).toBe(200)
    expect((await lister.post(`/keys/${id}`, { csrf, action: 'revoke' })).status).toBe(303)
    expect(codeOf(await ping(mcp, body['access_token']))).toEqual([401, 'api_key_invalid'])
    expect(codeOf(await named.refresh(body['refresh_token']))).toEqual([400, 'invalid_grant'])
    const account = await lister.get('/account')
    for (const words of ['Let a program sign in', 'A program signed in', 'Revoked a key'])
      expect(account.text).toContain(words)
  })

  it('of a client that was forgotten is told to register again', async () => {
    const gone = await Program.register(url)
    const { body } = await gone.granted(person)
    await query('DELETE FROM oauth_clients WHERE id = $1', [gone.id])
    expect(codeOf(await gone.refresh(body['refresh_token']))).toEqual([401, 'invalid_client'])
  })

  it('keeps its client; others are forgotten, with codes and tokens that are over', async () => {
    const [used, unused] = [await Program.register(url), await Program.register(url)]
    await used.granted(person)
    const age = `expires_at = expires_at - interval '8 days'`
    await query(`UPDATE oauth_clients SET ${age}`)
    await query(`UPDATE oauth_codes SET ${age}`)
    await query(`UPDATE oauth_tokens SET ${age}`)
    await forgetOAuth(gateway.ctx.db)
    const left = await query('SELECT id FROM oauth_clients WHERE id = ANY ($1)', [[used.id, unused.id]])
    expect(left.rows).toEqual([{ id: used.id }])
    expect((await query('SELECT FROM oauth_codes')).rowCount).toBe(0)
    expect((await query(`SELECT FROM oauth_tokens WHERE kind = 'access'`)).rowCount).toBe(0)
    program = await Program.register(url)
  })
})

describe('the pepper', () => {
  it('is rotated, and what was signed in with the older one goes on', async () => {
    const secretive = await Program.register(url, { token_endpoint_auth_method: 'client_secret_post' })
    const { body: public_ } = await program.granted(person)
    const { verifier, challenge } = pkce()
    const back = await decide(person, secretive.asks(challenge))
    const sent = { client_secret: secretive.secret ?? '' }
    const { body: first } = await secretive.exchange(back.searchParams.get('code') ?? '', verifier, sent)
    const ring = gateway.ctx.secrets.pepper as Map<string, Buffer>
    ring.set('k2', randomBytes(32))
    expect((await ping(mcp, first['access_token'])).status).toBe(200)
    const again = { grant_type: 'refresh_token', refresh_token: String(first['refresh_token']), ...sent }
    const { status, body: second } = await secretive.token(again)
    expect(status).toBe(200)
    expect((await person.get('/keys')).status).toBe(200)
    expect((await program.refresh(public_['refresh_token'])).status).toBe(200)

    ring.delete('k1')
    expect((await ping(mcp, second['access_token'])).status).toBe(200)
    expect(codeOf(await ping(mcp, first['access_token']))).toEqual([401, 'api_key_invalid'])
    person = await signedIn('owner@example.com')
    program = await Program.register(url)
  })
})

describe('a registration', () => {
  const bad: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['without an address', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['to plain http elsewhere', { redirect_uris: ['http://example.com/callback'] }, 'invalid_redirect_uri'],
    ['to a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['to a script with slashes', { redirect_uris: ['javascript://x/%0aalert(1)'] }, 'invalid_redirect_uri'],
    ['to data', { redirect_uris: ['data:text/html,x'] }, 'invalid_redirect_uri'],
    ['with a fragment', { redirect_uris: ['https://example.com/#x'] }, 'invalid_redirect_uri'],
    ['with a password', { redirect_uris: ['https://a:b@example.com/'] }, 'invalid_redirect_uri'],
    ['with spaces', { redirect_uris: ['https://example.com/ x'] }, 'invalid_redirect_uri'],
    ...[
      'ms-msdt:/id',
      'search-ms:/x',
      'shell:/x',
      'smb://host/x',
      'ssh://host/x',
      'file:///x',
      'intent://x',
      'unknown:/x',
      'microsoft.windows.camera:/x',
      'com.example.app:x',
      'com.example.app://a:b@x/',
      'https://*.example.com/x',
      'https://@example.com/',
      'https:example.com',
      'https://ex\u00e4mple.com/',
      'https://example.com\\@evil.com/',
      'http://localhost.example.com/',
      'ms-msdt.:/x',
    ].map((uri): (typeof bad)[number] => [`to ${uri}`, { redirect_uris: [uri] }, 'invalid_redirect_uri']),
    ['of no list', { redirect_uris: 'https://example.com/' }, 'invalid_redirect_uri'],
    ['with another method', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    ['for another flow', { grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
  ]
  it.each(bad)('%s is refused', async (_, metadata, error) => {
    expect(codeOf(await register(url, metadata))).toEqual([400, error])
  })

  it.each([
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback',
    'https://chatgpt.com/connector/oauth/abc123',
    'https://chatgpt.com/connector_platform_oauth_redirect',
    'https://vscode.dev/redirect',
    'https://www.cursor.com/agents/mcp/oauth/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate',
    'com.example.app:/x',
  ])('may name %s, exactly which the person goes back to', async (uri) => {
    const made = await Program.register(url, { redirect_uris: [uri] })
    const back = await decide(person, made.asks(pkce().challenge, { redirect_uri: uri }))
    expect(back.href.startsWith(`${uri}?code=`)).toBe(true)
    const wrong = await person.get(made.asks(pkce().challenge, { redirect_uri: `${uri}/more` }))
    expect(wrong.status).toBe(400)
  })

  it('from before with a refused scheme keeps its grants, and gets no new ones', async () => {
    const old = await Program.register(url)
    const { body } = await old.granted(person)
    await query('UPDATE oauth_clients SET redirect_uris = $2 WHERE id = $1', [old.id, ['ms-msdt:/id']])
    const shown = await person.get(old.asks(pkce().challenge, { redirect_uri: 'ms-msdt:/id' }))
    expect(shown.status).toBe(400)
    expect(shown.text).toContain('not ms-msdt:')
    expect((await old.refresh(body['refresh_token'])).status).toBe(200)
  })

  it('echoes what clients look for, and gives a secret to who wants one', async () => {
    const { status, body } = await register(url, { token_endpoint_auth_method: 'client_secret_basic' })
    expect([status, body['client_secret_expires_at']]).toEqual([201, 0])
    expect(body).toMatchObject({
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'client_secret_basic',
    })
    const [id, secret] = [String(body['client_id']), String(body['client_secret'])]
    const open = new Program(url, id)
    const { verifier, challenge } = pkce()
    const back = await decide(person, open.asks(challenge))
    const code = back.searchParams.get('code') ?? ''
    expect(codeOf(await open.exchange(code, verifier))).toEqual([401, 'invalid_client'])
    expect(codeOf(await open.exchange(code, verifier, { client_secret: 'x' }))).toEqual([401, 'invalid_client'])
    const basic = { Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }
    const fields = { grant_type: 'authorization_code', code, code_verifier: verifier }
    expect((await open.token(fields, basic)).status).toBe(200)
    const twice = new URLSearchParams([
      ['client_id', id],
      ['client_id', id],
    ])
    const doubled = await answered(await fetch(`${url}/oauth/token`, { method: 'POST', body: twice }))
    expect(codeOf(doubled)).toEqual([400, 'invalid_request'])
  })

  it('keeps no secret as it is', async () => {
    const secret = await Program.register(url, { token_endpoint_auth_method: 'client_secret_post' })
    const { body } = await secret.granted(person)
    const stored = await query(
      `SELECT (SELECT string_agg(c::text, '') FROM oauth_clients c) || (SELECT string_agg(c::text, '') FROM oauth_codes c)
         || (SELECT string_agg(t::text, '') FROM oauth_tokens t) AS all`,
    )
    const { all } = stored.rows[0] as { all: string }
    for (const each of [secret.secret, body['access_token'], body['refresh_token']]) {
      expect(String(each)).toMatch(/^cg_o/)
      expect(all).not.toContain(Buffer.from(String(each)).toString('hex'))
      expect(all).not.toContain(String(each))
    }
  })

  it('is let in 60 times an hour from one address', async () => {
    await query(`UPDATE rate_limits SET hits = '{}'`)
    const another = await gateway.another()
    let last = 201
    for (let i = 0; i < 61; i++) last = (await register(another.publicUrl)).status
    expect(last).toBe(429)
    await query(`UPDATE rate_limits SET hits = '{}'`)
  })
})
