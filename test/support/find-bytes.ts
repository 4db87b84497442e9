import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** Files below the folder, except below `except`. */
export function filesBelow(folder: string, except: readonly string[] = []): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !except.some((skipped) => file === skipped || file.startsWith(`${skipped}${path.sep}`)))
}

/** How a text may stand in a file: as it is, in UTF-16, in hex, and in base64 wherever it begins. */
function formsOf(text: string): readonly (readonly [form: string, bytes: Buffer])[] {
  const bytes = Buffer.from(text)
  const base64 = [0, 1, 2].map((shift) => {
    // Without the digits that hold bits of its neighbours.
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return ['base64', Buffer.from(whole.slice(shift === 0 ? 0 : shift + 1, -1))] as const
  })
  return [
    ['plain', bytes],
    ['utf-16', Buffer.from(text, 'utf16le')],
    ['hex', Buffer.from(bytes.toString('hex'))],
    ['hex', Buffer.from(bytes.toString('hex').toUpperCase())],
    ...base64,
  ]
}

/** `<name> (<form>) in <file>` for each of the texts that stands in one of the files. */
export function findTexts(files: readonly string[], texts: Readonly<Record<string, string>>): string[] {
  const wanted = Object.entries(texts).flatMap(([name, text]) =>
    formsOf(text).map(([form, bytes]) => ({ name: `${name} (${form})`, bytes })),
  )
  return files.flatMap((file) => {
    const content = readFileSync(file)
    return wanted.filter(({ bytes }) => content.includes(bytes)).map(({ name }) => `${name} in ${file}`)
  })
}
