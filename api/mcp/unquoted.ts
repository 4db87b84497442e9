import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'

/**
 * What was sent, where hosts put an object or a list as JSON text in its place, as some do when a schema says little of what is in it:
 * taken for what it says. Other texts stay as they are, and are refused. `at`: the schema of the value.
 */
export function unquoted(at: unknown, value: unknown): unknown {
  if (!isFields(at)) return value
  const { type, properties, items } = at
  const meant = typeof value === 'string' && (type === 'object' || type === 'array') ? parsed(value, type) : value
  if (Array.isArray(meant)) return meant.map((item) => unquoted(items, item))
  return isFields(meant) && isFields(properties) ? unquotedFields(properties, meant) : meant
}

function unquotedFields(properties: Fields, value: Fields): Fields {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      Object.hasOwn(properties, name) ? unquoted(properties[name], item) : item,
    ]),
  )
}

function parsed(text: string, type: 'object' | 'array'): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return (type === 'array' ? Array.isArray(value) : isFields(value)) ? value : text
  } catch {
    // No JSON: the text is what was meant, and is refused as one.
    return text
  }
}
