import { callStatuses } from '../../schemas/call.ts'
import { errorResponses, tooLong } from './errors.ts'
import type { RouteKind } from './errors.ts'
import { usualHeaders } from './headers.ts'
import { json, refs, schemaRef, text } from './parts.ts'
import type { Json } from './parts.ts'

/** Callgate's own routes. */
export function ownPaths(slugs: readonly string[]): Json {
  const app = { name: 'app', in: 'path', required: true, schema: { type: 'string', enum: slugs } }
  const endpoint = { name: 'endpoint', in: 'path', required: true, schema: text }
  return {
    '/apps': discovery('listApps', 'Every app, with the number of its endpoints.', 'Apps', 'discovery', []),
    '/{app}': discovery('getApp', 'One app: what it is, how it connects, its endpoints.', 'App', 'app', [app]),
    '/{app}/endpoints': discovery('listEndpoints', 'The endpoints of an app.', 'Endpoints', 'app', [app]),
    '/{app}/endpoints/{endpoint}': discovery(
      'getEndpoint',
      'One endpoint: the schemas of its input and output, and an example that works.',
      'Endpoint',
      'endpoint',
      [app, endpoint],
    ),
    '/openapi.json': {
      get: {
        ...described('getOpenApi', 'Discovery', 'This document.'),
        security: [],
        responses: cached(json({ type: 'object' }), 'discovery'),
      },
    },
    '/calls': {
      get: {
        ...described(
          'listCalls',
          'Calls',
          'The calls that the key made, newest first. `metadata.{name}=…` lists only those with this text in their metadata.',
        ),
        parameters: [
          query('status', 'Only calls with this status.', { type: 'string', enum: callStatuses }),
          query('app', 'Only calls of this app.', { type: 'string', enum: slugs }),
          ...refs('parameters', ['limit', 'cursor']),
        ],
        responses: answers('A page of calls.', json(schemaRef('Calls')), 'list'),
      },
    },
    '/calls/{call_id}': {
      parameters: refs('parameters', ['call_id']),
      get: {
        ...described('getCall', 'Calls', 'A call: its status, and its output or error once it has ended.'),
        parameters: refs('parameters', ['wait']),
        responses: answers('The call as it is now.', json(schemaRef('Call')), 'record'),
      },
      delete: {
        ...described('cancelCall', 'Calls', 'Take back a call that has not been sent.'),
        responses: answers('The cancelled call.', json(schemaRef('Call')), 'cancel'),
      },
    },
    '/connections': {
      get: {
        ...described('listConnections', 'Account', 'The connected accounts, in the apps that the key may use.'),
        responses: answers('The accounts.', json(schemaRef('Connections')), 'list'),
      },
    },
    '/usage': {
      get: {
        ...described(
          'getUsage',
          'Account',
          'The credits you have, and where a month’s went, as far as the key sees the calls.',
        ),
        parameters: [
          query('month', 'The month of the statement; this one by default.', {
            type: 'string',
            pattern: '^2\\d{3}-(0[1-9]|1[0-2])$',
          }),
          query(
            'format',
            'Default: as the header Accept says. `csv` has the whole month, oldest first, and takes no `limit` or `cursor`.',
            { type: 'string', enum: ['json', 'csv'] },
          ),
          ...refs('parameters', ['limit', 'cursor']),
        ],
        responses: answers(
          'The balance, and a page of the statement.',
          { ...json(schemaRef('Usage')), 'text/csv': { schema: text } },
          'list',
        ),
      },
    },
  }
}

function described(operationId: string, tag: string, summary: string): Json {
  return { operationId, tags: [tag], summary }
}

function query(name: string, description: string, schema: Json): Json {
  return { name, in: 'query', description, schema }
}

function answers(description: string, content: Json, kind: RouteKind): Json {
  return { 200: { description, headers: usualHeaders(), content }, ...errorResponses(kind), ...tooLong }
}

function discovery(
  operationId: string,
  summary: string,
  schema: string,
  kind: RouteKind,
  parameters: readonly Json[],
): Json {
  return {
    get: {
      ...described(operationId, 'Discovery', summary),
      security: [],
      parameters,
      responses: cached(json(schemaRef(schema)), kind),
    },
  }
}

function cached(content: Json, kind: RouteKind): Json {
  return {
    200: { description: 'What is asked for.', headers: usualHeaders('ETag'), content },
    304: { description: 'You have it already.', headers: usualHeaders('ETag') },
    ...errorResponses(kind),
  }
}
