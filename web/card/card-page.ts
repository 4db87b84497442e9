import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const read = (name: string): string => readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8')
const [style, script] = [read('card.css'), read('card.js')]

/** Nothing runs but this script, nothing is loaded, and nothing is sent anywhere. */
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The page that hosts of MCP Apps show beside a tool's result. It has no data: what waits comes with the result. */
export const cardPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waiting for your approval</title>
<style>${style}</style>
</head>
<body>
<main><p class="hint">Looking at what waits.</p></main>
<script>${script}</script>
</body>
</html>
`

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
