// Without this import, the next one lacks the multi-byte encodings.
import { labelToName } from '@exodus/bytes/encoding.js'
import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js'

/** All ASCII characters that a form body escapes. */
const escaped = Array.from({ length: 95 }, (_, at) => String.fromCharCode(at + 32))
  .filter((one) => /[^0-9A-Za-z*\-._]/.test(one))
  .join('')

/**
 * A form's text as browsers send it, in a web encoding; what it cannot encode becomes `&#1234;`.
 * Source: https://url.spec.whatwg.org/#concept-urlencoded-serializer
 */
export function formText(fields: readonly (readonly [string, string])[], encoding = 'UTF-8'): string {
  const encoded = (text: string): string => percentEncodeAfterEncoding(encoding, text, escaped, true)
  return fields.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
}

/** The bytes of a text in a web encoding, with the same character references. */
export function formBytes(text: string, encoding = 'UTF-8'): Buffer {
  const percent = percentEncodeAfterEncoding(encoding, text, '%')
  return Buffer.from(
    percent.replaceAll(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

/**
 * Name of a form's encoding; undefined: none is declared. `pages`: the page's own.
 * Source: https://html.spec.whatwg.org/#picking-an-encoding-for-the-form
 */
export function formEncoding(acceptCharset: string | undefined, pages: string | undefined): string | undefined {
  const labels = acceptCharset?.split(/[\t\n\f\r ,]+/) ?? []
  const name = labels.map(labelToName).find((one) => one !== null) ?? labelToName(pages ?? '') ?? undefined
  return name !== undefined && /^(?:utf-16|replacement)/i.test(name) ? 'UTF-8' : name
}
