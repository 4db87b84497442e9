import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pythonWith } from '../python.ts'

/**
 * A Python with the packages of `requirements.txt`, pinned by hash; sources are built with those of
 * `build.txt`. Cached by the content of these files. `minor`: the minimum version of Python 3.
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
