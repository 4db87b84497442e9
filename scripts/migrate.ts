import { parseArgs } from 'node:util'
import { migrate, migrateTo } from '../core/database/migrate.ts'
import { messageOf } from '../local-services/setup-error.ts'
import { ownConfig } from './supervisor/own-config.ts'

/** `npm run -s migrate [-- --to 0180]`: migrates, or rolls back to 0180. See docs/deploying.md. */
const { values } = parseArgs({ options: { to: { type: 'string' } } })

try {
  const { databaseUrl: url } = await ownConfig(process.env)
  if (values.to === undefined) {
    await migrate(url)
    console.log('The schema is up to date.')
  } else {
    const undone = await migrateTo(url, values.to)
    console.log(
      undone.length === 0
        ? `The schema is at ${values.to}.`
        : `The schema is at ${values.to}. Taken back: ${undone.join(', ')}.`,
    )
  }
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
