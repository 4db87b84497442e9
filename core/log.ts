import { DefaultLogger, Runtime } from '@temporalio/worker'
import type { LogLevel } from '@temporalio/worker'
import pino from 'pino'
import type { DestinationStream, Logger } from 'pino'
import type { Config } from '../config.ts'
import { codeOf } from './error-labels.ts'

/** JSON lines on stdout. Bodies, cookies and keys are never given to it; errors go in as name, code and stack only. */
export function createLogger(level: string, name: string, stream: DestinationStream = pino.destination(1)): Logger {
  return pino({ name, level, serializers: { err: describeError } }, stream)
}

/** A database error quotes values in `detail` and `where`: what is not listed here is dropped. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = codeOf(error)
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  return { type: error.name, code, message: code === undefined ? error.message : undefined, stack: frames?.join('\n') }
}

/** The SDK warns of each queue whose workers only run activities: here these are all but one. */
const intended = 'No workflows registered, not polling for workflow tasks'

/**
 * Sends the engine SDK's own messages, from warnings on, to our log, and has it tell its own figures on a port, if there is one for it.
 * Once a process, before the first connection.
 */
export function setUpEngineSdk(
  log: Logger,
  { host, sdkMetricsPort: port }: Pick<Config, 'host' | 'sdkMetricsPort'> = { host: '', sdkMetricsPort: null },
): void {
  const levels: Partial<Record<LogLevel, 'warn' | 'error'>> = { WARN: 'warn', ERROR: 'error' }
  Runtime.install({
    // The API process drains by itself.
    shutdownSignals: [],
    // Without this its native part writes to stderr by itself.
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
