import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const read = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
const [style, script] = [read('card.css'), read('card.js')]

/** Only this script runs; nothing is loaded or sent. */
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The page that MCP Apps hosts show beside a tool's result, which brings all of its data. */
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
