import type { Decision, Draft, InputDraft } from './draft.ts'
import { noWords } from './inputs.ts'
import { labelOf, property, quoted } from './literal.ts'
import { tidy, withoutTexts } from './tidy.ts'

/** The author's decisions so far. */
export interface Decided {
  readonly reads?: boolean
  readonly reaches?: 'people' | 'nobody'
  readonly effect?: 'adds' | 'changes' | 'removes'
}

export interface Block {
  /** The module: imports and one endpoint. */
  readonly code: string
  /** Open questions, with their line in the module. */
  readonly decisions: readonly { readonly line: number; readonly question: string; readonly isOpen: boolean }[]
}

const questions = {
  reads: 'does it only read, and change nothing in the app? Then it is read',
  reaches: 'does anybody else see or get something of it? true: it waits for approval, false: nobody',
  effect: 'what does it do to what the account has? adds, changes or removes',
}

const kit =
  'NullableText Type UnknownShape asField closed cookieToken day endpoint fields flag formToken freeText headerToken id jsonScript jsonToken labelled ledTo metaContent nextCursor nullableText number oneOf refTo rows select text undecided'.split(
    ' ',
  )

/** The module of an endpoint. Open decisions appear as `undecided`. */
export function blockOf(draft: Draft, decided: Decided): Block {
  const { asking, reading, name } = draft
  const isRead = asking.method === 'GET' || decided.reads === true
  const open = (question: string): string => `undecided(${quoted(question)})`
  const access = isRead ? (decided.reads === true ? quoted('read') : open(questions.reads)) : quoted('write')
  const reaches = decided.reaches === undefined ? open(questions.reaches) : String(decided.reaches === 'people')
  const required = asking.inputs.filter((one) => one.required)
  const inputs = [
    ...asking.inputs.map((one) => `${one.name}: ${schemaOf(one)}`),
    ...(reading.cursor === undefined ? [] : ['cursor']),
  ]
  const fields: (readonly [string, string])[] = [
    ['summary', quoted(`${labelOf(name)}.`)],
    ['label', quoted(labelOf(name))],
    [
      'brief',
      `[${(required.length > 0 ? required : asking.inputs)
        .slice(0, 2)
        .map((one) => quoted(one.name))
        .join(', ')}]`,
    ],
    ...(isRead
      ? []
      : ([
          ['effect', decided.effect === undefined ? open(questions.effect) : quoted(decided.effect)],
          ['shownBy', '[]'],
        ] as const)),
    ['access', access],
    ...(isRead ? [] : ([['confirm', reaches]] as const)),
    ['request', quoted(`${asking.method} ${asking.path}`)],
    ...(asking.segments.length === 0 ? [] : ([['segments', `{ ${asking.segments.join(', ')} }`]] as const)),
    ['input', inputs.length === 0 ? '{}' : broken(inputs)],
    [
      'output',
      reading.outputs.length === 0
        ? '{}'
        : broken(reading.outputs.map((one) => (one.schema === one.name ? one.name : `${one.name}: ${one.schema}`))),
    ],
    ...asking.fields,
    ...(reading.answer === 'json' ? [] : ([['answer', quoted(reading.answer)]] as const)),
    ['decode', decodeOf(draft)],
  ]
  const body = fields
    .map(([field, code]) => `  ${field}: ${code.includes('\n') ? code : tidy(code, 2, field.length + 2)},`)
    .join('\n')
  const block = `export const ${name} = endpoint({\n${body}\n})\n`
  const helper = /\blist\(/.test(withoutTexts(block)) ? `\n${listHelper}` : ''
  const called = withoutTexts(block + helper)
  // A function's name may also be an input's, so only calls and arguments count.
  const used = (one: string): boolean =>
    new RegExp(`(?<![\\w.$])${one}${/^[A-Z]|^(?:nextCursor|freeText)$/.test(one) ? '(?![\\w$]|:)' : '(?=[()])'}`).test(
      called,
    )
  const imports = [...kit.filter(used), ...(reading.cursor === undefined ? [] : ['cursor'])].toSorted()
  const code = `${importOf(imports)}\n\n${block}${helper}`
  return {
    code,
    decisions: placed(code, [...opened(code), ...asking.decisions, ...reading.decisions, ...usual(isRead)]),
  }
}

const listHelper = `function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnknownShape('not a list', value)
  return value
}
`

function importOf(names: readonly string[]): string {
  const line = `import { ${names.join(', ')} } from '@callgate/kit'`
  return line.length <= 120 ? line : `import {\n${names.map((name) => `  ${name},`).join('\n')}\n} from '@callgate/kit'`
}

function schemaOf({ label, schema, required }: InputDraft): string {
  return `labelled(${quoted(label)}, ${required ? schema : `Type.Optional(${schema})`})`
}

const broken = (parts: readonly string[]): string =>
  `{\n${parts.map((part) => `    ${tidy(part, 4)},`).join('\n')}\n  }`

function decodeOf({ reading }: Draft): string {
  const { lines, outputs } = reading
  const given = outputs.map(({ name, value }) => property(name, value))
  const called = withoutTexts([...lines, ...outputs.map(({ value }) => value)].join('\n'))
  const uses = (name: string): boolean => new RegExp(`(?<![\\w.$])${name}(?![\\w$])`).test(called)
  const context = ['input', 'page', 'location', 'cursor'].filter(uses)
  const answer = uses('answer') ? 'answer' : '_answer'
  const args = context.length > 0 ? `${answer}, { ${context.join(', ')} }` : uses('answer') ? 'answer' : ''
  const object = given.length === 0 ? '{}' : `{\n${given.map((one) => `    ${tidy(one, 4)},`).join('\n')}\n  }`
  if (lines.length === 0) return `(${args}) => (${object})`
  return `(${args}) => {\n${lines.map((line) => `    ${line}`).join('\n')}\n    return ${object.replaceAll('\n', '\n  ')}\n  }`
}

/** The decisions marked as `undecided` in the code. */
function opened(code: string): readonly Decision[] {
  return Object.values(questions)
    .filter((question) => code.includes(quoted(question)))
    .map((question) => ({ at: quoted(question), question }))
}

function usual(isRead: boolean): readonly Decision[] {
  const asked = { at: 'summary:', question: 'Say in a sentence what it does, as an agent has to know it.' }
  if (isRead) return [asked]
  return [
    asked,
    {
      at: 'request:',
      question:
        'What does the app answer when it refuses? Say so in failure, such as refusedPage(css, code), and record it: as it is, a refusal may be taken for a success or leaves the call unknown.',
    },
    {
      at: 'shownBy:',
      question: 'Which reads show afterwards that it happened? With verify: how is it found where its answer was lost?',
    },
    {
      at: 'brief:',
      question: 'What should a person see of the things that it names before they approve? Say so in preview.',
    },
  ]
}

function placed(code: string, decisions: readonly Decision[]) {
  const lines = code.split('\n')
  const from = lines.findIndex((line) => line.startsWith('export const '))
  // The path with words beside an id may not be part of the final code.
  const own = decisions.filter(({ at }) => at !== `/${noWords}` || code.includes(at))
  return own.map(({ at, question }) => {
    const line = lines.findIndex((one, index) => index >= from && one.includes(at))
    return {
      line: (line < 0 ? from : line) + 1,
      question,
      isOpen: Object.values<string>(questions).includes(question) && code.includes(quoted(question)),
    }
  })
}
