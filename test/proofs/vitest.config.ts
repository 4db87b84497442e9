import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** `npm run prove`: which files run is in scripts/prove/proofs.ts. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/**/*.proof.ts', 'test/client/package.test.ts', 'test/proofs/*.drill.ts'],
  },
})
