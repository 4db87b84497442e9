import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, run, text } from './rows.ts'

/**
 * The witness: every accepted write, in the transaction of the state it changed, and then appended and synced to a
 * file before the app answers. Killed between the two, the file is completed from the table at the next start.
 */
export class Effects {
  readonly #db: DatabaseSync
  readonly #file: number

  constructor(db: DatabaseSync, path: string) {
    this.#db = db
    this.#file = openSync(path, 'a+', 0o600)
    this.#complete(readFileSync(path))
  }

  /** Within the transaction; answers the line to append after the commit. */
  record(account: string, action: string, body: unknown): string {
    const seq = number(one(this.#db, 'SELECT coalesce(max(seq), 0) + 1 AS seq FROM sb_effects') ?? {}, 'seq')
    const line = JSON.stringify({ seq, at: new Date().toISOString(), account, action, body })
    run(this.#db, 'INSERT INTO sb_effects (seq, line) VALUES (?, ?)', seq, line)
    return line
  }

  append(line: string): void {
    writeSync(this.#file, `${line}\n`)
    fsyncSync(this.#file)
  }

  /** The log as JSON text. */
  list(): string {
    return `{"effects":[${this.#lines().join(',')}]}`
  }

  /** After the table was emptied. */
  truncate(): void {
    ftruncateSync(this.#file, 0)
    fsyncSync(this.#file)
  }

  close(): void {
    closeSync(this.#file)
  }

  #lines(): string[] {
    return all(this.#db, 'SELECT line FROM sb_effects ORDER BY seq').map((row) => text(row, 'line'))
  }

  /** Keeps what file and table have in common, drops a torn or outdated tail, appends what the file lacks. */
  #complete(written: Buffer): void {
    let size = 0
    const missing = this.#lines()
    for (let line = missing[0]; line !== undefined; line = missing[0]) {
      const bytes = Buffer.from(`${line}\n`)
      if (!written.subarray(size, size + bytes.length).equals(bytes)) break
      size += bytes.length
      missing.shift()
    }
    if (size < written.length) ftruncateSync(this.#file, size)
    for (const line of missing) writeSync(this.#file, `${line}\n`)
    fsyncSync(this.#file)
  }
}
