import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { noWords } from '../../connectors/authoring/suggest/inputs.ts'
import { bodyOf } from '../../connectors/authoring/suggest/bodies.ts'
import type { Run } from '../../connectors/authoring/suggest/draft.ts'
import { cursorKey, kindProblem } from '../../connectors/recordings/recording.ts'
import type { Step } from '../../connectors/recordings/recording.ts'
import { recordingText } from '../../connectors/recordings/recorder.ts'
import { isolated } from '../../connectors/isolate/isolated.ts'
import { hashOf, loadAdded } from '../../connectors/runtime/added.ts'
import type { App, Endpoint } from '../../connectors/runtime/app.ts'
import { exchange } from '../../connectors/runtime/exchange.ts'
import type { HttpRequest, HttpResult, RawAnswer } from '../../connectors/runtime/http.ts'
import { bundle } from './bundle.ts'
import { readPackage } from './package.ts'

const root = path.join(import.meta.dirname, '../..')
const trialName = 'callgate-trial.ts'

/** A suggested endpoint in its connector, without the other endpoints, running in an isolate. */
export interface Trial extends AsyncDisposable {
  /** Runs the endpoint against the recorded answers and returns a recording. Throws on failure. */
  record(
    run: Run,
    given: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly text: string; readonly unlike: readonly string[] }>
}

/** Adds the module to a copy of the connector's folder and loads it. Throws what is wrong. */
export async function tryBlock(folder: string, file: string, code: string, name: string): Promise<Trial> {
  const copy = await mkdtemp(path.join(tmpdir(), 'callgate-trial-'))
  try {
    const isSource = (one: string): boolean =>
      !/(?:^|[/\\])(?:node_modules|recordings|\.git)$/.test(path.relative(folder, one))
    await cp(folder, copy, { recursive: true, filter: isSource })
    await writeFile(path.join(copy, file), code)
    const found = readPackage(copy)
    await writeFile(path.join(copy, trialName), trialModule(path.relative(copy, found.entry), file))
    const entry = path.join(copy, trialName)
    const made = await bundle({ entry, folder: copy }, undefined, path.join(root, 'connectors/authoring/trial-kit.ts'))
    const one = {
      slug: found.slug,
      package: found.package,
      hosts: found.hosts,
      hash: hashOf(made.code),
      trusted: [name],
    }
    const loaded = await loadAdded(one, made.code, (code) => isolated(code, { callMs: 60_000 }))
    const { app } = loaded
    const endpoint = app.endpoints.get(name)
    if (endpoint === undefined) throw new Error(`${file} exports no ${name}`)
    return {
      record: (run, given) => recordRun(app, endpoint, run, given),
      [Symbol.asyncDispose]: async () => {
        loaded.dispose()
        await rm(copy, { recursive: true })
      },
    }
  } catch (error) {
    await rm(copy, { recursive: true })
    throw error
  }
}

/** Fills in the blank fields of a draft. */
const trialModule = (entry: string, file: string): string => `import connector from ${JSON.stringify(`./${entry}`)}
import * as block from ${JSON.stringify(`./${file}`)}

const { name, description, role } = connector
export default { ...connector, name: name || '-', description: description || '-', role: role || '-', things: {}, endpoints: [block] }
`

async function recordRun(
  app: App,
  endpoint: Endpoint,
  { trace, at, exchange: own }: Run,
  given: Readonly<Record<string, unknown>>,
) {
  const parsed = endpoint.parseInput(given, { cursorKey })
  if (!parsed.ok)
    throw new Error(
      `what was typed does not fit: ${parsed.details.map((one) => `${one.path} ${one.message}`).join('; ')}`,
    )
  const steps: Step[] = []
  const unlike: string[] = []
  const used = new Set<number>()
  const answerTo = (request: HttpRequest): RawAnswer | undefined => {
    const fits = (index: number, exact: boolean): boolean => {
      const asked = trace.exchanges[index]?.request
      const url = asked && URL.parse(asked.url)
      return (
        asked?.method === request.method &&
        isAt(request.url.pathname, url?.pathname) &&
        (!exact || url?.search === request.url.search)
      )
    }
    const all = [...trace.exchanges.keys()].filter((index) => request.method === 'GET' || index === at)
    const fresh = all.filter((index) => !used.has(index))
    const found =
      fresh.find((index) => fits(index, true)) ??
      all.find((index) => fits(index, true)) ??
      fresh.find((index) => fits(index, false))
    const kept = found === undefined ? undefined : trace.exchanges[found]
    if (found === undefined || kept === undefined) return undefined
    used.add(found)
    if (kept === own) unlike.push(...differencesOf(request, own.request))
    const { 'set-cookie': cookies = '', ...headers } = kept.answer.headers
    const setCookies = cookies
      .split(/\n|,(?=\s*[\w.-]+=)/)
      .map((line) => line.trim())
      .filter(Boolean)
    return { status: kept.answer.status, headers, setCookies, text: kept.answer.text ?? '' }
  }
  const session = { cookies: cookiesOf(trace), user_agent: null }
  const now = new Date(Date.parse(trace.startedAt) + own.at)
  const send = (request: HttpRequest): Promise<HttpResult> => {
    const answer = answerTo(request)
    if (answer === undefined) throw new Error(`it asks for ${request.method} ${request.url.pathname}, which nobody did`)
    steps.push({ request, answer })
    return Promise.resolve({ kind: 'answer', sent: true, answer })
  }
  const { outcome } = await exchange({
    ...{ endpoint, session, cursorKey, now, send, input: parsed.input, origin: trace.origin },
    fence: () => Promise.resolve(true),
  })
  const problem = kindProblem('success', outcome)
  if (problem !== undefined) throw new Error(`it ended as ${JSON.stringify(outcome)}`)
  const recording = { kind: 'success', origin: trace.origin, now, session, input: given, steps, expected: outcome }
  return { text: await recordingText(app, endpoint, recording), unlike }
}

/** Whether the paths match, ignoring segments that are texts for users. */
function isAt(path: string, asked = ''): boolean {
  const [parts, there] = [path.split('/'), asked.split('/')]
  return parts.length === there.length && parts.every((part, at) => part === there[at] || part === noWords)
}

/** Names of the fields that the endpoint sends differently from the browser. */
function differencesOf(sent: HttpRequest, asked: Run['exchange']['request']): readonly string[] {
  const body = sent.body === null ? null : sent.body.toString()
  const [here, there] = [bodyOf({ ...asked, headers: sent.headers, body }), bodyOf(asked)]
  if (!('entries' in here) || !('entries' in there)) return []
  const lines = (entries: readonly (readonly [string, string])[]) =>
    entries.map(([name, value]) => `${name}=${value}`.replaceAll('\r\n', '\n'))
  const [is, was] = [lines(here.entries), lines(there.entries)]
  const names = [...is.filter((one) => !was.includes(one)), ...was.filter((one) => !is.includes(one))].map(
    (one) => one.split('=', 1)[0] ?? '',
  )
  return [...new Set(names)]
}

/** The cookies of the trace, one per name. */
function cookiesOf({ exchanges, origin, cookies = [] }: Run['trace']) {
  const pairs = exchanges.flatMap(({ request, answer }) => {
    const set = (answer.headers['set-cookie'] ?? '')
      .split(/\n|,(?=\s*[\w.-]+=)/)
      .map((line) => line.split(';', 1)[0] ?? '')
    return [...(request.headers['cookie'] ?? '').split(';'), ...set].map((pair) =>
      /^\s*([^=\s]+)=(SECRET\.[\w.-]+)\s*$/.exec(pair),
    )
  })
  const named = new Map([
    ...cookies.map(({ name, value }) => [name, value] as const),
    ...pairs.flatMap((one) => (one?.[1] !== undefined && one[2] !== undefined ? [[one[1], one[2]] as const] : [])),
  ])
  return [...named].map(([name, value]) => ({ name, value, domain: new URL(origin).hostname, path: '/' }))
}
