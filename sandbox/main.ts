import { readConfig } from './config.ts'
import { startSandbox } from './server.ts'

/** One clear line instead of a stack for what the person who starts it can put right. */
function explain(error: unknown, port: number): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${port} is already in use: set SANDBOX_PORT to a free one.`
  }
  return error instanceof Error ? error.message : String(error)
}

let port = 0
try {
  const config = readConfig()
  port = config.port
  const sandbox = await startSandbox(config)
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    void sandbox.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.send?.({ ready: true })
  process.stdout.write(`Sandbox: ${sandbox.url}/\n`)
} catch (error) {
  process.stderr.write(`${explain(error, port)}\n`)
  process.exit(1)
}
