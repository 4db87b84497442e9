import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** `npm run prove`: with programs of others that are fetched for it. */
export default defineConfig({
  ...base,
  test: { ...base.test, retry: 0, include: ['test/proofs/*.proof.ts', 'test/client/package.test.ts'] },
})
