import { Connection } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { Client } from 'pg'
import { addSearchAttributes } from '../../core/temporal/search-attributes.ts'
import { minimumServer } from '../../local-services/settings.ts'
import { messageOf, SetupError } from '../../local-services/setup-error.ts'
import { isNewEnough } from '../../local-services/temporal.ts'

/** Checks TEMPORAL_ADDRESS and adds missing search attributes. Throws SetupError. */
export async function checkTemporal(address: string, namespace: string, minimum = minimumServer): Promise<void> {
  const connection = await reach(address)
  try {
    const { serverVersion } = await connection.workflowService.getSystemInfo({})
    if (!serverVersion || !isNewEnough(serverVersion, minimum)) {
      throw new SetupError(
        `The Temporal server at ${address} is ${serverVersion || 'of unknown version'}: Callgate needs ${minimum} or later`,
      )
    }
    await addSearchAttributes(connection, namespace)
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw new SetupError(
      `The Temporal server at ${address} refuses namespace "${namespace}" (${messageOf(error)}): see TEMPORAL_NAMESPACE`,
    )
  } finally {
    await connection.close()
  }
}

async function reach(address: string): Promise<Connection> {
  try {
    const { connectionOptions } = loadClientConnectConfig()
    return await Connection.connect({ ...connectionOptions, address, connectTimeout: '5s' })
  } catch (error) {
    throw new SetupError(`No Temporal server answers at ${address} (${messageOf(error)}): see TEMPORAL_ADDRESS`)
  }
}

/** Checks DATABASE_URL: reachable and recent. Throws SetupError. */
export async function checkDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
    const major = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
    if (!(major >= 14)) throw new Error(`it is Postgres ${major}, and Callgate needs 14 or later`)
  } catch (error) {
    throw new SetupError(`The database of DATABASE_URL cannot be used (${messageOf(error)})`)
  } finally {
    // An error on close changes nothing: the check is done.
    await client.end().catch(() => undefined)
  }
}
