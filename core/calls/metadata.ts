import { isFields } from '../../connectors/kit/wire.ts'
import { invalidInput } from './invalid-input.ts'

/** A client's key/value pairs on a call: shown, filtered by, never sent to an app or approved. */
export type Metadata = Readonly<Record<string, string>>

export const mostMetadata = 20
export const longestMetadata = 2048
const refused: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Parses the header's JSON text. Throws invalid_input. */
export function readMetadata(text: string | undefined, path: string): Metadata | undefined {
  if (text === undefined || text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid(path, 'must be JSON text: a flat object of texts')
  }
  return checkMetadata(value, path)
}

/** Undefined for an empty object. Throws invalid_input. */
export function checkMetadata(value: unknown, path: string): Metadata | undefined {
  if (!isFields(value)) throw invalid(path, 'must be a flat object of texts')
  const entries = Object.entries(value)
  if (entries.length > mostMetadata) throw invalid(path, `must have at most ${mostMetadata} names`)
  for (const [name, text] of entries) {
    if (name === '' || refused.has(name) || !isStorable(name)) throw invalid(path, 'has a name that cannot be used')
    if (typeof text !== 'string' || !isStorable(text)) throw invalid(`${path}.${name}`, 'must be a text')
  }
  if (Buffer.byteLength(JSON.stringify(value)) > longestMetadata)
    throw invalid(path, `must have at most ${longestMetadata} bytes as JSON`)
  return entries.length === 0 ? undefined : (value as Metadata)
}

/** Whether jsonb accepts it. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function invalid(path: string, message: string) {
  return invalidInput([{ path, message }])
}
