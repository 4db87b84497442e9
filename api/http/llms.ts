import type { App } from '../../connectors/registry.ts'
import { mcpPath } from '../../core/oauth/resource.ts'
import { basePath, clientsPath, openApiPath } from '../../core/http/api.ts'

/** What an agent needs to know to start. Source: https://llmstxt.org */
export function llmsText({ apps, publicUrl }: { readonly apps: readonly App[]; readonly publicUrl: string }): string {
  const base = `${publicUrl}${basePath}`
  return `# Callgate

> Actions of web applications as HTTP endpoints, for agents. The person connects their own account of an app once; from then on every action is \`POST ${base}/{app}/{endpoint}\`: a JSON object in, a JSON object out.

How to call:

- Send \`Authorization: Bearer <API key>\` (or \`X-API-Key\`) and \`Content-Type: application/json\`. Endpoints that only read take GET with query parameters, too.
- Look before you call: \`GET ${base}/{app}/endpoints\` lists what there is, \`GET ${base}/{app}/endpoints/{endpoint}\` has the schemas and an example that works. Neither needs a key. Unknown fields are refused. In the schemas \`x-callgate-money\` says what an amount counts (\`minor\`: cents), \`x-callgate-kind\` which ids belong together.
- Add an \`Idempotency-Key\` to writes: the same request with the same key is never run twice.
- With several accounts of an app, pick one with \`X-Callgate-Account\`; \`GET ${base}/connections\` lists them.
- Say why in \`X-Callgate-Reason\` (≤ 500 characters, percent-encoded where not ASCII): the person reads it as your words before they approve.
- \`X-Callgate-Metadata: {"run":"r-17"}\` (a flat JSON object of at most 20 texts, 2 KiB) ties a call to your own run: it stands in the record, lists and webhooks, and \`GET ${base}/calls?metadata.run=r-17\` filters by it. Never sent to the app.
- Lists return \`next_cursor\`; pass it back as \`cursor\`; the other inputs may be left out then. null = there is no more.
- With an MCP client, add \`${publicUrl}${mcpPath}\` with the same header instead: it has all of this as tools.

What the answers mean:

- 200: done; the body is the output.
- 202 \`awaiting_confirmation\`: nothing has been sent. Give \`confirm_url\` to the person, then read \`GET ${base}/calls/{call_id}?wait=50\`. Never try to approve it yourself. The record's \`decision\` then has the person's \`reason\`, and in \`changed\` which inputs they changed before approving: read it before you ask for the same again. With \`waiting_for: reconnect\`, \`connect_url\` is for the person, too.
- 202 \`running\`: accepted; read \`GET ${base}/calls/{call_id}?wait=50\`.
- 202 \`unknown\`: a write was sent and its answer was lost. It may have happened. Look in the app before doing it again: \`x-callgate-shown-by\` of the endpoint names the reads that show it.
- 400: fix the fields in \`details\`. 402: credits used up, see \`GET ${base}/usage\`. 403: key or permission. 404: \`valid_names\` has the right names.
- 409 with \`connect_url\`: give it to the person; they sign in to the app there.
- 422: the app said no, or the Idempotency-Key belongs to another request. 429, 503: wait as many seconds as \`Retry-After\` says. 502, 504: a read failed; try again later.
- Every error says in \`message\` what to do. Failed calls cost nothing.

## Documentation

- [OpenAPI 3.1](${publicUrl}${openApiPath}): every endpoint with its schemas, answers and examples; large
- [Apps](${base}/apps): the list as JSON
- [Reference](${publicUrl}/docs): for people
- [Clients](${publicUrl}${clientsPath}): packages for TypeScript and Python, installed from here
- [Errors](${publicUrl}/docs/errors): what happened and what to do, by code

## Apps

${apps.map((app) => appLine(app, base)).join('\n')}
`
}

function appLine({ slug, name, description, endpoints, added }: App, base: string): string {
  const by = added ? ', added by the operator of this gateway' : ''
  return `- [${name}](${base}/${slug}): \`${slug}\`, ${endpoints.size} endpoints${by}. ${description}`
}
