import { stripVTControlCharacters } from 'node:util'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { textsOf } from '../../connectors/recordings/markup.ts'
import type { Reads } from '../../connectors/recordings/reads.ts'
import type { Recording, Step } from '../../connectors/recordings/recording.ts'
import { replay } from '../../connectors/recordings/replay.ts'

const longest = 60

/**
 * Replays a recording and lists, for the author, the requests and what each rule matched.
 * `watched`: the endpoint wrapped so that it reports to `reads`.
 */
export async function story(watched: Endpoint, reads: Reads, recording: Recording): Promise<readonly string[]> {
  reads.forget()
  const { outcome } = await replay(watched, recording)
  const steps = recording.steps.map((step, at) => `${String(at + 1).padStart(3)}  ${asked(step)}`)
  const found = reads.all.map(({ page, css, elements, attribute }) => {
    const values = textsOf(page, elements, attribute)
    const what = attribute === undefined ? css : `${attribute} of ${css}`
    const shown = values.slice(0, 2).map((value) => `"${plain(value)}"`)
    return values.length === 0
      ? `  ✗  ${plain(what)}: not there`
      : `  ✓  ${plain(what)}: ${values.length === 1 ? '' : `${values.length} of them, `}${shown.join(', ')}`
  })
  const scripts = reads.scripts.map((text) => `  ✓  JSON of a script: ${plain(text)}`)
  const output = outcome?.kind === 'ok' ? Object.entries(outcome.output).map(([name, value]) => field(name, value)) : []
  return [
    ...steps,
    ...(found.length + scripts.length > 0 ? ['read', ...found, ...scripts] : []),
    ...(output.length > 0 ? ['output', ...output] : []),
  ]
}

function asked({ request, answer }: Step): string {
  const { location, 'content-type': type = 'no type' } = answer.headers
  const led = location === undefined ? '' : ` → ${plain(location)}`
  const cookies = answer.setCookies.map((line) => line.split('=', 1)[0] ?? '')
  const set = cookies.length === 0 ? '' : `, sets ${plain(cookies.join(', '))}`
  const { pathname, search } = request.url
  const what = `${request.method} ${plain(pathname + search)}`
  return `${what}   ${answer.status}${led}, ${plain(type)}, ${answer.text.length} characters${set}`
}

function field(name: string, value: unknown): string {
  if (Array.isArray(value)) {
    const [first] = value as unknown[]
    const entry = value.length === 0 ? '' : `, the first ${plain(JSON.stringify(first), 200)}`
    return `     ${name}: ${value.length} of them${entry}`
  }
  return `     ${name}: ${plain(isFields(value) ? JSON.stringify(value) : String(value), 200)}`
}

/** Text from a page as one short line, without terminal control characters. */
export function plain(text: string, most = longest): string {
  const line = stripVTControlCharacters(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '·')
    .trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}
