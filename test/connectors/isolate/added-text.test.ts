import { expect, it } from 'vitest'
import { isPlainLine, plainLine, plainLines } from '../../../connectors/runtime/plain-line.ts'

it.each(['\u001b[2J', '\u009b1A', 'a\rb', 'a\nb', '\u202eevil', '\u2066x', '\u2028', '\u200b', '\u007f', '\u{e0041}'])(
  'a text of an author moves no cursor and hides nothing: %j',
  (text) => {
    expect(isPlainLine(text)).toBe(false)
    expect(plainLine(text)).toMatch(/^[ -~]+$/)
    expect(JSON.parse(`"${plainLine(text)}"`)).toBe(text)
  },
)

it('what is plain stays, and lines stay lines', () => {
  expect(plainLine('Größe ✓ 日本')).toBe('Größe ✓ 日本')
  expect(plainLines('a\nb\u001b')).toBe('a\nb\\u001b')
})
