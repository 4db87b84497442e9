import type { Endpoint } from '../../connectors/registry.ts'

/** A curl command with the JSON in single quotes. */
export function curlOf(publicUrl: string, endpoint: Endpoint, input: object): string {
  const body = JSON.stringify(input).replaceAll("'", String.raw`'\''`)
  return [
    `curl -X POST ${publicUrl}/api/v1/${endpoint.app}/${endpoint.name} \\`,
    '  -H "Authorization: Bearer $CALLGATE_API_KEY" \\',
    `  -H "Content-Type: application/json" \\`,
    `  -d '${body}'`,
  ].join('\n')
}
