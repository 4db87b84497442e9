import { isFields } from '../../kit/wire.ts'
import { withoutLabelled } from './labelled.ts'
import { isSecretName } from './names.ts'
import type { Hide } from './numbers.ts'
import { numberOr } from './bodies.ts'

/** Levels of nested encodings that are opened; deeper content is hidden as a whole. */
const deepest = 6

/**
 * A value without its secrets, however wrapped: JSON, forms, URLs, percent-encoding and base64 in
 * each other, and what labels, markup or checksums reveal. Equal values get equal placeholders.
 */
export function withoutSecrets(value: string, hide: Hide, depth = 0): string {
  if (value.length < 4) return value
  const inside = (one: string): string =>
    depth >= deepest ? hide('nested', one) : withoutSecrets(one, hide, depth + 1)
  const json = /^\s*[[{"]/.test(value) ? parsed(value) : undefined
  if (json !== undefined) {
    const made = JSON.stringify(inJson(json, '', hide, inside))
    return made === JSON.stringify(json) ? value : made
  }
  if (!/\s/.test(value)) {
    const opened = decoded(value)
    if (opened !== value) {
      const cleaned = inside(opened)
      if (cleaned !== opened) return encodeURIComponent(cleaned)
    }
    const said = fromBase64(value)
    if (said !== undefined && (/^[^\s:]+:[^\s:]\S*$/.test(said) || inside(said) !== said)) return hide('encoded', value)
    if (/^[\w.[\]-]{1,60}=[^=]/.test(value)) return withoutLabelled(`&${value}`, hide, inside).slice(1)
  }
  return withoutLabelled(value, hide, inside)
}

function inJson(value: unknown, name: string, hide: Hide, inside: (one: string) => string): unknown {
  const change = (said: string): string => (isSecretName(name) && said !== '' ? hide(name, said) : inside(said))
  if (typeof value === 'string') return change(value)
  if (typeof value === 'number') return numberOr(value, change(String(value)))
  if (Array.isArray(value)) return value.map((one) => inJson(one, name, hide, inside))
  if (!isFields(value)) return value
  const called = [value['name'], value['key'], value['field']].find((one) => typeof one === 'string')
  const isSecret = typeof called === 'string' && isSecretName(called)
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      inJson(one, isSecret && /^(?:value|content|data|text)$/i.test(key) ? called : key, hide, inside),
    ]),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function decoded(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch (error) {
    if (error instanceof URIError) return value
    throw error
  }
}

/** The decoded text of base64; undefined if it is not base64 of a text. */
function fromBase64(value: string): string | undefined {
  if (value.length < 8 || !/^[\w+/-]+={0,2}$/.test(value)) return undefined
  const bytes = Buffer.from(value, 'base64')
  const text = bytes.toString()
  return /^[\t\r\n\u0020-\u007e\u00a0-\uffff]{4,}$/.test(text) && !text.includes('\ufffd') ? text : undefined
}
