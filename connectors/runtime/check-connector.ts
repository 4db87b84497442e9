import { checkPlaces } from './check-places.ts'
import { checkSchema } from './check-schema.ts'
import { lineFault } from './check-lines.ts'
import { fileFault } from './file-inputs.ts'
import { formFault } from './forms/check-form.ts'
import { parseTemplate, templatesOf } from '../kit/approval.ts'
import type { ApprovalText } from '../kit/approval.ts'
import type { Csrf } from '../kit/csrf.ts'
import type { ConnectorSpec, EndpointDefinition } from '../kit/define.ts'
import { headerFault } from '../kit/own-headers.ts'
import { isFields } from '../kit/wire.ts'
import { disguisedAt, isPlainLine } from './plain-line.ts'

const slugForm = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const nameForm = /^[a-z][a-z0-9_]{0,63}$/
/** Name of a field that a token fills: printable, and sent unchanged in every encoding. */
const fieldForm = /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u

/**
 * Throws what is wrong with a connector. The compiler reports most of it earlier, but code may run
 * uncompiled, and one faulty connector must not stop all others.
 */
export function checkConnector(slug: string, spec: ConnectorSpec): void {
  if (!slugForm.test(slug) || slug.length > 64)
    throw new Error(`"${slug}" is no slug: small letters, digits and dashes`)
  const { name, description, role, topics = '', signIn, things, failure, endpoints } = spec
  if (typeof topics !== 'string' || topics.length > 1_000)
    throw new Error('topics is no text of at most 1,000 characters')
  for (const [field, value] of Object.entries({ name, description, role }))
    if (!isText(value)) throw new Error(`${field} says nothing`)
    else if (!isPlainLine(value)) throw new Error(`${field} has control or invisible characters`)
  for (const [field, value] of Object.entries({ 'signIn.page': signIn.page, 'signIn.who.page': signIn.who.page }))
    if (typeof value !== 'string') throw new Error(`${field} is not a text`)
  const disguised = disguisedAt(spec)
  if (disguised !== undefined)
    throw new Error(`${disguised} has control characters, or signs that turn the order of others around`)
  checkPlaces(spec)
  if (!isFields(things)) throw new Error('things says nothing of its ids')
  for (const [kind, thing] of Object.entries(things))
    if (!isThing(thing))
      throw new Error(`things.${kind} is not { label, toldBy: [{ read, id }], title: [], facts: [] }`)
  if (typeof failure !== 'function') throw new Error('failure is not a function')
  if (!Array.isArray(endpoints)) throw new Error('endpoints is not a list of files')
}

/** The same for one endpoint. */
export function checkEndpoint(name: string, definition: EndpointDefinition, spec: ConnectorSpec): void {
  const {
    summary,
    aliases = [],
    label,
    brief,
    effect,
    shownBy,
    preview,
    approval,
    access,
    line,
    csrf,
    input,
    output,
  } = definition
  const fail = (problem: string): never => {
    throw new Error(`${name} ${problem}`)
  }
  if (!isFields(definition) || !isFields(line)) fail('is exported beside the endpoints and is none')
  if (!nameForm.test(name) || name === 'endpoints') fail('is no name: small letters, digits and underscores')
  if (access !== 'read' && access !== 'write') fail('neither reads nor writes')
  if (access === 'write' && line.method === 'GET') fail('writes with GET')
  if (definition.host !== null && !Object.hasOwn(spec.hosts ?? {}, definition.host))
    fail(`is at the host "${definition.host}", which the connector does not name`)
  if (!isText(summary)) fail('has no summary')
  if (!Array.isArray(aliases) || aliases.length > 20 || !aliases.every((one) => isText(one) && one.length <= 120))
    fail('has aliases that are no list of at most 20 short texts')
  if (!isText(label)) fail('has no label')
  for (const [field, text] of [
    ['summary', summary],
    ['label', label],
    ...aliases.map((one) => ['aliases', String(one)]),
  ])
    if (!isPlainLine(String(text))) fail(`has control or invisible characters in its ${field}`)
  if (!Array.isArray(brief)) fail('has no brief')
  if (access === 'write' && effect === undefined) fail('has no effect')
  if (!Array.isArray(shownBy)) fail('has no shownBy')
  if (!Array.isArray(preview)) fail('has a preview that is no list')
  const unclear = approval ? approvalFault(approval) : undefined
  if (unclear !== undefined) fail(unclear)
  checkSchema(input, `${name}: input`)
  checkSchema(output, `${name}: output`)
  const given = new Set(input.required)
  const token = (csrf === undefined ? line.method !== 'GET' && spec.csrf : csrf) || undefined
  for (const { page } of [...(token ? [token] : []), ...(definition.volatile ?? [])]) {
    const missing = [...page.matchAll(/\{([^}]*)\}/g)].find(([, placeholder = '']) => !given.has(placeholder))
    if (missing) fail(`names ${missing[0]} in the page of its token, which is not among its required inputs`)
  }
  const problem = tokenFault([...(token ? [token] : []), ...(definition.volatile ?? [])], spec, input.properties)
  if (problem !== undefined) fail(problem)
  const wrong = answerFault(definition) ?? lineFault(definition) ?? formFault(definition) ?? fileFault(definition)
  if (wrong !== undefined) fail(wrong)
}

function approvalFault(approval: ApprovalText): string | undefined {
  for (const template of templatesOf(approval)) {
    if (!isText(template) || !isPlainLine(template)) return 'has an approval with a text that is not one plain line'
    try {
      parseTemplate(template)
    } catch (error) {
      return `has an approval that cannot be read: ${(error as Error).message}`
    }
  }
  return undefined
}

function answerFault({ access, statuses, afterAnswer }: EndpointDefinition): string | undefined {
  if (afterAnswer === 'empty' || afterAnswer === 'any') return 'reads a page after it that nothing is expected of'
  if (statuses === null || statuses === undefined) return undefined
  if (!Array.isArray(statuses) || statuses.length === 0) return 'has statuses that are no list of numbers'
  if (!statuses.every((one) => Number.isInteger(one) && one >= 200 && one <= 599))
    return 'has statuses that no answer ends with'
  if (access === 'write' && (statuses.includes(307) || statuses.includes(308)))
    return 'takes a 307 or 308 for done, which asks for the request once more elsewhere'
  return undefined
}

/** Checks where an endpoint's tokens come from and go to. */
function tokenFault(
  tokens: readonly Csrf[],
  { authorize = [] }: ConnectorSpec,
  inputs: Readonly<Record<string, unknown>>,
): string | undefined {
  const places = new Set(authorize.map(({ header }) => header.toLowerCase()))
  for (const { from, fills } of tokens) {
    if (!isFields(from))
      return 'has a token of an older kit, which nothing says the place of: run `callgate connector update`'
    const [kind = ''] = Object.keys(from)
    if (!['input', 'meta', 'json', 'cookie', 'css'].includes(kind) || !isText(from[kind as keyof typeof from]))
      return 'has a token that comes from no place'
    const place = 'field' in fills ? fills.field : fills.header.toLowerCase()
    if ('field' in fills && !fieldForm.test(place)) return `fills the field ${JSON.stringify(place)}, which is no name`
    if ('field' in fills && Object.hasOwn(inputs, place)) return `fills ${place}, which is one of its inputs`
    if ('header' in fills && headerFault(fills.header) !== undefined)
      return `fills the header ${place}, which is not its to set`
    if (places.has(place)) return `fills ${place} twice`
    places.add(place)
  }
  return undefined
}

function isThing(value: unknown): boolean {
  return (
    isFields(value) &&
    isText(value['label']) &&
    isPlainLine(value['label']) &&
    [value['title'], value['facts']].every(Array.isArray) &&
    Array.isArray(value['toldBy']) &&
    value['toldBy'].every((one) => isFields(one) && isText(one['read']) && isText(one['id']))
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
