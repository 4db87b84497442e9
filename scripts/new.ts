import { appendFile, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { examplesText } from '../connectors/examples.ts'
import { named } from '../schemas/names.ts'

/**
 * `npm run new -- <slug>.<endpoint> [--read] [--in <file>]`: adds an endpoint skeleton and an empty
 * example input to an app, and prints the next steps. `npm test` fails and lists the blanks until
 * they are filled in.
 */
let folder = path.join(import.meta.dirname, '..', 'connectors')

try {
  const { values, positionals } = parseArgs({
    // `connectors`: another folder, for tests.
    options: { read: { type: 'boolean' }, in: { type: 'string' }, connectors: { type: 'string' } },
    allowPositionals: true,
  })
  folder = values.connectors ?? folder
  await skeleton(positionals[0] ?? '', values.read === true, values.in)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function skeleton(id: string, read: boolean, wanted: string | undefined): Promise<void> {
  const [, slug = '', name = ''] = named(String.raw`{slug}\.{endpoint}`).exec(id) ?? []
  if (name === '')
    throw new Error('Usage: npm run new -- <slug>.<endpoint> [--read] [--in <file>], such as crm.get_task.')
  const resources = await resourcesOf(slug)
  const resource = wanted ?? resources.find((known) => name.includes(known.replaceAll('-', '_').replace(/s$/, '')))
  if (resource === undefined || !resources.includes(resource))
    throw new Error(`Say with --in which file of connectors/${slug} it belongs to: ${resources.join(', ')}.`)
  for (const known of resources)
    if ((await readFile(path.join(folder, slug, `${known}.ts`), 'utf8')).includes(`export const ${name} =`))
      throw new Error(`${slug} has ${name} already: connectors/${slug}/${known}.ts.`)
  await appendFile(path.join(folder, slug, `${resource}.ts`), `\n${blockOf(name, read)}`)
  await addExample(path.join(folder, slug, 'examples.json'), name)
  console.log(`connectors/${slug}/${resource}.ts   fill in the block at its end
connectors/${slug}/examples.json   give ${name} an input that works on a fresh sandbox
sandbox/${slug}/   the app's own side, if it cannot do this yet (sandbox/README.md)
npm run examples ${slug}   records its answer
test/connectors/${slug}*.test.ts   what it changes, what is refused
`)
}

/** The app's endpoint files: its index.ts's namespace imports. Throws for an unknown app. */
async function resourcesOf(slug: string): Promise<string[]> {
  const slugs = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  if (!slugs.some((entry) => entry.name === slug))
    throw new Error(`There is no connectors/${slug}. Apps: ${slugs.map((entry) => entry.name).join(', ')}.`)
  const index = await readFile(path.join(folder, slug, 'index.ts'), 'utf8')
  return [...index.matchAll(/^import \* as \w+ from '\.\/([\w-]+)\.ts'$/gm)].map((found) => found[1] ?? '')
}

function blockOf(name: string, read: boolean): string {
  const declared = read
    ? `access: 'read',
  request: 'GET /',`
    : `approval: { headline: '', button: '', consequences: [] }, // what its approver reads first: docs/declarations.md
  effect: 'changes', // 'adds' where nothing that was there before is different afterwards, 'removes' where something is gone
  shownBy: [], // the reads that show afterwards whether it happened, the surest first
  access: 'write',
  confirm: true, // drop this line if it reaches nobody but the account itself
  request: 'POST /',`
  return `export const ${name} = endpoint({
  summary: '', // for an agent
  label: '', // for a person, as on a button
  brief: [], // the inputs that say most of a call
  ${declared}
  input: {}, // each labelled('…', …), amounts money(…), whom it reaches recipients(…): docs/declarations.md
  output: {},
})
`
}

async function addExample(file: string, name: string): Promise<void> {
  const examples: unknown = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, examplesText({ ...(examples as object), [name]: { input: {} } }))
}
