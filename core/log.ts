import { DefaultLogger, Runtime } from '@temporalio/worker'
import type { LogLevel } from '@temporalio/worker'
import pino from 'pino'
import type { DestinationStream, Logger } from 'pino'
import type { Config } from '../config.ts'
import { codeOf } from './error-labels.ts'

/** JSON lines on stdout. Never log bodies, cookies or keys; describeError() reduces errors. */
export function createLogger(level: string, name: string, stream: DestinationStream = pino.destination(1)): Logger {
  return pino({ name, level, serializers: { err: describeError } }, stream)
}

/** Database errors quote values in `detail` and `where`: drop every field not listed here. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = codeOf(error)
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  return { type: error.name, code, message: code === undefined ? error.message : undefined, stack: frames?.join('\n') }
}

/** The SDK warns about activity-only workers, which all but one of ours are. */
const intended = 'No workflows registered, not polling for workflow tasks'

/**
 * Forwards the Temporal SDK's log messages to our log, and exposes the SDK's metrics on
 * `sdkMetricsPort` if one is set. Call once per process, before the first connection.
 */
export function setUpEngineSdk(
  log: Logger,
  { host, sdkMetricsPort: port }: Pick<Config, 'host' | 'sdkMetricsPort'> = { host: '', sdkMetricsPort: null },
): void {
  const levels: Partial<Record<LogLevel, 'warn' | 'error'>> = { WARN: 'warn', ERROR: 'error' }
  Runtime.install({
    // The API process handles shutdown signals itself.
    shutdownSignals: [],
    // Without this, the SDK's native part writes to stderr.
    telemetryOptions: {
      logging: { forward: {} },
      ...(port !== null && {
        metrics: {
          prometheus: {
            bindAddress: `${host.includes(':') ? `[${host}]` : host}:${port}`,
            countersTotalSuffix: true,
            unitSuffix: true,
            useSecondsForDurations: true,
          },
        },
      }),
    },
    logger: new DefaultLogger('WARN', ({ level, message }) => {
      if (message !== intended) log[levels[level] ?? 'info']({ engine: true }, message)
    }),
  })
}
