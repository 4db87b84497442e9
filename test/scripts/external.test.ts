import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { describe, expect, inject, test } from 'vitest'
import { freePort } from '../../local-services/dev-server.ts'
import { searchAttributes } from '../../local-services/settings.ts'
import { checkDatabase, checkTemporal } from '../../scripts/supervisor/external.ts'
import { makeFolders } from '../../scripts/supervisor/folders.ts'
import { temporaryFolder } from './temp.ts'

describe('a Temporal server of one’s own', () => {
  test('is taken when it is new enough, and gets the search attributes that it lacks', async () => {
    const address = inject('temporalAddress')
    const namespace = 'default'
    const connection = await Connection.connect({ address })
    const known = async () => {
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
      return searchAttributes.filter((name) => customAttributes?.[name] !== undefined)
    }
    await connection.operatorService.removeSearchAttributes({ namespace, searchAttributes: ['CallgateOwner'] })
    expect(await known()).not.toContain('CallgateOwner')
    await checkTemporal(address, namespace)
    expect(await known()).toEqual([...searchAttributes])
    await connection.close()
  })

  test('is refused in one line when it is too old', async () => {
    const address = inject('temporalAddress')
    await expect(checkTemporal(address, 'default', '99.1.0')).rejects.toThrow(
      /^The Temporal server at .* is 1\.\d+\.\d+: Callgate needs 99\.1\.0 or later$/,
    )
  })

  test('is refused in one line when its namespace is not there', async () => {
    await expect(checkTemporal(inject('temporalAddress'), 'nowhere')).rejects.toThrow(
      /refuses namespace "nowhere" .*TEMPORAL_NAMESPACE$/,
    )
  })

  test('is refused in one line when nobody answers', async () => {
    const address = `127.0.0.1:${await freePort()}`
    await expect(checkTemporal(address, 'default')).rejects.toThrow(`No Temporal server answers at ${address}`)
  })
})

describe('a database of one’s own', () => {
  test('is taken when it answers', async () => {
    await checkDatabase(inject('databaseUrl'))
  })

  test('is refused in one line when it does not', async () => {
    const url = `postgresql://callgate@127.0.0.1:${await freePort()}/callgate`
    await expect(checkDatabase(url)).rejects.toThrow(/^The database of DATABASE_URL cannot be used \(.*ECONNREFUSED/)
  })
})

test('a data folder that cannot be made is one line that names CALLGATE_DIR', () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(() => makeFolders(join(file, 'data'))).toThrow(
    /^Callgate cannot write to .*: set CALLGATE_DIR to a folder of yours$/,
  )
})
