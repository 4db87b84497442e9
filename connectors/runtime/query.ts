import type { TObject } from 'typebox'
import { maxDetails, notAField, shape } from './explain.ts'
import type { Detail, ParsedQuery } from './app.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

const numeral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The input that a GET's query stands for: numbers and booleans as text, arrays by repeated names, objects as JSON text. */
export function parseQuery(schema: TObject, params: URLSearchParams): ParsedQuery {
  const value: Record<string, unknown> = {}
  const details: Detail[] = []
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
      value[name] = texts.map((text) => take(name, () => fromText(items, text)))
    } else if (texts.length > 1) details.push({ path: name, message: 'is given more than once' })
    else value[name] = take(name, () => fromText(property, texts[0] ?? ''))
  }
  return details.length > 0 ? { ok: false, details } : { ok: true, value }
}

class BadText extends Error {}

function fromText(schema: Fields, text: string): unknown {
  switch (schema['type']) {
    case 'integer':
    case 'number':
      if (!numeral.test(text)) throw new BadText(`must be ${shape(schema)}`)
      return Number(text)
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new BadText('must be true or false')
      return text === 'true'
    case 'object':
    case 'array':
      return fromJson(text)
    default:
      return text
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadText('must be JSON text', { cause: error })
  }
}
