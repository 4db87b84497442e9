import type { JSX } from 'preact'
import { CodeBlock } from '../play/result.tsx'

/** Where to enter the URL in each client. Sources: docs/mcp.md. */
const places: readonly { readonly program: string; readonly where: string }[] = [
  {
    program: 'Claude',
    where: 'Customize, Connectors, +, Add custom connector. In a Team or Enterprise plan an owner adds it first.',
  },
  {
    program: 'ChatGPT, on the web',
    where:
      'Plugins, +, Add custom MCP server, with OAuth; then Create as a plugin, and install it. Where there is no such entry, switch on Developer mode in the settings (Apps, Advanced settings, or Security and login).',
  },
  {
    program: 'Cursor',
    where: 'The link above, or the address in mcp.json. Customize shows it, and asks you to sign in.',
  },
  { program: 'VS Code', where: 'The link above, or the command MCP: Add Server, HTTP.' },
]

/** How to add OAuth clients: they need only the URL, and no link contains a key. */
export function Programs({ publicUrl }: { readonly publicUrl: string }): JSX.Element {
  const url = `${publicUrl}/mcp`
  const command = `claude mcp add --transport http callgate ${url}`
  return (
    <section class="card" aria-labelledby="programs">
      <h2 id="programs">Programs that sign in on their own</h2>
      <p class="hint">
        They need no key: they send you here, and you choose what they may do. This address is all they ask for.
      </p>
      <pre id="text-address">
        <code>{url}</code>
      </pre>
      <p class="row buttons">
        <button class="quiet" type="button" data-copy="text-address" hidden>
          Copy the address
        </button>
        <a class="button quiet" href={cursorLink(url)}>
          Add to Cursor
        </a>
        <a class="button quiet" href={vsCodeLink(url)}>
          Add to VS Code
        </a>
      </p>
      <dl class="facts">
        {places.map(({ program, where }) => (
          <div key={program}>
            <dt>{program}</dt>
            <dd>{where}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        Claude and ChatGPT come from their makers’ machines, so they reach Callgate only where it has a public https
        address.
      </p>
      <CodeBlock code={{ id: 'claude-code', name: 'Claude Code', hint: 'In a shell.', text: command }} />
    </section>
  )
}

/** Source: https://cursor.com/docs/mcp/install-links */
export function cursorLink(url: string): string {
  const config = Buffer.from(JSON.stringify({ url })).toString('base64')
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=callgate&config=${encodeURIComponent(config)}`
}

/** Source: https://code.visualstudio.com/api/extension-guides/ai/mcp */
export function vsCodeLink(url: string): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'callgate', type: 'http', url }))}`
}
