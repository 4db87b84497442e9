import { existsSync, statSync } from 'node:fs'
import type { Finding } from '../../client/finding.ts'
import { loadSecrets } from '../../config.ts'
import { messageOf } from '../../local-services/setup-error.ts'

/** Checks that the key file is complete, and unreadable for other users. */
export function findSecrets(file: string): Finding {
  const what = 'secret keys'
  if (!existsSync(file)) return { what, ok: true, found: `none yet: npm start makes ${file}` }
  try {
    loadSecrets(file)
  } catch (error) {
    const mend = `Put ${file} back from the backup: without its keys no session opens and no API key is valid.`
    return { what, ok: false, found: messageOf(error), mend }
  }
  const open = (statSync(file).mode & 0o077) !== 0
  return open
    ? { what, ok: false, found: `others may read ${file}`, mend: `chmod 600 ${file}` }
    : { what, ok: true, found: `complete, in ${file}` }
}
