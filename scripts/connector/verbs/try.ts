import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Callgate, EndpointId } from '../../../client/callgate.ts'
import type { CallRecord } from '../../../client/records.ts'
import { CallgateError } from '../../../client/errors.ts'
import { isFields } from '../../../connectors/kit/wire.ts'
import { tryKey } from '../../../core/connectors/tries.ts'
import type { Try } from '../../../core/connectors/tries.ts'
import { NotSent, record, saveRecording } from '../../../connectors/recordings/record.ts'
import { readRecording } from '../../../connectors/recordings/read.ts'
import { kindProblem, kinds } from '../../../connectors/recordings/recording.ts'
import { Reads } from '../../../connectors/recordings/reads.ts'
import { open } from '../look.ts'
import type { Opened } from '../look.ts'
import { authorsClient, isServed } from '../served.ts'
import { plain, story } from '../story.ts'
import { WrongUsage, askFor } from '../verb.ts'
import type { Given, Verb } from '../verb.ts'
import { openWatched } from '../watched.ts'

export const tryOut: Verb = {
  name: 'try',
  about: [
    'one call through the whole gateway, with your key (CALLGATE_API_KEY, or that of npm start) and your account:',
    'what came of it, and what each rule found; input is JSON',
  ],
  words: [{ name: 'folder' }, { name: 'endpoint' }, { name: 'input', isOptional: true, isJson: true }],
  options: {
    account: { type: 'string', takes: 'ID', about: 'which of several accounts' },
    keep: {
      ...{ type: 'string', takes: 'KIND' },
      about: `keeps it as recordings/<endpoint>/<kind>.http: ${kinds.join(', ')}, or another word`,
    },
    name: { type: 'string', takes: 'FILE', about: 'with --keep: another file than the kind' },
    'no-wait': { type: 'boolean', about: 'do not wait for a person' },
    'go-on': { type: 'string', takes: 'ID', about: 'with a try that waited for a person, of the same input' },
    'signed-out': { type: 'boolean', about: 'without any session and without the gateway; a write is not sent then' },
    origin: { type: 'string', takes: 'URL', about: 'with --signed-out: the address of an app that has several' },
  },
  tool: { always: { 'no-wait': true } },
  async run(given) {
    const [folder = '', name = '', input = '{}'] = given.words
    using opened = await open(path.resolve(folder))
    if (!opened.app.endpoints.has(name)) throw new Error(`${opened.slug} has no endpoint ${name}`)
    const wanted = { opened, name, input: inputOf(input) }
    return await (given.options['signed-out'] === true ? signedOut : throughGateway)(given, wanted)
  },
}

interface Wanted {
  readonly opened: Opened
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

function inputOf(text: string): Wanted['input'] {
  try {
    const value: unknown = JSON.parse(text)
    if (isFields(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new WrongUsage(`The input is no JSON object: ${plain(text)}`)
}

async function throughGateway(given: Given, { opened, name, input }: Wanted): Promise<number> {
  const { say, options } = given
  const { slug } = opened
  await isServed(given, opened)
  const client = authorsClient()
  const goOn = options['go-on']
  const id = typeof goOn === 'string' ? goOn : await begin(given, slug, name)
  const made = await calling(given, client, `${slug}.${name}` as EndpointId, input, id)
  if ('waits' in made) {
    say(`${made.waits} Then the same again, with --go-on ${id}.`)
    return 0
  }
  say(endOf(made))
  const { recording, problem } = await keptOf(given, slug, id)
  if (problem !== undefined) say(`What was said with the app was not kept: ${problem}`)
  if (recording === undefined) return isDone(made) ? 0 : 1
  say('')
  await tellStory(opened, name, recording, say)
  if (typeof options['keep'] === 'string') await keep(given, { opened, name, input }, recording, options['keep'])
  return isDone(made) ? 0 : 1
}

async function begin(given: Given, slug: string, endpoint: string): Promise<string> {
  return (await askFor<{ id: string }>(given, 'POST', `/connectors/${slug}/tries`, { endpoint })).id
}

type Made = { readonly record: CallRecord } | { readonly refused: CallgateError }

const isDone = (made: Made): boolean => 'record' in made && made.record.status === 'executed'

/** Makes or resumes the trial call by its idempotency key. `waits`: what for, under --no-wait. */
async function calling(
  { say, options, signal }: Given,
  client: Callgate,
  endpoint: EndpointId,
  input: Wanted['input'],
  id: string,
): Promise<Made | { readonly waits: string }> {
  const { account } = options
  const waits = options['no-wait'] !== true
  try {
    const call = await client.call(endpoint, input, {
      ...{ idempotencyKey: tryKey(id), signal },
      ...(typeof account === 'string' && { account }),
    })
    if (call.status === 'awaiting_confirmation') {
      const asks = `It waits for a person, and nothing has been sent. Open this and decide: ${call.confirmUrl}`
      if (!waits) return { waits: asks }
      say(asks)
    } else if (call.status === 'running' && !waits) return { waits: `It still runs (${call.callId}).` }
    return { record: await client.waitForEnd(call.callId, { signal }) }
  } catch (error) {
    if (error instanceof CallgateError) return { refused: error }
    throw error
  }
}

function endOf(made: Made): string {
  if ('refused' in made) {
    const { code, message, link, body } = made.refused
    const app =
      typeof body['app_message'] === 'string'
        ? ` (${plain(String(body['app_code']))}: ${plain(body['app_message'], 300)})`
        : ''
    const details = body['details'] === undefined ? '' : ` ${plain(JSON.stringify(body['details']), 500)}`
    return `✗ ${code}: ${message}${app}${details}${link === undefined ? '' : ` ${link}`}`
  }
  const { status, call_id: id, error } = made.record
  if (status === 'executed') return `✓ executed (${id})`
  return `✗ ${status} (${id})${error === undefined ? '' : `: ${plain(JSON.stringify(error), 500)}`}`
}

/** A call refused before it reached the app leaves no trace; others store one before they end. */
async function keptOf(given: Given, slug: string, id: string): Promise<Try> {
  for (let look = 0; ; look++) {
    const kept = await askFor<Try>(given, 'GET', `/connectors/${slug}/tries/${id}`)
    if (kept.recording !== undefined || kept.problem !== undefined || look === 4) return kept
    await pause(200)
  }
}

async function tellStory(opened: Opened, name: string, recording: string, say: Given['say']): Promise<void> {
  const reads = new Reads()
  using watched = await openWatched(opened, reads)
  const endpoint = watched.app.endpoints.get(name)
  if (endpoint === undefined) throw new Error(`${name} is not there any more`)
  for (const line of await story(endpoint, reads, readRecording(recording))) say(line)
}

async function keep({ say, options }: Given, { opened, name }: Wanted, recording: string, kind: string): Promise<void> {
  if (!/^[a-z][a-z0-9_]*$/.test(kind)) throw new WrongUsage(`--keep takes a word such as ${kinds.join(', ')}`)
  const problem = kindProblem(kind, readRecording(recording).expected)
  if (problem !== undefined) throw new Error(`It was not kept: ${problem}`)
  const file = typeof options['name'] === 'string' ? options['name'] : kind.replaceAll('_', '-')
  if (!/^[\w-]+$/.test(file)) throw new WrongUsage('--name takes letters, digits and dashes')
  await saveRecording(opened.folder, name, file, recording.replace(/^kind: .*$/m, `kind: ${kind}`))
  say('')
  say(`Kept as recordings/${name}/${file}.http. Look through it: what people wrote stands there as they wrote it.`)
}

async function signedOut(given: Given, { opened, name, input }: Wanted): Promise<number> {
  const { say, options } = given
  const { app } = opened
  const endpoint = app.endpoints.get(name)
  const origin = typeof options['origin'] === 'string' ? options['origin'] : app.origin
  if (typeof origin !== 'string')
    throw new WrongUsage(`${opened.slug} has an address for each account: say one with --origin`)
  if (endpoint === undefined) throw new Error(`${name} is not there any more`)
  const session = { cookies: [], user_agent: null }
  const kind = 'signed_out'
  try {
    const { text } = await record({ app, endpoint, input, session, site: { origin }, kind, mayAct: false })
    await tellStory(opened, name, text, say)
    if (options['keep'] !== undefined) await keep(given, { opened, name, input }, text, kind)
    return 0
  } catch (error) {
    if (!(error instanceof NotSent)) throw error
    throw new Error(
      `${error.message}: nothing that is read before says that nobody is signed in. Say in recordings/declared.json why there is no signed_out.`,
      { cause: error },
    )
  }
}
