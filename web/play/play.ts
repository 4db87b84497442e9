import { createHash, randomBytes } from 'node:crypto'
import type Koa from 'koa'
import { listAccounts } from '../../core/accounts/accounts.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { findCall } from '../../core/calls/rows.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import { listKeys } from '../../core/keys/keys.ts'
import { openInput } from '../../core/calls/record.ts'
import { exampleOf } from '../../connectors/examples.ts'
import type { Detail, Endpoint } from '../../connectors/registry.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { limitToolCall } from '../../core/http/rate-limit.ts'
import { runCall } from '../../core/http/run-call.ts'
import type { Form } from '../form.ts'
import { inputFor } from '../calls/reads-that-show.ts'
import { knownApp } from '../parts/known-app.ts'
import { parsedInput } from '../parts/parsed-input.ts'
import { askingOf } from './asking.ts'
import { codesOf } from './code.ts'
import { fieldsOf, inputOf, readTyped, sentTwice, typedOf } from './form.ts'
import type { Typed } from './form.ts'
import { PlayPage } from './page.tsx'
import { PlacesPage } from './places.tsx'
import type { Played } from './result.tsx'
import { PageError } from '../page-error.ts'
import { replyPage } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { openedCall } from '../parts/opened-call.ts'
import { isCallId } from '../../schemas/ids.ts'

/** How long the user waits for the page, in ms. */
const waitMs = 15_000

/** All endpoints. */
export async function showPlaces({ ctx, koa, person }: Visit): Promise<void> {
  const accounts = await listAccounts(ctx, person.owner)
  const connected = accounts.map(({ app }) => app)
  const wanted = koa.URL.searchParams.get('app')
  replyPage(koa, 200, PlacesPage({ viewer: person, apps: ctx.apps.all, connected, wanted }))
}

/** The form of an endpoint, filled in with its example. */
export async function showPlay(visit: Visit<'app' | 'endpoint'>): Promise<void> {
  const endpoint = knownEndpoint(visit)
  const said = await saidBy(visit, endpoint)
  const input = said?.input ?? exampleOf(endpoint.app, endpoint.name, new Date())?.input ?? {}
  const fields = fieldsOf(endpoint)
  const asked = { typed: typedOf(fields, input), input, key: undefined, account: said?.account }
  await reply(visit, endpoint, asked)
}

/** Id of the call whose page led here; undefined: none. */
function cameFrom(koa: Koa.Context): string | undefined {
  const call = koa.URL.searchParams.get('call') ?? ''
  return isCallId(call) ? call : undefined
}

/** Input for the endpoint from one of the user's calls in the same app. */
async function saidBy({ ctx, koa, person }: Visit, endpoint: Endpoint) {
  const callId = cameFrom(koa)
  const row = callId === undefined ? undefined : await findCall(ctx.db, person.owner, callId)
  if (row?.app !== endpoint.app) return undefined
  const app = knownApp(ctx, row.app)
  const write = app.endpoints.get(row.endpoint)
  const said = openedCall(ctx, row).row
  const input = said.input === null || write === undefined ? {} : inputFor(app, write, openInput(ctx, said), endpoint)
  return { input, account: said.account }
}

/** Runs the call as an agent with one of the user's keys, or only shows it as code. */
export async function play(posted: Posted<'app' | 'endpoint'>): Promise<void> {
  const { ctx, person, form } = posted
  const endpoint = knownEndpoint(posted)
  const fields = fieldsOf(endpoint)
  const typed = readTyped(fields, form)
  const { input, bad } = inputOf(fields, typed)
  const asked: Asked = { typed, input, key: form.get('key'), account: form.get('account') || undefined }
  const runs = form.get('action') === 'run'
  const keyId = runs ? await ownKey(posted, asked.key) : undefined
  const said = [...(runs && keyId === undefined ? [noKey] : []), ...sentTwice(fields, form), ...bad]
  const parsed = parsedInput(ctx, endpoint, input)
  const wrong = parsed.ok ? [] : parsed.details
  const details = [...said, ...wrong.filter(({ path }) => said.every((one) => one.path !== path))]
  if (details.length > 0 || keyId === undefined) return reply(posted, endpoint, { ...asked, details })
  const played = await run(posted, { id: keyId, owner: person.owner }, endpoint, asked)
  await reply(posted, endpoint, { ...asked, played })
}

interface Asked {
  readonly typed: Typed
  readonly input: Readonly<Record<string, unknown>>
  /** Key id. */
  readonly key: string | undefined
  readonly account: string | undefined
  readonly details?: readonly Detail[]
  readonly played?: Played
}

async function reply({ ctx, koa, person }: Visit, endpoint: Endpoint, asked: Asked): Promise<void> {
  const { publicUrl } = ctx.config
  const app = knownApp(ctx, endpoint.app)
  const { typed, input, details = [], played } = asked
  const [keys, accounts] = await Promise.all([
    listKeys(ctx.db, person.owner),
    listAccounts(ctx, person.owner, endpoint.app),
  ])
  const account = accounts.find(({ id }) => id === asked.account) ?? accounts[0]
  const usable = keys.filter(({ valid, apps }) => valid && (apps?.includes(app.slug) ?? true))
  const chosen = usable.find(({ id }) => id === asked.key) ?? usable[0]
  const asking = await askingOf(ctx, person.owner, endpoint, accounts, chosen)
  const codeAccount = accounts.length > 1 ? account?.id : undefined
  const code = { publicUrl, endpoint, input, account: codeAccount, asks: asking !== 'never' }
  replyPage(
    koa,
    details.length > 0 ? 422 : 200,
    PlayPage({
      viewer: person,
      app,
      from: cameFrom(koa),
      endpoint,
      fields: fieldsOf(endpoint),
      typed,
      details,
      keys: usable,
      key: asked.key,
      accounts,
      account: account?.id,
      codes: details.length > 0 ? [] : codesOf(code),
      asking,
      played,
      once: randomBytes(16).toString('base64url'),
    }),
  )
}

async function ownKey({ ctx, person }: Visit, wanted: string | undefined): Promise<string | undefined> {
  return (await listKeys(ctx.db, person.owner)).find(({ id, valid }) => valid && id === wanted)?.id
}

const noKey: Detail = { path: 'Key', message: 'is not valid any more. Choose one of your keys that is.' }

async function run({ api, koa, form }: Posted, key: ApiKey, endpoint: Endpoint, asked: Asked): Promise<Played> {
  try {
    await limitToolCall(api, key)
    const parsed = parsedInput(api.ctx, endpoint, asked.input)
    if (!parsed.ok) throw new Error('an input that was checked is wrong')
    const { account } = asked
    const idempotencyKey = onceKey(form, key.id, { input: parsed.input, account })
    const answer = await runCall(api, {
      key,
      endpoint,
      address: koa.ip,
      input: parsed.input,
      account,
      idempotencyKey,
      waitMs,
    })
    return { status: answer.status, body: answer.body, answer }
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error
    return { status: error.status, body: { error: error.code, message: error.message, ...error.fields } }
  }
}

/** Idempotency key: the same form resent is the same call; with changed content it is another. */
function onceKey(form: Form, keyId: string, said: object): string {
  const once = form.get('once') ?? ''
  const content = createHash('sha256').update(canonicalJson({ keyId, ...said }))
  return `play-${/^[\w-]{22}$/.test(once) ? once : randomBytes(16).toString('base64url')}-${content.digest('base64url')}`
}

function knownEndpoint({ ctx, params }: Visit<'app' | 'endpoint'>): Endpoint {
  const endpoint = knownApp(ctx, params.app).endpoints.get(params.endpoint)
  if (endpoint === undefined) throw new PageError(404, 'No such action', 'The app has no action of this name.')
  return endpoint
}
