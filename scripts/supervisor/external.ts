import { Connection } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { Client } from 'pg'
import { minimumServer, searchAttributes } from '../../local-services/settings.ts'
import { messageOf, SetupError } from '../../local-services/setup-error.ts'
import { isNewEnough } from '../../local-services/temporal.ts'

/** `IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD` of the API. */
const keyword = 2

/** The server behind TEMPORAL_ADDRESS: reachable, new enough, with the namespace; it gets the search attributes it lacks. */
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

async function addSearchAttributes({ operatorService }: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
  const missing = searchAttributes.filter((name) => customAttributes?.[name] === undefined)
  if (missing.length === 0) return
  const wanted = Object.fromEntries(missing.map((name) => [name, keyword]))
  await operatorService.addSearchAttributes({ namespace, searchAttributes: wanted })
}

/** The database behind DATABASE_URL: reachable and new enough. */
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
    await client.end().catch(() => undefined)
  }
}
