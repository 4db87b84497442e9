import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that goes away with the test. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'callgate-scripts-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

export async function until(condition: () => boolean | Promise<boolean>, withinMs = 120_000): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
