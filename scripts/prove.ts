import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { cacheFolder, makeFolder } from '../local-services/temporal.ts'
import { proofs } from './prove/proofs.ts'
import type { Proof } from './prove/proofs.ts'
import { ProofRecords } from './prove/records.ts'
import { environmentOf } from './prove/tools.ts'
import { root } from './supervisor/settings.ts'

/**
 * `npm run prove [-- <name>…] [-- --stale] [-- --within <minutes>]`: runs proofs that take minutes
 * or need third-party tools (scripts/prove/proofs.ts). A pass is recorded in proofs.json, to be
 * committed with the work, and is stale once a covered file changes. `--stale` runs only stale
 * ones; `--within` starts none that would not finish in time. CI uses both, and records nothing.
 */
const { values, positionals: words } = parseArgs({
  options: {
    stale: { type: 'boolean', default: false },
    within: { type: 'string' },
    note: { type: 'boolean', default: process.env['CI'] === undefined },
  },
  allowNegative: true,
  allowPositionals: true,
})
/** A stale proof that did not fit in the time fails CI after this many merges. */
const mostMerges = 3
const secondsUnlessKnown = 300

const records = new ProofRecords(root)
const isName = (word: string): boolean => proofs.some(({ name }) => name === word)
const named = proofs.filter(({ name, byName }) =>
  words.length === 0 ? byName !== true : words.some((word) => (isName(word) ? name === word : name.includes(word))),
)
if (named.length === 0) {
  console.error(`No proof is named ${words.join(', ')}. Proofs: ${proofs.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}
const due = values.stale ? named.filter((proof) => records.isStale(proof)) : named
const minutes = values.within === undefined ? Infinity : Number(values.within)
if (!(minutes >= 0)) {
  console.error(`--within takes a number of minutes, not "${values.within}".`)
  process.exit(1)
}
const end = Date.now() + minutes * 60_000
await makeFolder(cacheFolder(process.env))

const lines: string[] = []
const failures: string[] = []
let failed = false
for (const proof of due) {
  const seconds = records.get(proof.name)?.seconds ?? secondsUnlessKnown
  if (Date.now() + seconds * 1000 > end) {
    const merges = records.mergesSinceStale(proof)
    const isTooOld = merges >= mostMerges
    failed ||= isTooOld
    lines.push(`${isTooOld ? '✗' : '–'} ${proof.name}: stale for ${merges} merges, and there was no time for it`)
    continue
  }
  const passed = await prove(proof)
  failed ||= !passed.passed
  if (!passed.passed) failures.push(`\nFailed: ${proof.name}\n${passed.end}`)
  lines.push(`${passed.passed ? '✓' : '✗'} ${proof.name} (${passed.seconds} s)`)
}
for (const { name } of named) if (!due.some((one) => one.name === name)) lines.push(`✓ ${name}: as it was proved`)
// Repeated next to the summary: CI logs are often truncated to their end.
for (const failure of failures) console.log(failure)
console.log(`\nProofs\n${lines.join('\n')}`)
process.exitCode = failed ? 1 : 0

/** Result of one run of a proof. */
interface Proved {
  readonly passed: boolean
  readonly seconds: number
  /** Its last output. */
  readonly end: string
}

async function prove(proof: Proof): Promise<Proved> {
  console.log(`\nProof: ${proof.name}`)
  const began = Date.now()
  const state = { commit: records.head(), files: records.filesOf(proof) }
  const isCommitted = records.uncommitted(proof).length === 0
  const {
    code,
    log,
    end: last,
  } = await run(proof).catch((error: unknown) => {
    // Such as a tool that cannot be fetched: the other proofs still run.
    console.error(error)
    return { code: 1, log: '', end: String(error) }
  })
  const seconds = Math.round((Date.now() - began) / 1000)
  if (code === 0 && values.note) {
    if (isCommitted && records.uncommitted(proof).length === 0) records.note(proof.name, { ...state, log, seconds })
    else console.log(`Not noted: commit what ${proof.name} covers, then run it again.`)
  }
  return { passed: code === 0, seconds, end: last }
}

/** Runs a proof; prints its output and keeps it in .callgate/proofs. */
async function run(proof: Proof): Promise<{ readonly code: number; readonly log: string; readonly end: string }> {
  const env = { ...process.env, ...(await environmentOf(proof.tools)) }
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/proofs/vitest.config.ts']
  const args = 'script' in proof.run ? [proof.run.script] : [...vitest, ...proof.run.files]
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['inherit', 'pipe', 'pipe'] })
  const logs = path.join(root, '.callgate/proofs')
  mkdirSync(logs, { recursive: true })
  const file = createWriteStream(path.join(logs, `${proof.name}.log`))
  const hash = createHash('sha256')
  let printed = ''
  const take = (to: NodeJS.WriteStream) => (chunk: Buffer) => {
    to.write(chunk)
    file.write(chunk)
    hash.update(chunk)
    printed = (printed + chunk.toString()).slice(-8_000)
  }
  child.stdout.on('data', take(process.stdout))
  child.stderr.on('data', take(process.stderr))
  const code = await new Promise<number>((resolve) => child.once('close', (exit) => resolve(exit ?? 1)))
  file.end()
  await finished(file)
  return { code, log: hash.digest('hex'), end: printed }
}
