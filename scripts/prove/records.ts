import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Proof } from './proofs.ts'

/** Entry of `proofs.json` for a proof that passed. */
export interface PassedProof {
  readonly commit: string
  /** SHA-256 of the names and contents of the covered files in that commit. */
  readonly files: string
  /** SHA-256 of its output. */
  readonly log: string
  readonly seconds: number
}

/** Allows clones that belong to another user, as on some CI machines. */
const anyOwner = ['-c', 'safe.directory=*'] as const

type Covering = Pick<Proof, 'name' | 'covers'>

/** Proofs that passed, with the state of the files that each covers. Only commits count. */
export class ProofRecords {
  readonly #root: string
  readonly #file: string

  constructor(root: string) {
    this.#root = root
    this.#file = path.join(root, 'proofs.json')
  }

  #read(): Readonly<Record<string, PassedProof>> {
    return JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, PassedProof>
  }

  #git(...args: readonly string[]): string {
    return execFileSync('git', [...anyOwner, ...args], {
      cwd: this.#root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
  }

  get(name: string): PassedProof | undefined {
    return this.#read()[name]
  }

  head(): string {
    return this.#git('rev-parse', 'HEAD').trim()
  }

  /** Throws if git does not know a covered path: renaming a folder must not disable a proof. */
  filesOf({ name, covers }: Covering): string {
    const unknown = covers.filter((one) => this.#git('ls-tree', '-r', '--name-only', 'HEAD', '--', one) === '')
    if (unknown.length > 0) throw new Error(`the proof ${name} covers ${unknown.join(', ')}, which git does not know`)
    const tree = this.#git('ls-tree', '-r', 'HEAD', '--', ...covers)
    return createHash('sha256').update(tree).digest('hex')
  }

  isStale(proof: Covering): boolean {
    return this.get(proof.name)?.files !== this.filesOf(proof)
  }

  /** Covered files that differ from the last commit. */
  uncommitted({ covers }: Covering): readonly string[] {
    return this.#git('status', '--porcelain', '--', ...covers)
      .split('\n')
      .filter((line) => line !== '')
  }

  #knows(commit: string): boolean {
    return spawnSync('git', [...anyOwner, 'cat-file', '-e', `${commit}^{commit}`], { cwd: this.#root }).status === 0
  }

  /**
   * Merges into the main line from the first change of a covered file on, that one included;
   * Infinity if no known commit passed.
   */
  mergesSinceStale({ name, covers }: Covering): number {
    const passed = this.get(name)
    if (passed === undefined || !this.#knows(passed.commit)) return Infinity
    const touching = this.#git('rev-list', '--first-parent', '--reverse', `${passed.commit}..HEAD`, '--', ...covers)
    const [first] = touching.split('\n')
    if (first === undefined || first === '') return 0
    return Number(this.#git('rev-list', '--first-parent', '--merges', '--count', `${first}^..HEAD`))
  }

  note(name: string, passed: PassedProof): void {
    const all = Object.entries({ ...this.#read(), [name]: passed }).toSorted(([a], [b]) => (a < b ? -1 : 1))
    writeFileSync(this.#file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
  }
}
