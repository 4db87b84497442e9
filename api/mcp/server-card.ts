import manifest from '../../package.json' with { type: 'json' }
import { mcpPath } from '../../core/oauth/resource.ts'

/** For MCP registries. Source: https://modelcontextprotocol.io/registry/remote-servers */
export function serverCard(publicUrl: string): Readonly<Record<string, unknown>> {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${namespaceOf(publicUrl)}/callgate`,
    title: 'Callgate',
    description: 'Actions in web applications that have no API; what reaches other people waits for approval.',
    version: manifest.version,
    websiteUrl: publicUrl,
    remotes: [{ type: 'streamable-http', url: `${publicUrl}${mcpPath}` }],
  }
}

/** The host reversed, as its owner can prove it to a registry: com.example.callgate. */
function namespaceOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  const isAddress = hostname.includes(':') || /^[\d.]+$/.test(hostname)
  return isAddress ? 'localhost' : hostname.split('.').toReversed().join('.')
}
