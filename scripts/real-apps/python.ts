import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pythonWith } from '../python.ts'

/**
 * A Python with what the app's `requirements.txt` says, every package by its hash; what comes as source is built with what `build.txt` says.
 * Made once for each content of these files. `minor`: of Python 3, the least that they need.
 */
export async function pythonOf(folder: string, minor?: number): Promise<string> {
  const lines = (name: string): readonly string[] => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')
  const { python } = await pythonWith({
    requirements: lines('requirements.txt'),
    builtWith: lines('build.txt'),
    ...(minor !== undefined && { minor }),
  })
  return python
}
