import { isJson } from '../kit/content-type.ts'
import type { Endpoint } from '../runtime/app.ts'
import type { RawAnswer } from '../runtime/http.ts'
import { pathText, pathsIn, withoutPath } from './json-paths.ts'
import { withoutAttribute, withoutElements } from './markup.ts'
import type { Reads } from './reads.ts'
import type { Recording } from './recording.ts'

/** A recording with one thing removed from the answers. */
export interface Mutation {
  /** What was removed: `.tag`, `data-id of .answer`, `$.items[*].title of answer 1`. */
  readonly what: string
  readonly recording: Recording
}

/** One mutation per thing that the connector reads, likeliest signs of a change first. */
export function mutations(endpoint: Endpoint, recording: Recording, reads: Reads): readonly Mutation[] {
  const changed = (what: string, change: (answer: RawAnswer, at: number) => RawAnswer): Mutation => ({
    what,
    recording: {
      ...recording,
      steps: recording.steps.map((step, at) => ({ ...step, answer: change(step.answer, at) })),
    },
  })
  const texts = (what: string, change: (text: string) => string): Mutation =>
    changed(what, (answer) => ({ ...answer, text: change(answer.text) }))
  const picked = reads.picked.map(({ page, css, elements, attribute }) =>
    texts(attribute === undefined ? css : `${attribute} of ${css}`, (text) => {
      if (text !== page) return text
      return attribute === undefined ? withoutElements(text, elements) : withoutAttribute(text, elements, attribute)
    }),
  )
  const scripts = reads.scripts.flatMap((script) => {
    const value: unknown = JSON.parse(script)
    return pathsIn(value).map((path) =>
      texts(`${pathText(path)} of a script`, (text) =>
        text.replace(script, () => JSON.stringify(withoutPath(value, path))),
      ),
    )
  })
  const ofAnswers = recording.steps.flatMap(({ answer }, at) =>
    [...ofHeaders(answer), ...ofLocation(endpoint, answer), ...ofJson(answer)].map(([what, without]) =>
      changed(recording.steps.length === 1 ? what : `${what} of answer ${at + 1}`, (one, index) =>
        index === at ? without : one,
      ),
    ),
  )
  return [...picked, ...scripts, ...ofAnswers]
}

type Without = readonly [what: string, without: RawAnswer]

function ofHeaders(answer: RawAnswer): readonly Without[] {
  const { headers, setCookies } = answer
  return [
    ...Object.keys(headers).map((name): Without => {
      const { [name]: _, ...others } = headers
      return [`the header ${name}`, { ...answer, headers: others }]
    }),
    ...setCookies.map((line): Without => [
      `the cookie ${line.split('=', 1)[0] ?? ''}`,
      { ...answer, setCookies: setCookies.filter((one) => one !== line) },
    ]),
  ]
}

/** Parts of a redirect's location, if the endpoint reads them. */
function ofLocation({ definition }: Endpoint, answer: RawAnswer): readonly Without[] {
  const { location } = answer.headers
  if (location === undefined || definition.answer !== 'redirect' || definition.after === 'location') return []
  const [path = '', query = ''] = location.split('?', 2)
  const led = (what: string, to: string): Without => [what, { ...answer, headers: { ...answer.headers, location: to } }]
  const parts = [...new URLSearchParams(query)]
  const root = /^(?:https?:\/\/[^/]+)?\//.exec(path)?.[0] ?? '/'
  return [
    led('the path of location', query === '' ? root : `${root}?${query}`),
    ...parts.map(([name]) =>
      led(`${name} of location`, `${path}?${String(new URLSearchParams(parts.filter((one) => one[0] !== name)))}`),
    ),
  ]
}

function ofJson(answer: RawAnswer): readonly Without[] {
  if (!isJson(answer.headers['content-type'] ?? '')) return []
  let value: unknown
  try {
    value = JSON.parse(answer.text)
  } catch (error) {
    // Labelled as JSON but invalid: no fields to remove.
    if (error instanceof SyntaxError) return []
    throw error
  }
  return pathsIn(value).map((path): Without => [
    pathText(path),
    { ...answer, text: JSON.stringify(withoutPath(value, path)) },
  ])
}
