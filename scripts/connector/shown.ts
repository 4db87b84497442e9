import { anyHost } from '../../connectors/runtime/added.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'

/** What an operator is asked to trust: where it may lead, and what its endpoints do. */
export function shown(app: App, hosts: readonly string[]): string {
  const endpoints = [...app.endpoints.values()]
  const width = Math.max(...endpoints.map(({ name }) => name.length), 0)
  return [
    `${app.slug}: ${app.name} (${app.added?.package ?? 'built in'})`,
    '',
    'It may reach',
    ...hosts.map((host) => `  ${reach(host)}`),
    '',
    'Its endpoints',
    ...endpoints.map((endpoint) => `  ${endpoint.name.padEnd(width)}  ${what(endpoint)}`),
    '',
  ].join('\n')
}

function reach(host: string): string {
  if (host === anyHost) return 'ANY ADDRESS THAT ITS USERS TYPE'
  return host.startsWith('http:') ? `${host}  NOT ENCRYPTED` : host
}

function what({ access, label, effect, confirm, definition }: Endpoint): string {
  const asks = confirm ? ', asks first' : ''
  return `${access.padEnd(5)}  ${label} (${definition.line.method}${effect === null ? '' : `, ${effect}`}${asks})`
}
