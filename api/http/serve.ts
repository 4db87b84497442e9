import { createServer } from 'node:http'
import type { Server, ServerOptions } from 'node:http'
import Koa from 'koa'
import type { Context } from '../../core/context.ts'

/** Limits of a request: its headers (bytes), and how long they and the body may take (ms). */
export const requestLimits = {
  maxHeaderSize: 16_384,
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
} as const

/** A Koa app that logs which responses it could not send. */
export function newApp(
  { log }: Pick<Context, 'log'>,
  options: { readonly proxy?: boolean; readonly maxIpsCount?: number } = {},
): Koa {
  const app = new Koa(options)
  app.on('error', (error: unknown) => log.warn({ err: error }, 'a response was not sent'))
  return app
}

/** A server for the app, not listening yet. */
export function serverOf(app: Koa, options: ServerOptions = {}): Server {
  const handle = app.callback()
  return createServer(options, (request, response) => void handle(request, response))
}
