import { Type } from 'typebox'
import type { TObject } from 'typebox'
import { fillIn, lazy } from '../../connectors/runtime/validate.ts'

const page = Type.Object({ cursor: Type.Optional(Type.String()) })
const uri = Type.Object({ uri: Type.String() })
const task = Type.Object({ taskId: Type.String() })

/** Parameters of the methods served here; all must be an object. */
const schemas: Readonly<Record<string, TObject>> = {
  initialize: Type.Object({
    protocolVersion: Type.String(),
    capabilities: Type.Object({}),
    clientInfo: Type.Object({ name: Type.String(), version: Type.String() }),
  }),
  'tools/list': page,
  'tools/call': Type.Object({ name: Type.String(), arguments: Type.Optional(Type.Object({})) }),
  'resources/list': page,
  'resources/templates/list': page,
  'resources/read': uri,
  'tasks/get': task,
  'tasks/cancel': task,
}
const anyParams = Type.Object({})
const metadata = Type.Object({ _meta: Type.Optional(Type.Object({})) })

const checks = new Map(Object.entries(schemas).map(([method, schema]) => [method, { schema, validator: lazy(schema) }]))
const others = { schema: anyParams, validator: lazy(anyParams) }
const meta = { schema: metadata, validator: lazy(metadata) }

/** Problems of a request's parameters, as text. Undefined: none that this check finds. */
export function wrongParams(method: string, params: unknown): string | undefined {
  const value = params === undefined ? {} : params
  const details = [checks.get(method) ?? others, meta].flatMap(
    ({ schema, validator }) => fillIn(validator(), schema, value).details,
  )
  const problems = details.map(({ path, message }) => `params${path && `.${path}`} ${message}`)
  return problems.length === 0 ? undefined : `${method}: ${[...new Set(problems)].join('; ')}.`
}
