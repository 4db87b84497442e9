import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './compose-project.ts'

export interface Instruction {
  readonly name: string
  readonly rest: string
}

/** The Dockerfile's instructions, each on one line. */
export function instructions(): readonly Instruction[] {
  const text = readFileSync(path.join(root, 'Dockerfile'), 'utf8')
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
      return { name, rest }
    })
}

/** What the image has from the checkout: the last stage's COPY lines. */
export function copiedPaths(): readonly string[] {
  const all = instructions()
  const stage = all.slice(all.findLastIndex(({ name }) => name === 'FROM'))
  return stage
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1))
}
