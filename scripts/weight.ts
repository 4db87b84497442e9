import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './supervisor/settings.ts'

/** `npm run weight`: tracked lines by class. The first matching pattern decides. */
const classes: readonly (readonly [name: string, paths: RegExp])[] = [
  ['pictures', /\.(png|ico|woff2?)$/],
  ['recordings', /^examples\/connectors\/[^/]+\/recordings\//],
  ['histories', /^test\/histories\/.*\.json$/],
  ['recorded examples', /^connectors\/[^/]+\/examples\.json$/],
  ['lock files', /(^|\/)(package-lock\.json|go\.sum|requirements[\w-]*\.txt|build\.txt)$/],
  ['generated', /^(core\/database\/schema\.sql|docs\/mcp-lists\.md|client\/api-surface\.txt)$/],
  ['migrations', /^core\/database\/(functions|migrations)\//],
  ['docs', /^docs\/|\.md$/],
  ['tests', /^test\//],
  ['sandbox', /^sandbox\//],
  ['built-in connectors', /^connectors\/(?!(authoring|isolate|kit|recordings|runtime)\/)[^/]+\//],
  ['product', /^(activities|api|connectors|core|schemas|server|web|workflows)\/|^config\.ts$/],
  ['clients', /^client\//],
  ['examples', /^examples\//],
  ['tools', /^(\.ci|\.github|bench|deploy|engine|local-services|scripts)\//],
  ['settings', /^[^/]+$/],
]

const weights = classes.map(([name, paths]) => ({ name, paths, files: 0, lines: 0, bytes: 0 }))
const tracked = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z'], { cwd: root, encoding: 'utf8' })
for (const file of tracked.split('\0').filter(Boolean)) {
  const weight = weights.find(({ paths }) => paths.test(file))
  if (!weight) throw new Error(`${file} belongs to no class: scripts/weight.ts`)
  const content = readFileSync(path.join(root, file))
  weight.files += 1
  weight.bytes += content.length
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) weight.lines += 1
}

const sum = (of: 'files' | 'lines' | 'bytes'): number => weights.reduce((total, weight) => total + weight[of], 0)
const rows = weights.toSorted((a, b) => b.lines - a.lines)
for (const { name, files, lines, bytes } of [
  ...rows,
  { name: 'sum', files: sum('files'), lines: sum('lines'), bytes: sum('bytes') },
])
  console.log(
    [
      name.padEnd(20),
      `${inGroups(lines).padStart(9)} lines`,
      `${inGroups(files).padStart(6)} files`,
      `${inGroups(Math.round(bytes / 1024)).padStart(7)} KiB`,
    ].join(' '),
  )

function inGroups(count: number): string {
  return count.toLocaleString('en-GB')
}
