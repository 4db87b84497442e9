import { randomBytes } from 'node:crypto'
import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { isErrno } from '../../local-services/setup-error.ts'

/** Creates a missing key file. Never overwrites one: data sealed with its keys would be lost. */
export function makeSecrets(file: string): void {
  const key = () => randomBytes(32).toString('base64')
  const secrets = { kek: { k1: key() }, approval: { k1: key() }, pepper: key(), operator: key() }
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
}
