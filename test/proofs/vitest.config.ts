import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** `npm run prove`: with programs of others that are fetched for it. The drill takes the better part of an hour, so it is asked for by name. */
const drill = process.argv.includes('drill') ? ['test/proofs/*.drill.ts'] : []

export default defineConfig({
  ...base,
  test: { ...base.test, retry: 0, include: ['test/proofs/*.proof.ts', 'test/client/package.test.ts', ...drill] },
})
