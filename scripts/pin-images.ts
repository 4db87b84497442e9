import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { digestOf } from './supply/registry.ts'
import { pinned } from './supply/images.ts'
import type { Versions } from './supply/components.ts'

/** `npm run pin-images`: pins image digests wherever they are written, in all files or none. */
const { values } = parseArgs({
  options: {
    registry: { type: 'string', default: 'https://registry-1.docker.io' },
    root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
  },
})
const file = (name: string): string => path.join(values.root, name)
const versions = JSON.parse(readFileSync(file('local-services/versions.json'), 'utf8')) as Versions
try {
  const images = Object.fromEntries(
    await Promise.all(
      Object.entries(versions.images).map(async ([name, { tag }]) => {
        const digest = await digestOf(values.registry, name, tag)
        return [name, { tag, digest }] as const
      }),
    ),
  )
  const texts = ['Dockerfile', 'docker-compose.yml'].map(
    (name) => [name, pinned(readFileSync(file(name), 'utf8'), images)] as const,
  )
  for (const [name, text] of texts) writeFileSync(file(name), text)
  writeFileSync(file('local-services/versions.json'), `${JSON.stringify({ ...versions, images }, null, 2)}\n`)
  for (const [name, { tag, digest }] of Object.entries(images)) console.log(`${name}:${tag}@${digest}`)
} catch (error) {
  console.error(`Nothing was pinned: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
