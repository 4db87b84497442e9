import { once } from 'node:events'
import { loadBrowserServerConfig } from '../../../config.ts'
import { createBrowserServer } from './server.ts'

/** Chromium for the connect pages of API processes, in its own container (docs/deploying.md). */
const levels = { info: 30, warn: 40, error: 50 }
const log = (level: keyof typeof levels, text: string): void => {
  process.stdout.write(`${JSON.stringify({ level: levels[level], time: Date.now(), name: 'browser', msg: text })}\n`)
}
const config = loadBrowserServerConfig()
const { server, close } = createBrowserServer({ ...config, log })
await once(server.listen(config.port, config.host), 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined
log('info', `the browser service listens on port ${port}`)
process.send?.({ ready: true, port })

const stop = (): void =>
  void close().then(
    () => process.exit(),
    () => process.exit(1),
  )
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
