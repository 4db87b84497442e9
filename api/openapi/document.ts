import type { App } from '../../connectors/registry.ts'
import { basePath } from '../../core/http/api.ts'
import { thingsOf } from '../http/declarations.ts'
import { endpointPaths } from './endpoint-paths.ts'
import { errorComponents } from './errors.ts'
import { headerComponents, parameterComponents, usualHeaders } from './headers.ts'
import { ownPaths } from './own-paths.ts'
import { json, schemaRef } from './parts.ts'
import type { Json } from './parts.ts'
import { ownSchemas } from './schemas.ts'

/** The whole API as OpenAPI 3.1, from the registry and the error table. Examples are of `today`. */
export function openApiDocument(options: {
  readonly apps: readonly App[]
  readonly publicUrl: string
  readonly today: Date
}): Json {
  const { apps, publicUrl, today } = options
  const endpoints = endpointPaths(apps, today)
  const errors = errorComponents(publicUrl)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Callgate',
      version: '1',
      summary: 'Actions of web applications as endpoints, for agents.',
      description: introduction(publicUrl),
    },
    servers: [{ url: `${publicUrl}${basePath}` }],
    externalDocs: { url: `${publicUrl}/docs` },
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...ownTags, ...apps.map((app) => tagOf(app, publicUrl))],
    paths: { ...ownPaths(apps.map(({ slug }) => slug)), ...endpoints.paths },
    components: {
      securitySchemes,
      headers: headerComponents,
      parameters: parameterComponents,
      schemas: { ...ownSchemas, ...errors.schemas, ...endpoints.schemas },
      responses: { Accepted: accepted(publicUrl), ...errors.responses, ...endpoints.responses },
    },
  }
}

function introduction(publicUrl: string): string {
  return `Every action of an app is one POST that takes a JSON object and returns one; actions that only read can be asked with GET, too.

What reaches other people waits for the person: such a call answers 202 \`awaiting_confirmation\`. Give \`confirm_url\` to the person, then read the result from \`/calls/{call_id}\`.

A write whose answer was lost is never sent again by itself: it ends as 202 \`unknown\`.

Each error has a page: ${publicUrl}/docs/errors. Malformed HTTP is 400, headers over 16 KiB are 431, slow clients 408, at any address.`
}

const ownTags = [
  { name: 'Discovery', description: 'What can be called, and how. No key needed; 120 requests a minute per address.' },
  { name: 'Calls', description: 'What became of calls. 120 requests a minute per key.' },
  { name: 'Account', description: 'Connected accounts and credits. They count with the limit of Calls.' },
]

function tagOf(app: App, publicUrl: string): Json {
  const { slug, name, description, added } = app
  return {
    name: slug,
    description: `${name}: ${description}`,
    externalDocs: { url: `${publicUrl}/docs/${slug}` },
    ...(added && { 'x-callgate-built-in': false }),
    ...thingsOf(app),
  }
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API key>' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
}

const callId = 'call_01JZX3T5N8Q4V7W9Y2B6C1D0EF'

function accepted(publicUrl: string): Json {
  const examples = {
    awaiting_confirmation: {
      confirm_url: `${publicUrl}/confirm/${callId}`,
      expires_at: '2026-07-04T12:00:00.000Z',
      message:
        'Nothing has been sent yet. The person must open confirm_url and approve; then read the result from the Location address. Do not send this call again.',
    },
    running: { message: 'The call was accepted and is still running.' },
    unknown: { message: 'The request was sent, but whether the app carried it out is not known.' },
  }
  return {
    description: 'The call is there, and its output is not: look at `status`. Never send it again as a new call.',
    headers: usualHeaders('Location', 'Retry-After', 'Idempotent-Replayed'),
    content: json(schemaRef('Accepted'), {
      examples: Object.fromEntries(
        Object.entries(examples).map(([status, rest]) => [status, { value: { status, call_id: callId, ...rest } }]),
      ),
    }),
  }
}
