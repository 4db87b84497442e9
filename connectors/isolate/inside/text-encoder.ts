/** UTF-8 only, as in browsers; a lone surrogate becomes U+FFFD. */
export class TextEncoder {
  readonly encoding = 'utf-8'

  encode(text = ''): Uint8Array {
    const written = encodeURIComponent(text.toWellFormed())
    const bytes = written.match(/%[\dA-F]{2}|[^%]/g) ?? []
    return Uint8Array.from(bytes, (byte) => (byte.length === 3 ? parseInt(byte.slice(1), 16) : byte.charCodeAt(0)))
  }
}
