import { Type } from 'typebox'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Access } from '../../schemas/call.ts'
import { longestWhy } from '../http/call-request.ts'
import { fields } from './fields.ts'
import { text, wait } from './tool.ts'

/** Arguments of a call besides its endpoint's inputs, on each tool that makes one. */
export interface CallArguments {
  readonly account?: string | undefined
  /** Output fields to return; undefined: all. */
  readonly fields?: readonly string[] | undefined
  /** Seconds. */
  readonly wait: number
  /** The client's own, to find the call by; checked when the call is made. */
  readonly metadata?: object | undefined
  readonly idempotency_key?: string | undefined
  /** The agent's reason, as given. */
  readonly reason?: string | undefined
}

export const metadata = Type.Optional(
  Type.Object(
    {},
    { additionalProperties: true, description: 'Texts of yours to find the call by. Never sent to the app.' },
  ),
)

const read = { account: Type.Optional(text('Which of several connected accounts.')), fields, wait, metadata }

const write = {
  ...read,
  idempotency_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'A text of your own: repeated with the same input, the action is not run twice.',
    }),
  ),
  reason: Type.Optional(
    Type.String({
      maxLength: longestWhy,
      description: 'Why, in your words, for the person who approves it. Never sent to the app.',
    }),
  ),
}

export const callArguments = { read, write } as const satisfies Readonly<Record<Access, object>>

export const named = {
  app: text('The app, as search_actions names it.'),
  action: text('The action, as search_actions names it.'),
}

/** `action` may include its app, as in the clients, the CLI and the docs: `crm.get_project`. */
export function withApp(args: unknown): unknown {
  if (!isFields(args) || typeof args['action'] !== 'string') return args
  const [, app, action] = /^([^.]+)\.(.+)$/s.exec(args['action']) ?? []
  const said = args['app'] ?? ''
  return app === undefined || (said !== '' && said !== app) ? args : { ...args, app, action }
}
