import type { JSX } from 'preact'
import type { NewKey } from '../../core/keys/keys.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { CodeBlock } from '../play/result.tsx'
import { Text } from '../parts/text.tsx'

/** The only page that shows a key. */
export function NewKeyPage(props: {
  readonly viewer: Viewer
  readonly made: NewKey
  readonly publicUrl: string
}): JSX.Element {
  const { viewer, made, publicUrl } = props
  const url = `${publicUrl}/api/v1/apps`
  return (
    <Layout title="Your new key" viewer={viewer} script="play.js">
      <article class="card">
        <p class="eyebrow">
          <Text value={made.name} />
        </p>
        <h1>Your new key</h1>
        <p class="notice warn">Copy it now: you will not see it again. Anyone who has it can ask in your name.</p>
        <pre id="text-key">
          <code>{made.key}</code>
        </pre>
        <p>
          <button class="quiet" type="button" data-copy="text-key" hidden>
            Copy the key
          </button>
        </p>
        <h2>Ready to paste, with the key filled in</h2>
        {linesOf(publicUrl, made.key).map(([id, name, hint, text]) => (
          <CodeBlock key={id} code={{ id, name, hint, text }} />
        ))}
        <p class="hint">
          What you can call: <a href={url}>{url}</a>. <a href="/keys">Back to the keys</a>
        </p>
      </article>
    </Layout>
  )
}

type Line = readonly [id: string, name: string, hint: string, text: string]

function linesOf(publicUrl: string, key: string): readonly Line[] {
  const connections = `${publicUrl}/api/v1/connections`
  const url = `${publicUrl}/mcp`
  const headers = { Authorization: `Bearer ${key}` }
  const json = (value: unknown): string => JSON.stringify(value, null, 2)
  return [
    ['curl', 'curl', 'In a shell.', `curl ${connections} -H "Authorization: Bearer ${key}"`],
    [
      'typescript',
      'TypeScript',
      'Without any library.',
      `const answer = await fetch('${connections}', {\n  headers: { Authorization: 'Bearer ${key}' },\n})`,
    ],
    ['python', 'Python', 'With httpx.', `httpx.get("${connections}", headers={"Authorization": "Bearer ${key}"})`],
    [
      'claude-code',
      'Claude Code',
      'In a shell.',
      `claude mcp add --transport http callgate ${url} --header "Authorization: Bearer ${key}"`,
    ],
    [
      'codex',
      'Codex',
      'In a shell. Codex reads the key from the variable each time it starts.',
      `export CALLGATE_API_KEY=${key}\ncodex mcp add callgate --url ${url} --bearer-token-env-var CALLGATE_API_KEY`,
    ],
    [
      'vs-code',
      'VS Code',
      'In a shell.',
      `code --add-mcp '${JSON.stringify({ name: 'callgate', type: 'http', url, headers })}'`,
    ],
    ['cursor', 'Cursor', 'In ~/.cursor/mcp.json.', json({ mcpServers: { callgate: { url, headers } } })],
    [
      'mcp',
      'Other MCP clients',
      'In their configuration.',
      json({ mcpServers: { callgate: { type: 'http', url, headers } } }),
    ],
  ]
}
