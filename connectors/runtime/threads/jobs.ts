import type { AppSession } from '../../../schemas/session.ts'
import { clean } from '../../authoring/clean/clean.ts'
import type { CleanOptions, Cleaned } from '../../authoring/clean/clean.ts'
import { isTooDeep } from '../../authoring/clean/html.ts'
import { asksForSecret } from '../../authoring/clean/asks-for-secret.ts'
import type { RawTrace } from '../../authoring/clean/raw.ts'
import { InputRejected } from '../../kit/failures.ts'
import { UnsafePath } from '../../kit/request-line.ts'
import type { Renew } from '../../kit/session-token.ts'
import { NotAgain, recordingText } from '../../recordings/recorder.ts'
import type { Recording } from '../../recordings/recording.ts'
import type { App, Endpoint } from '../app.ts'
import { exchange, renderInApp } from '../exchange.ts'
import type { Exchange, ExchangeOptions } from '../exchange.ts'
import type { CallFile } from '../file-inputs.ts'
import type { RawAnswer, send } from '../http.ts'
import { readIdentity } from '../identity.ts'
import type { Asked } from '../identity.ts'
import { Stopped } from '../outcome.ts'
import { render } from '../rendered.ts'
import type { Rendered } from '../rendered.ts'
import { renewInApp } from '../renew.ts'
import type { Renewed } from '../renew.ts'
import { requestOf } from './crossing.ts'
import type { CrossingRequest } from './crossing.ts'

/** What a job gets from its thread. */
export interface Around {
  /** Throws for a job without a source. */
  readonly app: () => App
  readonly send: typeof send
}

/** What a thread gets of an exchange; network, fence and signal stay on the main thread. */
export interface GivenExchange extends Pick<
  ExchangeOptions,
  'request' | 'input' | 'files' | 'tellsVersion' | 'session' | 'account' | 'origin' | 'timeoutMs' | 'maxBytes'
> {
  readonly endpoint: string
  readonly now: Date
  readonly cursorKey: Uint8Array
  readonly contents?: ReadonlyMap<string, Uint8Array>
}

type RenderedInApp = Awaited<ReturnType<typeof renderInApp>>

/** Everything that runs on exchange threads: author code, and parsers of apps' answers. */
export const jobs = {
  exchange: (around: Around, given: GivenExchange): Promise<Exchange> => exchange(optionsOf(around, given)),

  renderInApp: (around: Around, given: GivenExchange): Promise<RenderedInApp> => renderInApp(optionsOf(around, given)),

  /** Undefined: it cannot be rendered. */
  render(
    { app }: { readonly app: () => Pick<App, 'endpoints'> },
    { endpoint, input, origin, now, files }: GivenRender,
  ): Rendered | undefined {
    try {
      return render(named(app(), endpoint), input, { origin, anchor: null, now, before: {}, page: null, files })
    } catch (error) {
      if (error instanceof InputRejected || error instanceof UnsafePath || error instanceof Stopped) return undefined
      throw error
    }
  },

  readIdentity: (
    { app, send: ask }: Around,
    { origin, session }: { readonly origin: string; readonly session: AppSession },
  ): Promise<Asked> => readIdentity(app(), { origin }, session, ask),

  renewInApp: (
    { send: ask }: Around,
    { renew, origin, session }: { readonly renew: Renew; readonly origin: string; readonly session: AppSession },
  ): Promise<Renewed> => renewInApp(renew, { origin }, session, ask),

  accountOn: ({ app }: Around, { page }: { readonly page: string }): { id: string; label: string } | null =>
    app().signIn.who.account(page),

  clean: (_: Around, { raw, options }: { readonly raw: RawTrace; readonly options: GivenClean }): Cleaned =>
    clean(withoutTooDeep(raw), { ...options, key: Buffer.from(options.key) }),

  asksForSecret: (_: Around, { page }: { readonly page: string }): boolean => asksForSecret(page),

  async recordingText({ app }: Around, { endpoint, recording }: GivenRecording): Promise<KeptRecording> {
    try {
      const { steps, ...rest } = recording
      const read = steps.map(({ request, answer }) => ({ request: requestOf(request), answer }))
      return { recording: await recordingText(app(), named(app(), endpoint), { ...rest, steps: read }) }
    } catch (error) {
      if (error instanceof NotAgain) return { problem: error.message }
      throw error
    }
  },
}

export type Jobs = typeof jobs

interface GivenRender {
  readonly endpoint: string
  readonly input: Readonly<Record<string, unknown>>
  readonly origin: string
  readonly now: Date
  readonly files: readonly CallFile[]
}

type GivenClean = Omit<CleanOptions, 'key'> & { readonly key: Uint8Array }

interface GivenRecording {
  readonly endpoint: string
  readonly recording: Omit<Recording, 'steps'> & {
    readonly steps: readonly { readonly request: CrossingRequest; readonly answer: RawAnswer }[]
  }
}

/** An answer that is nested too deeply is stored like one that is too long: without its text. */
function withoutTooDeep(raw: RawTrace): RawTrace {
  const exchanges = raw.exchanges.map((one) => {
    const { text } = one.answer
    return text !== null && isTooDeep(text) ? { ...one, answer: { ...one.answer, text: null } } : one
  })
  return { ...raw, exchanges }
}

type KeptRecording = { readonly recording: string } | { readonly problem: string }

function optionsOf({ app, send: ask }: Around, given: GivenExchange): ExchangeOptions {
  const { cursorKey, contents, ...rest } = given
  return {
    ...rest,
    endpoint: named(app(), given.endpoint),
    cursorKey: Buffer.from(cursorKey),
    ...(contents && { contents: new Map([...contents].map(([hash, bytes]) => [hash, Buffer.from(bytes)])) }),
    send: ask,
    // The main thread has the real fence; this one only marks the write as fenced.
    fence: () => Promise.reject(new Error('a fence is asked on the main thread')),
  }
}

function named(app: Pick<App, 'endpoints'>, name: string): Endpoint {
  const endpoint = app.endpoints.get(name)
  if (endpoint === undefined) throw new Error(`the app has no ${name}`)
  return endpoint
}
