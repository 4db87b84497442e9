import type { TObject } from 'typebox'
import { isExact, parseExactly } from './exact-json.ts'
import { below, maxDetails, notAField, shape } from './explain.ts'
import type { Detail, ParsedQuery } from './app.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

const numeral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Parses a query: numbers and booleans as text, arrays as repeated names, objects as JSON. */
export function parseQuery(schema: TObject, params: URLSearchParams): ParsedQuery {
  const value: Record<string, unknown> = {}
  const details: Detail[] = []
  const inexact: string[] = []
  const take = (path: string, convert: () => unknown): unknown => {
    try {
      return convert()
    } catch (error) {
      if (!(error instanceof BadText)) throw error
      details.push({ path, message: error.message })
      return undefined
    }
  }
  for (const name of new Set(params.keys())) {
    if (details.length >= maxDetails) break
    if (!Object.hasOwn(schema.properties, name)) {
      details.push({ path: name, message: notAField(name, schema.properties) })
      continue
    }
    const texts = params.getAll(name)
    const property: Fields = { ...schema.properties[name] }
    if (property['type'] === 'array') {
      const items = isFields(property['items']) ? property['items'] : {}
      value[name] = texts.map((text, index) => take(name, () => fromText(items, text, `${name}.${index}`, inexact)))
    } else if (texts.length > 1) details.push({ path: name, message: 'is given more than once' })
    else value[name] = take(name, () => fromText(property, texts[0] ?? '', name, inexact))
  }
  return details.length > 0 ? { ok: false, details } : { ok: true, value, inexact }
}

class BadText extends Error {}

function fromText(schema: Fields, text: string, path: string, lost: string[]): unknown {
  switch (schema['type']) {
    case 'integer':
    case 'number':
      if (!numeral.test(text)) throw new BadText(`must be ${shape(schema)}`)
      if (Number.isFinite(Number(text)) && !isExact(text)) lost.push(path)
      return Number(text)
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new BadText('must be true or false')
      return text === 'true'
    case 'object':
    case 'array':
      return fromJson(text, path, lost)
    default:
      return text
  }
}

function fromJson(text: string, path: string, lost: string[]): unknown {
  try {
    const { value, inexact } = parseExactly(text)
    lost.push(...inexact.map((at) => (at === '' ? path : below(path, at))))
    return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new BadText('must be JSON text', { cause: error })
  }
}
