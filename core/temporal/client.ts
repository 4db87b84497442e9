import { loadClientConnectConfig } from '@temporalio/envconfig'
import { Client } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import type { Config } from '../../config.ts'

/** Connects with the standard TEMPORAL_* settings. One connection serves client and workers. */
export async function connectTemporal(config: Config): Promise<{ connection: NativeConnection; temporal: Client }> {
  const { connectionOptions } = loadClientConnectConfig()
  const connection = await NativeConnection.connect({ ...connectionOptions, address: config.temporalAddress })
  return { connection, temporal: new Client({ connection, namespace: config.temporalNamespace }) }
}
