import { defineConfig } from 'vitest/config'
import LongFirst from './test/long-first.ts'

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    // Files share their process and the code that it has loaded, which is most of what a small one costs.
    isolate: false,
    // Each file has a database and a namespace of its own. Many wait for seconds that pass: four keep two processors busy.
    maxWorkers: 4,
    // What is right ends in seconds; these only end what is not, also on a machine that is busy with other things.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    // So long for what `expect.poll` waits for, too: who names less asks for promptness.
    expect: { poll: { timeout: 120_000 } },
    sequence: { sequencer: LongFirst },
  },
})
