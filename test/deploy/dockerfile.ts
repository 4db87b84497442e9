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

function lastStage(): readonly Instruction[] {
  const all = instructions()
  return all.slice(all.findLastIndex(({ name }) => name === 'FROM'))
}

/** The arguments of each line with which the image is prepared by Node. */
export function nodeRuns(): readonly (readonly string[])[] {
  return lastStage().flatMap(({ name, rest }) =>
    name === 'RUN' && rest.startsWith('node ') ? [(rest.split(' && ')[0] ?? '').split(' ').slice(1)] : [],
  )
}

/** What the image has from the checkout: the last stage's COPY lines. */
export function copiedPaths(): readonly string[] {
  return lastStage()
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1))
}
